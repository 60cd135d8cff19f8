"""Nonsmooth contact dynamics: grains, blocks, masonry and rock held together by contact and friction alone.

The shortest way: read or write a :class:`Scene`, :meth:`~Scene.build` it, :meth:`~Simulation.run` the
simulation.

>>> import drystone
>>> scene = drystone.Scene.from_toml('''
... dimension = 2
... time = { step = 1e-3, duration = 0.2 }
... body = [
...     { name = "floor", shape.line = {}, fixed = true },
...     { name = "stone", shape.box = { size = [0.4, 0.2] }, density = 2000, position = [0.0, 0.1] },
... ]
... law = [{ between = ["*", "*"], inelastic.friction = 0.5 }]
... ''')
>>> with scene.build() as sim:
...     report = sim.run()
>>> report.outcome, report.not_converged
('completed', 0)
>>> sim["stone"].position.round(6).tolist()
[0.0, 0.1]

SI units; y up in 2D, z up in 3D; compression is positive; numbers of bodies count from 0.
"""

from drystone._drystone import ChangeError, DrystoneError, RunError, SceneError, __version__
from drystone.ensemble import Rows, sweep
from drystone.lmgc90 import Taken, from_datbox
from drystone.parts import (
    Approach,
    Axis,
    Body,
    Change,
    Contacts,
    RunReport,
    Signal,
    Slot,
    Snapshot,
    StepReport,
)
from drystone.problem import Diagnosis, Solution, solve, solve_file
from drystone.run import BodyHistory, GroupHistory, Run, Table, View, open
from drystone.scene import Scene
from drystone.simulation import Simulation, resume
from drystone.statics import Stability, stability

# exceptions are known by the name of the package
for _error in (ChangeError, DrystoneError, RunError, SceneError):
    _error.__module__ = "drystone"
del _error

__all__ = [
    "Approach",
    "Axis",
    "Body",
    "BodyHistory",
    "Change",
    "ChangeError",
    "Contacts",
    "Diagnosis",
    "DrystoneError",
    "GroupHistory",
    "Rows",
    "Run",
    "RunError",
    "RunReport",
    "Scene",
    "SceneError",
    "Signal",
    "Simulation",
    "Slot",
    "Snapshot",
    "Solution",
    "Stability",
    "StepReport",
    "Table",
    "Taken",
    "View",
    "__version__",
    "from_datbox",
    "open",
    "resume",
    "solve",
    "solve_file",
    "stability",
    "sweep",
]

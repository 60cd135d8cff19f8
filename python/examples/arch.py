"""An arch of voussoirs: does it stand, how much of an earthquake does it bear, and how it pushes its
supports.
"""

import numpy as np

import drystone
from drystone.masonry import scene_from_blocks


def voussoir(first: float, last: float) -> tuple[list[list[float]], list[list[int]]]:
    """One stone between two angles, 1 m inside, 1.3 m outside, 0.5 m deep."""
    corners = [
        [radius * np.cos(angle), depth, radius * np.sin(angle)]
        for depth in (0.0, 0.5)
        for angle in (first, last)
        for radius in (1.0, 1.3)
    ]
    return corners, [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


angles = np.linspace(np.pi, 0.0, 12)
blocks = [voussoir(after, before) for before, after in zip(angles, angles[1:])]
scene = scene_from_blocks(blocks, supports=[0, 10], density=2400, friction=0.6, duration=0.02)
found = drystone.stability(scene, push=[1, 0, 0])
sim = scene.build()
sim.run()
print(
    f"stands: {found.stands}, bears {found.multiplier:.4f} g, thrust {-sim['block 0'].contact_force[0]:.0f} N"
)

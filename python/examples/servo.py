"""Grains in a box under a lid that keeps its pressure: a servo loop as a hook, and the stress-strain plot."""

import drystone

scene = drystone.Scene.from_toml("""
dimension = 2
time = { step = 1e-3, duration = 0.3 }
body = [
    { name = "floor", group = "wall", shape.line = {}, fixed = true },
    { name = "left", group = "wall", shape.line = {}, angle_degrees = -90, fixed = true },
    { name = "right", group = "wall", shape.line = {}, angle_degrees = 90, position = [0.4, 0], fixed = true},
    { name = "lid", group = "wall", shape.line = {}, angle_degrees = 180, position = [0, 0.4], fixed = true },
]
law = [{ between = ["*", "*"], inelastic.friction = 0.3 }, { between = ["wall", "wall"], none = {} }]
[[sample]]
name = "grains"
density = 2600
grains = { region.box = { low = [0, 0], high = [0.4, 0.4] }, sizes.mono.radius = 0.02, packing.lattice = {} }
""")
sim = scene.build()
lid, speed = sim["lid"], sim.slot()
lid.drive("y", speed)
strain: list[float] = []
stress: list[float] = []


@sim.on_step
def servo(sim: drystone.Simulation) -> None:
    stress.append(float(lid.contact_force[1]) / 0.4)
    strain.append(1.0 - float(lid.position[1]) / 0.4)
    speed.value = max(-0.2, min(0.2, -2e-5 * (2000.0 - stress[-1])))


sim.run()
print(f"{len(sim)} bodies, strain {strain[-1]:.4f}, stress {stress[-1]:.0f} Pa")

try:
    from matplotlib import pyplot
except ImportError:
    print("matplotlib is not installed: no plot")
else:
    pyplot.plot(strain, stress)
    pyplot.xlabel("strain [-]")
    pyplot.ylabel("stress [Pa]")
    pyplot.savefig("stress-strain.png")

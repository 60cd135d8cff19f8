"""Grains in a box, a servo that lets the lid sink at 1 m/s with at most 4 kN, and the stress-strain plot."""

from matplotlib import pyplot

import drystone

sim = drystone.Scene.from_toml("""
dimension = 2
time = { step = 1e-3, duration = 0.3 }
law = [{ between = ["*", "*"], inelastic.friction = 0.3 }, { between = ["wall", "wall"], none = {} }]
body = [{ name = "floor", group = "wall", shape.line = {}, fixed = true },
    { name = "left", group = "wall", shape.line = {}, angle_degrees = -90, fixed = true },
    { name = "right", group = "wall", shape.line = {}, angle_degrees = 90, position = [0.4, 0], fixed = true},
    { name = "lid", group = "wall", shape.box.size = [0.4, 0.02], density = 7800, position = [0.2, 0.41],
      drive = { x = 0, spin = 0 } }]
sample = [{ name = "grains", density = 2600, grains = { count = 60, packing.random = {},
    region.box = { low = [0, 0], high = [0.4, 0.4] },
    sizes.uniform = { smallest = 0.015, largest = 0.025, by = "number" } } }]
""").build()
lid, push = sim["lid"], sim.slot()
lid.load("y", push)
curve: list[tuple[float, float]] = []


@sim.on_step
def servo(sim: drystone.Simulation) -> None:
    push.value = min(1e3, max(-4e3, push.value - 100.0 * (float(lid.velocity[1]) + 1.0)))
    curve.append((1.025 - float(lid.position[1]) / 0.4, float(lid.contact_force[1]) / 0.4))


sim.run()
pyplot.plot(*zip(*curve))
pyplot.gca().set(xlabel="strain [-]", ylabel="stress [Pa]")
pyplot.savefig("stress-strain.png")
print(f"strain {curve[-1][0]:.3f} at {curve[-1][1]:.0f} Pa")

"""Grains in a box, a servo that lets the lid sink at 1 m/s with at most 4 kN, and the stress-strain plot."""

from matplotlib import pyplot

import drystone

sim = drystone.Scene.from_toml("""
dimension = 2
time = { step = 1e-3, duration = 0.3 }
law = [{ between = ["*", "*"], inelastic.friction = 0.3 }]
body = [{ name = "box", shape.polyline.vertices = [[0, 1], [0, 0], [0.4, 0], [0.4, 1]], fixed = true },
  { name = "lid", shape.box.size = [0.39, 0.2], mass = 60, position = [0.2, 0.5], drive = {x = 0, spin = 0} }]
sample = [{ name = "grains", density = 2600, grains = { count = 60, packing.random = {}, region.box = {
  low = [0, 0], high = [0.4, 0.4] }, sizes.uniform = { smallest = 0.015, largest = 0.025 } } }]
""").build()
lid = sim["lid"]
curve: list[tuple[float, float]] = []


@sim.on_step
def servo(sim: drystone.Simulation) -> None:
    lid.set_force([0.0, min(4e3, max(-4e3, -1e4 * (lid.velocity[1] + 1.0)))])
    curve.append((1.0 - (lid.position[1] - 0.1) / 0.4, lid.contact_force[1] / 0.4))


print(sim.run())
pyplot.axes(xlabel="strain [-]", ylabel="stress [Pa]").plot(*zip(*curve))
pyplot.savefig("stress-strain.png")

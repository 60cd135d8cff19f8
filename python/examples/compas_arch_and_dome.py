"""The arch and the dome of compas_dem: do they stand, what do they bear, how do they push their supports."""

import numpy as np
from compas_dem.models import BlockModel
from compas_dem.templates import ArchTemplate, DomeTemplate

import drystone
from drystone.masonry import joints, scene_from_blocks
from drystone.meshes import vertices_and_faces

arch = BlockModel.from_template(ArchTemplate(rise=3, span=10, thickness=0.5, depth=0.5, n=20))
for number in (0, 19):
    arch.add_support(number)
scene = scene_from_blocks(arch, density=2000, friction=0.7, duration=0.02)
found = drystone.stability(scene, push=[1, 0, 0])
crown = joints(found, scene.body_names)[9]
print(f"arch: stands {found.stands}, bears {found.multiplier:.4f} g; thrust {abs(crown.force.x):.0f} N")

dome = BlockModel.from_template(DomeTemplate())
feet = [min(point[2] for point in vertices_and_faces(block.modelgeometry)[0]) for block in dome.elements()]
supports = [number for number, height in enumerate(feet) if height < min(feet) + 1e-6]
sim = scene_from_blocks(dome, supports=supports, density=2000, friction=0.7, duration=0.003).build()
sim.run()
held = np.isin(np.arange(len(sim)), supports)
weight = float(sim.masses[~held].sum()) * 9.81
carried = -float(sim.contact_forces[held, 2].sum())
print(f"dome: {len(sim)} blocks, its supports carry {carried / weight:.4f} of its weight")

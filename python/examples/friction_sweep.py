"""How fast a block slides down a slope, for many coefficients of friction, on all cores."""

from concurrent.futures import ProcessPoolExecutor
from math import cos, radians, sin
from multiprocessing import get_context

import drystone

ANGLE = 20.0

scene = drystone.Scene(
    {
        "dimension": 2,
        "time": {"step": 2e-3, "duration": 0.2},
        "body": [
            {"name": "slope", "shape": {"line": {}}, "angle_degrees": ANGLE, "fixed": True},
            {
                "name": "block",
                "shape": {"box": {"size": [0.2, 0.1]}},
                "density": 1000,
                "angle_degrees": ANGLE,
                "position": [-0.05 * sin(radians(ANGLE)), 0.05 * cos(radians(ANGLE))],
            },
        ],
        "law": [{"between": ["*", "*"], "inelastic": {"friction": 0.5}}],
    }
)


def speed(sim: drystone.Simulation) -> dict[str, float]:
    return {"speed": float((sim["block"].velocity ** 2).sum() ** 0.5)}


if __name__ == "__main__":
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        rows = drystone.sweep(
            scene, {"law.0.inelastic.friction": [0.0, 0.1, 0.2, 0.3, 0.4]}, measure=speed, executor=executor
        )
    for row in rows:
        mu = row["law.0.inelastic.friction"]
        exact = max(0.0, 9.81 * 0.2 * (sin(radians(ANGLE)) - mu * cos(radians(ANGLE))))
        print(f"friction {mu:.1f}: {row['speed']:.6f} m/s, exactly {exact:.6f} m/s")

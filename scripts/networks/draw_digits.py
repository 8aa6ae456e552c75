"""Draws digits as a hand would: strokes from templates, warped, slanted, thick or thin, on paper
that is not quite even. Every picture follows from its seed; no data of others are used."""
import numpy as np

SIZE = 28


def line(*points):
    """Through these points, in a square from 0 to 1; y points down."""
    points = np.array(points, float)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0], np.cumsum(lengths)])
    steps = np.linspace(0, at[-1], max(2, int(at[-1] / 0.09) + 1))
    return np.stack([np.interp(steps, at, points[:, i]) for i in range(2)], axis=1)


def arc(x, y, rx, ry, start, end):
    """Part of an ellipse; degrees, 0 to the right, 90 down."""
    angles = np.radians(np.linspace(start, end, max(6, abs(int((end - start) / 24)))))
    return np.stack([x + rx * np.cos(angles), y + ry * np.sin(angles)], axis=1)


def joined(*parts):
    return np.concatenate(parts)


# Ways to write each digit: strokes.
TEMPLATES = [
    [[arc(.5, .5, .3, .45, -90, 270)], [arc(.5, .5, .36, .42, -120, 240)],
     [arc(.5, .5, .24, .46, -60, 310)]],
    [[line((.5, .05), (.5, .95))], [line((.3, .28), (.54, .05), (.54, .95))],
     [line((.32, .25), (.52, .06), (.52, .95)), line((.28, .95), (.76, .95))]],
    [[joined(arc(.5, .3, .28, .25, -170, 40), line((.66, .48), (.2, .95), (.82, .95)))],
     [joined(arc(.48, .28, .26, .22, -150, 60), arc(.36, .83, .16, .11, -40, -330),
             line((.45, .9), (.85, .95)))]],
    [[joined(arc(.46, .28, .28, .22, -150, 90), arc(.46, .72, .32, .23, -90, 150))],
     [joined(line((.2, .07), (.76, .07), (.44, .42)), arc(.44, .69, .33, .27, -90, 150))]],
    [[line((.56, .05), (.16, .64), (.84, .64)), line((.64, .36), (.64, .96))],
     [line((.24, .06), (.2, .52), (.8, .52)), line((.72, .06), (.7, .96))],
     [line((.66, .96), (.66, .05), (.14, .66), (.88, .66))]],
    [[joined(line((.78, .06), (.3, .06), (.26, .44)), arc(.46, .67, .31, .28, -125, 145))],
     [joined(line((.3, .08), (.27, .46)), arc(.46, .68, .3, .27, -125, 140)),
      line((.3, .08), (.8, .06))]],
    [[joined(arc(.72, .62, .5, .56, -100, -180), arc(.5, .7, .28, .25, 180, -180))],
     [joined(line((.6, .05), (.26, .56)), arc(.5, .7, .27, .25, 200, -150))]],
    [[line((.16, .08), (.82, .08), (.4, .95))],
     [line((.18, .1), (.8, .07), (.48, .95)), line((.36, .5), (.76, .48))],
     [line((.2, .2), (.2, .08), (.8, .08), (.5, .5), (.44, .95))]],
    [[arc(.5, .28, .23, .22, 90, 450), arc(.5, .72, .29, .23, -90, 270)],
     [joined(arc(.5, .28, .24, .22, -20, -250), line((.38, .42), (.7, .6)),
             arc(.5, .74, .26, .21, -40, 220), line((.32, .58), (.7, .36)))]],
    [[joined(arc(.5, .3, .27, .24, 10, 370), line((.76, .34), (.7, .96)))],
     [joined(arc(.5, .3, .26, .25, -20, 350), arc(.3, .42, .47, .53, -15, 80))]],
]


def strokes(rng, digit):
    """Segments [n, 2 ends, x and y] in pixels."""
    ways = TEMPLATES[digit]
    parts = ways[rng.integers(len(ways))]
    # A hand's slowly varying error, the same for all strokes.
    waves = rng.normal(0, 0.026, (3, 2))
    phases = rng.uniform(0, 6.3, (3, 2))
    turn, slant = rng.normal(0, 0.13), rng.normal(0.08, 0.16)
    scale = rng.uniform(0.62, 0.9, 2) * (SIZE - 4)
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = rotate @ np.array([[1, -slant], [0, 1]]) @ np.diag(scale)
    shift = SIZE / 2 + rng.uniform(-2.5, 2.5, 2)
    segments = []
    for part in parts:
        points = part + rng.normal(0, 0.012, 2)
        for n in range(3):
            points = points + waves[n] * np.sin((n + 1) * 2.5 * points[:, ::-1] + phases[n])
        points = (points - 0.5) @ matrix.T + shift
        segments.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(segments)


def ink(segments, radius):
    """How much each pixel is covered, 0 to 1: by its distance to the nearest segment."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)[:, None]
    begin, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    squares = np.maximum((along ** 2).sum(axis=1), 1e-6)
    at = np.clip(((pixels - begin) * along).sum(axis=2) / squares, 0, 1)
    distance = np.sqrt((((pixels - begin) - at[..., None] * along) ** 2).sum(axis=2)).min(axis=1)
    return np.clip(radius + 0.5 - distance, 0, 1).reshape(SIZE, SIZE)


def draw(seed, digit):
    """A picture [28, 28] of uint8: dark on bright."""
    rng = np.random.default_rng(seed)
    covered = ink(strokes(rng, digit), rng.uniform(0.7, 1.7))
    for _ in range(rng.integers(0, 3)):  # specks of dust
        place = rng.uniform(0, SIZE, (1, 1, 2)) + rng.normal(0, 0.8, (1, 2, 2))
        covered = np.maximum(covered, 0.8 * ink(place, rng.uniform(0, 0.5)))
    slope = rng.normal(0, 0.05, 2)
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE - 0.5
    paper = rng.uniform(0.75, 1) + slope[0] * x + slope[1] * y
    dark = rng.uniform(0, 0.4)
    picture = paper * (1 - covered) + dark * covered
    picture += rng.normal(0, rng.uniform(0, 0.09), picture.shape)
    return np.clip(np.rint(255 * picture), 0, 255).astype(np.uint8)


def dataset(seed, count):
    """Pictures [count, 28, 28, 1] and digits; each picture has a seed of its own."""
    digits = np.random.default_rng(seed).permutation(np.arange(count) % 10)
    pictures = np.stack([draw((seed, i), digit) for i, digit in enumerate(digits)])
    return pictures[..., None], digits

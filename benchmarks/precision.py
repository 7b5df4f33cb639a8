#!/usr/bin/env python3
"""Work and precision as a picture: precision.py LINES PICTURE.svg [BENCH_LINES]

LINES are those of bench_precision (run, integrator, tolerance, seconds, metres, evaluations, mark);
BENCH_LINES those of the other benchmarks, of which the peers' D1 are taken. Six panels, both axes
logarithmic: down and left is better. A ring is what a user gets without asking. Peers that cannot be
run beside ours are hollow. Prints where the defaults lie, too: what is as exact and quicker, and what is
as quick and more exact.
"""

import math
import sys

TITLES = {
    "rigid": "rigid: Delta D by its torques, 0.2 s",
    "flexible": "flexible: hinged rod, 1 s",
    "flexible chain": "flexible chain: SIAX, six rods, 0.2 s",
    "clearance": "clearance: SIAX, one ball joint, 0.2 s",
    "friction": "friction: SIAX, three motors, 0.2 s",
    "all effects": "all effects: SIAX, scenario 7, 8 ms",
}
COLOURS = {"explicit": "#1f6fb4", "sdirk": "#c8502d", "bdf": "#3a8f3a", "ida": "#8355a6"}
PEER = "#555555"
# Not in Debian, measured on another machine (docs/reference/benchmarks.md): time [s], error [m], name, hollow.
ELSEWHERE = {
    "rigid": [(2.44e-3, 4.8e-7, "Pinocchio 3.7", True), (0.254, 1e-6, "Exudyn 1.11", True)],
    "flexible": [(0.067, 3.5e-5, "Exudyn, 8 cables", True), (0.139, 2.4e-4, "Exudyn, 8 modes", True)],
}
WIDTH, HEIGHT, LEFT, TOP, GAP_X, GAP_Y = 300, 190, 62, 64, 78, 74


def read_runs(path):
    runs = {}
    for line in open(path, encoding="utf-8"):
        part = [x.strip() for x in line.split(",")]
        if len(part) != 7:
            continue
        run, method, tolerance, seconds, error, evaluations, mark = part
        if float(error) > 0.0:
            runs.setdefault(run, []).append((method, float(tolerance), float(seconds), float(error), mark, int(evaluations)))
    return runs


def read_peers(path):
    """D1 of MuJoCo and Simbody, measured in the same run; and ours, with torques by the closed form."""
    out = []
    for line in open(path, encoding="utf-8") if path else []:
        part = [x.strip() for x in line.split(",")]
        if len(part) == 4 and "simulate D1 to 1e-6" in part[0]:
            name = part[0].split(" simulate")[0]
            name = "pkm, D1" if name == "pkm" else name
            out.append((float(part[1]) * 1e-9, float(part[2]), name, False))
    return out


class Panel:
    """A frame with logarithmic axes that hold all points."""

    def __init__(self, x, y, points):
        self.x, self.y = x, y
        self.range = []
        for axis in range(2):
            values = [math.log10(p[axis]) for p in points]
            self.range.append((math.floor(min(values) - 0.15), math.ceil(max(values) + 0.15)))

    def at(self, seconds, metres):
        (a, b), (c, d) = self.range
        return (self.x + WIDTH * (math.log10(seconds) - a) / (b - a),
                self.y + HEIGHT * (d - math.log10(metres)) / (d - c))

    def frame(self, title):
        out = [f'<text x="{self.x}" y="{self.y - 9}" class="title">{title}</text>']
        (a, b), (c, d) = self.range
        for k in range(a, b + 1):
            x = self.at(10.0**k, 10.0**c)[0]
            out.append(f'<line x1="{x:.1f}" y1="{self.y}" x2="{x:.1f}" y2="{self.y + HEIGHT}" class="grid"/>')
            out.append(f'<text x="{x:.1f}" y="{self.y + HEIGHT + 15}" class="tick" text-anchor="middle">{duration(k)}</text>')
        step = 1 if d - c <= 7 else 2 if d - c <= 12 else 3
        for k in range(c, d + 1, step):
            y = self.at(10.0**a, 10.0**k)[1]
            out.append(f'<line x1="{self.x}" y1="{y:.1f}" x2="{self.x + WIDTH}" y2="{y:.1f}" class="grid"/>')
            out.append(f'<text x="{self.x - 6}" y="{y + 4:.1f}" class="tick" text-anchor="end">{length(k)}</text>')
        out.append(f'<rect x="{self.x}" y="{self.y}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>')
        return out


def duration(k):
    return {0: "1 s", 1: "10 s", 2: "100 s", -1: "0.1 s", -2: "10 ms", -3: "1 ms", -4: "0.1 ms"}.get(k, f"1e{k} s")


def length(k):
    return {0: "1 m", -3: "1 mm", -6: "1 um", -9: "1 nm", -12: "1 pm"}.get(k, f"1e{k} m")


def curves(panel, points):
    out = []
    for method, colour in COLOURS.items():
        own = sorted((p for p in points if p[0] == method and p[4] != "default"), key=lambda p: -p[1])
        if own:
            way = " ".join("{:.1f},{:.1f}".format(*panel.at(p[2], p[3])) for p in own)
            out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for p in points:
            if p[0] == method:
                x, y = panel.at(p[2], p[3])
                out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
                if p[4] == "default":
                    out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    return out


def label_place(x, y, name, panel, taken):
    """Where a label meets no other: its anchor and corner."""
    wide = 5.6 * len(name)
    for down in (-7, 16, -20, 29, -33, 42, -46, 55):
        for anchor, left in (("start", x + 7), ("end", x - 7 - wide)):
            box = (left, y + down - 10, left + wide, y + down + 2)
            inside = box[0] > panel.x and box[2] < panel.x + WIDTH and box[1] > panel.y and box[3] < panel.y + HEIGHT
            if inside and not any(box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken):
                taken.append(box)
                return anchor, x + 7 if anchor == "start" else x - 7, y + down
    return "start", x + 7, y - 7


def peers(panel, points, ours):
    """Squares of peers, hollow where they were measured elsewhere; a diamond is our D1."""
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in (panel.at(*p[:2]) for p in points)]
    taken += [(x - 4, y - 4, x + 4, y + 4) for x, y in (panel.at(p[2], p[3]) for p in ours)]
    out = []
    for seconds, metres, name, is_hollow in sorted(points):
        x, y = panel.at(seconds, metres)
        own = name.startswith("pkm")
        colour = COLOURS["explicit"] if own else PEER
        turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if own else ""
        out.append(f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{"white" if is_hollow else colour}" '
                   f'stroke="{colour}" stroke-width="1.4"{turn}/>')
        anchor, at, down = label_place(x, y, name, panel, taken)
        out.append(f'<text x="{at:.1f}" y="{down:.1f}" class="peer" text-anchor="{anchor}">{name}</text>')
    return out


def legend():
    x, out = LEFT, []
    for name, colour in COLOURS.items():
        out.append(f'<circle cx="{x}" cy="20" r="4" fill="{colour}"/><text x="{x + 9}" y="24" class="tick">{name}</text>')
        x += 24 + 8 * len(name)
    out.append(f'<circle cx="{x}" cy="20" r="6" fill="none" stroke="#333" stroke-width="1.5"/><text x="{x + 11}" y="24" class="tick">what a user gets by default</text>')
    x += 200
    out.append(f'<rect x="{x}" y="16" width="8" height="8" fill="{PEER}" stroke="{PEER}"/><text x="{x + 14}" y="24" class="tick">peers, in the same run</text>')
    x += 165
    out.append(f'<rect x="{x}" y="16" width="8" height="8" fill="none" stroke="{PEER}"/><text x="{x + 14}" y="24" class="tick">peers, on an older machine</text>')
    return out


STYLE = """<style>
text { font-family: "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #222 }
.title { font-size: 12.5px; font-weight: bold } .tick { font-size: 10.5px } .peer { font-size: 10px; fill: #444; paint-order: stroke; stroke: white; stroke-width: 3px }
.grid { stroke: #e2e2e2; stroke-width: 1 } .frame { fill: none; stroke: #666; stroke-width: 1 }
</style>"""


def said(point):
    return f"{point[0]} {point[1]:.0e}: {1e3 * point[2]:.3g} ms, {point[3]:.1e} m"


def print_defaults(runs):
    """Of each run the default, the quickest way that is as exact, and the most exact one that is as quick."""
    for name in TITLES:
        points = runs.get(name, [])
        for own in (p for p in points if p[4] == "default"):
            others = [p for p in points if p[4] != "default" and p[:2] != own[:2]]
            exact = [p for p in others if p[3] <= 1.1 * own[3]]
            quick = [p for p in others if p[2] <= 1.1 * own[2]]
            print(f"{name}: by default {said(own)}, {own[5]} evaluations")
            print("    as exact:", said(min(exact, key=lambda p: p[2])) if exact else "nothing")
            print("    as quick:", said(min(quick, key=lambda p: p[3])) if quick else "nothing")


def main():
    runs = read_runs(sys.argv[1])
    print_defaults(runs)
    here = read_peers(sys.argv[3] if len(sys.argv) > 3 else None)
    shown = [name for name in TITLES if name in runs]
    rows = (len(shown) + 2) // 3
    width, height = LEFT + 3 * WIDTH + 2 * GAP_X + 24, TOP + rows * (HEIGHT + GAP_Y) - 22
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">', STYLE,
           f'<rect width="{width}" height="{height}" fill="white"/>', *legend()]
    for k, name in enumerate(shown):
        others = (here if name == "rigid" else []) + ELSEWHERE.get(name, [])
        points = [(p[2], p[3]) for p in runs[name]] + [p[:2] for p in others]
        panel = Panel(LEFT + (k % 3) * (WIDTH + GAP_X), TOP + (k // 3) * (HEIGHT + GAP_Y), points)
        out += panel.frame(TITLES[name]) + curves(panel, runs[name]) + peers(panel, others, runs[name])
        out.append(f'<text x="{panel.x + WIDTH / 2}" y="{panel.y + HEIGHT + 31}" class="tick" text-anchor="middle">time of the steps (processor)</text>')
    out.append("</svg>\n")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out))


if __name__ == "__main__":
    main()

"""Figures of columns without another package: SVG, which notebooks show by themselves."""

from __future__ import annotations

from html import escape
from typing import List, Sequence

import numpy as np

_COLOURS = ("#1b6ca8", "#c8553d", "#2a9d5c", "#8a4fa3", "#b08900", "#4d4d4d")
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 640, 360, 70, 20, 20, 45


def _ticks(low: float, high: float) -> List[float]:
    """Round numbers between two: steps of 1, 2 or 5 times a power of ten, four to ten of them."""
    raw = (high - low) / 5
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * min((s for s in (1, 2, 5, 10) if s * power >= raw), default=10)
    return [float(k * step) for k in range(int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9)) + 1)]


def _range(values: Sequence[np.ndarray]) -> List[float]:
    finite = np.concatenate([v[np.isfinite(v)] for v in values] or [np.zeros(1)])
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    return [low, high] if high > low else [low - 1.0, high + 1.0]


class Figure:
    """Curves over one abscissa; shown by notebooks, or written with :meth:`save`."""

    def __init__(self, x: np.ndarray, curves: Sequence[np.ndarray], names: Sequence[str], label: str):
        xs, ys = _range([x]), _range(curves)
        across = (_WIDTH - _LEFT - _RIGHT) / (xs[1] - xs[0])
        down = (_HEIGHT - _TOP - _BOTTOM) / (ys[1] - ys[0])
        place = lambda v: _LEFT + across * (v - xs[0])  # noqa: E731
        level = lambda v: _HEIGHT - _BOTTOM - down * (v - ys[0])  # noqa: E731
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" '
               f'font-size="12"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>']
        for v in _ticks(*xs):
            out.append(f'<path d="M{place(v):.2f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#ddd"/>'
                       f'<text x="{place(v):.2f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{v:.6g}</text>')
        for v in _ticks(*ys):
            out.append(f'<path d="M{_LEFT} {level(v):.2f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>'
                       f'<text x="{_LEFT - 6}" y="{level(v) + 4:.2f}" text-anchor="end">{v:.6g}</text>')
        for k, (curve, name) in enumerate(zip(curves, names)):
            colour = _COLOURS[k % len(_COLOURS)]
            points = " ".join(f"{place(a):.2f},{level(b):.2f}" for a, b in zip(x, curve) if np.isfinite(a) and np.isfinite(b))
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                       f'<text x="{_LEFT + 8}" y="{_TOP + 16 + 16 * k}" fill="{colour}">{escape(name)}</text>')
        out.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(label)}'
                   "</text></svg>")
        self.svg: str = "".join(out)

    def _repr_svg_(self) -> str:
        """What notebooks ask for."""
        return self.svg

    def save(self, path: str) -> None:
        """Write the picture as an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


__all__ = ["Figure"]

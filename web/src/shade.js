/// A colour of the scale from 0 to 1, from dark blue over green to yellow: the same as in the SVG maps.
export function shade(s) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.min(Math.max(s, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2), f = at - k;
  return stops[k].map((c, i) => Math.round(c + f * (stops[k + 1][i] - c)));
}

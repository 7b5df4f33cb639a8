// A way round: from where the robot stands well to where it was wanted, without coming near a singularity.

const most = 0.75; // of the level that the way may come to, unless it begins or ends higher
const coarse = 20, fine = 60;

/// Unit vectors across `along` in the coordinates that are free, axes first, then in between.
export function across(along, free) {
  const n = along.length, size = Math.hypot(...along) || 1, unit = along.map((v) => v / size), list = [];
  const add = (v) => {
    const masked = v.map((c, k) => (free[k] ? c : 0)), part = masked.reduce((sum, c, k) => sum + c * unit[k], 0);
    const rest = masked.map((c, k) => c - part * unit[k]), length = Math.hypot(...rest);
    if (length < 0.3) return;
    const u = rest.map((c) => c / length);
    if (!list.some((other) => Math.abs(other.reduce((sum, c, k) => sum + c * u[k], 0)) > 0.98)) list.push(u);
  };
  const axis = (k, s = 1) => Array.from({ length: n }, (_, i) => (i === k ? s : 0));
  for (let k = 0; k < n; ++k) add(axis(k));
  for (let k = 0; k < n; ++k) for (let j = k + 1; j < n; ++j) for (const s of [1, -1]) add(axis(k).map((c, i) => (c + axis(j, s)[i]) / Math.SQRT2));
  return list.flatMap((u) => [u, u.map((c) => -c)]);
}

/// Points of the way: the straight one, bent aside by `by` in its middle.
export const bent = (from, to, by, n) => Array.from({ length: n }, (_, i) => {
  const s = (i + 1) / n;
  return from.map((v, k) => v + s * (to[k] - v) + Math.sin(Math.PI * s) * by[k]);
});

/// Follow a way with the engine: {ok, worst}, and where it came to.
async function follow(space, start, way, limit) {
  let answer = await space.stand(start), worst = answer.frame.level;
  for (const x of way) {
    answer = await space.go(x);
    if (!answer.ok || !(answer.frame.level <= limit)) return { ok: false };
    worst = Math.max(worst, answer.frame.level);
  }
  return { ok: true, worst, frame: answer.frame };
}

/// Look for a way in `space` ({from, to, free, scale, start, stand(q), go(x)}): among those bent aside by
/// the same amount the one that keeps farthest away; null where none is found.
export async function findWay(space) {
  const { from, to, scale } = space;
  const along = to.map((v, k) => (v - from[k]) / scale[k]), sides = across(along, space.free);
  const high = Math.max(most, (await space.stand(space.start)).frame.level + 0.02);
  for (const amount of [0.15, 0.3, 0.6, 1, 1.6, 2.4, 3.5]) {
    let best = null;
    for (const side of sides) {
      const by = side.map((c, k) => c * amount * scale[k]);
      const seen = await follow(space, space.start, bent(from, to, by, coarse), high);
      if (seen.ok && (!best || seen.worst < best.worst)) best = { ...seen, by };
    }
    if (!best) continue;
    const way = bent(from, to, best.by, fine), sure = await follow(space, space.start, way, high);
    if (sure.ok) return { way, worst: sure.worst, frame: sure.frame };
  }
  return null;
}

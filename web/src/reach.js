// What the tool reaches, as geometry: slices of a map, coloured and cut where the reach ends, and the border of a box.
import * as THREE from "three";
import { shade } from "./shade.js";

/// A map of scene.json unpacked: `inside(i, j, k)` and where the border is between neighbours.
export class Reach {
  constructor(map) {
    this.map = map;
    this.n = map.points;
    this.step = [0, 1, 2].map((k) => (this.n[k] > 1 ? (map.to[k] - map.from[k]) / (this.n[k] - 1) : 0));
    this.stride = [1, this.n[0], this.n[0] * this.n[1]];
    this.there = new Uint8Array(this.n[0] * this.n[1] * this.n[2]);
    let at = 0;
    map.runs.forEach((length, r) => (this.there.fill(r % 2, at, at + length), at += length));
    this.edges = new Map(); // 3 point + axis: part of the way to the next point
    let next = 0;
    for (let row = 0; row < this.there.length; ++row)
      for (let k = 0; k < 3; ++k)
        if (this.place(row)[k] + 1 < this.n[k] && this.there[row] !== this.there[row + this.stride[k]]) this.edges.set(3 * row + k, map.edges[next++]);
  }

  place(row) {
    return [row % this.n[0], Math.floor(row / this.n[0]) % this.n[1], Math.floor(row / this.stride[2])];
  }

  /// Where point `row` is, moved by `part` of the way to the next along `axis`.
  at(row, axis = 0, part = 0) {
    const p = this.place(row).map((i, k) => this.map.from[k] + i * this.step[k]);
    p[axis] += part * this.step[axis];
    return p;
  }

  /// Some two hundred points of the border, or of what is reached where it has none in the map.
  someOfBorder() {
    const border = [...this.edges].map(([key, part]) => this.at((key - (key % 3)) / 3, key % 3, part));
    const all = border.length ? border : [...this.there.keys()].filter((row) => this.there[row]).map((row) => this.at(row));
    return all.filter((_, i) => i % Math.ceil(all.length / 200) === 0);
  }

  /// Polygons of the part of a slice in reach, a cell each: [[x, y, z, value] ...]; and the pieces of its border.
  cut({ across, place, values }) {
    const [u, v] = [0, 1, 2].filter((k) => k !== across), cells = [], border = [];
    const value = (row) => values[Math.floor(row / this.stride[u]) % this.n[u] + (Math.floor(row / this.stride[v]) % this.n[v]) * this.n[u]];
    for (let j = 0; j + 1 < this.n[v]; ++j)
      for (let i = 0; i + 1 < this.n[u]; ++i) {
        const row = i * this.stride[u] + j * this.stride[v] + place * this.stride[across], a = this.stride[u], b = this.stride[v];
        const ring = [[row, u, row + a], [row + a, v, row + a + b], [row + b, u, row + a + b], [row, v, row + b]]; // edges: lower end, axis, upper end
        const from = [row, row + a, row + a + b, row + b], corner = from.filter((p) => this.there[p]);
        if (!corner.length) continue;
        const near = corner.map(value).reduce((s, x) => s + x, 0) / corner.length, polygon = [], crossings = [];
        from.forEach((p, e) => {
          if (this.there[p]) polygon.push([...this.at(p), value(p)]);
          const [low, axis] = ring[e], part = this.edges.get(3 * low + axis);
          if (part === undefined) return;
          polygon.push([...this.at(low, axis, part), near]);
          crossings.push(this.at(low, axis, part));
        });
        cells.push(polygon);
        if (crossings.length === 2) border.push(crossings);
      }
    return { cells, border };
  }

  /// The border of a box as triangles: a point in each cell that it passes, the mean of where it crosses the cell's edges.
  surface() {
    const points = [], index = new Map(), triangles = [];
    const corner = (row, c) => row + [0, 1, 2].reduce((sum, k) => sum + ((c >> k) & 1) * this.stride[k], 0);
    for (let row = 0; row < this.there.length; ++row) {
      if (this.place(row).some((i, k) => i + 1 >= this.n[k])) continue;
      const sum = [0, 0, 0];
      let n = 0;
      for (let c = 0; c < 8; ++c)
        for (let k = 0; k < 3; ++k) {
          const part = (c >> k) & 1 ? undefined : this.edges.get(3 * corner(row, c) + k);
          if (part === undefined) continue;
          this.at(corner(row, c), k, part).forEach((x, d) => (sum[d] += x));
          ++n;
        }
      if (n) index.set(row, points.push(sum.map((x) => x / n)) - 1);
    }
    for (const key of this.edges.keys()) {
      const k = key % 3, row = (key - k) / 3, u = this.stride[(k + 1) % 3], v = this.stride[(k + 2) % 3];
      const cells = [row - u - v, row - v, row, row - u].map((r) => index.get(r));
      if (cells.some((i) => i === undefined)) continue;
      const [a, b, c, d] = this.there[row] ? cells : cells.reverse();
      triangles.push(a, b, c, a, c, d);
    }
    return { points, triangles };
  }
}

/// How values are coloured: a function to 0 ... 1, and the ends of the scale.
export function colouring(slices, log) {
  const all = slices.flatMap(({ values }) => values).filter((x) => x !== null && isFinite(x) && (!log || x > 0)).sort((a, b) => a - b);
  const low = all[0] ?? 0, high = all[Math.floor(0.95 * (all.length - 1))] ?? 1, of = log ? Math.log : (x) => x;
  return { low, high, level: (x) => (high > low ? (of(x) - of(low)) / (of(high) - of(low)) : 0) };
}

const geometryOf = (points, colours) => {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points.flat(), 3));
  if (colours) geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  return geometry;
};

/// A slice as a mesh in colours, and its border as lines.
export function sliceObjects(reach, slice, { level }) {
  const { cells, border } = reach.cut(slice), points = [], colours = [], colour = new THREE.Color();
  for (const cell of cells)
    for (let i = 2; i < cell.length; ++i)
      for (const [x, y, z, value] of [cell[0], cell[i - 1], cell[i]]) {
        points.push([x, y, z]);
        colour.setRGB(...shade(level(value)).map((c) => c / 255), THREE.SRGBColorSpace);
        colours.push(colour.r, colour.g, colour.b);
      }
  const paint = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide, transparent: true, opacity: 0.72, depthWrite: false });
  const mesh = new THREE.Mesh(geometryOf(points, colours), paint);
  const line = new THREE.LineSegments(geometryOf(border.flat()), new THREE.LineBasicMaterial({ color: 0x5b6b7a }));
  mesh.renderOrder = 1;
  return [mesh, line];
}

/// The border of a box as a thin shell.
export function surfaceObject(reach, colour) {
  const { points, triangles } = reach.surface();
  const geometry = geometryOf(points);
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  const shell = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.16, side: THREE.DoubleSide, depthWrite: false, roughness: 0.8 }));
  shell.renderOrder = 2;
  return shell;
}

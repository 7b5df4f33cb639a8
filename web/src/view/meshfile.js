// Shapes from files of the reader: STL (text and binary) and glTF 2.0 (.glb, or .gltf with its data inside). Geometry
// and plain colours only; textures are left out, so nothing has to be fetched.
import * as THREE from "three";

const text = (bytes) => new TextDecoder().decode(bytes);

/// Corners of the triangles of an STL file, nine numbers each.
export function readStl(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), n = bytes.length >= 84 ? view.getUint32(80, true) : 0;
  const corners = [];
  if (bytes.length >= 84 && bytes.length === 84 + 50 * n) {
    for (let f = 0; f < n; ++f) for (let k = 3; k < 12; ++k) corners.push(view.getFloat32(84 + 50 * f + 4 * k, true));
  } else {
    const number = "([-+.\\deE]+)", vertex = new RegExp(`vertex\\s+${number}\\s+${number}\\s+${number}`, "g");
    for (const [, x, y, z] of text(bytes).matchAll(vertex)) corners.push(Number(x), Number(y), Number(z));
  }
  if (!corners.length || corners.length % 9 || !corners.every(isFinite)) throw new Error("this is no STL file with triangles");
  return corners;
}

function stlObject(bytes, paint) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(readStl(bytes), 3));
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, paint);
}

// ---- glTF -------------------------------------------------------------------------------------

/// The two chunks of a .glb file.
function openGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let json = null, data = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at, true), kind = view.getUint32(at + 4, true), part = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 0x4e4f534a) json = JSON.parse(text(part));
    if (kind === 0x004e4942) data = part;
    at += 8 + length;
  }
  return { json, buffers: [data] };
}

function openGltf(bytes) {
  const json = JSON.parse(text(bytes));
  const buffers = (json.buffers ?? []).map(({ uri }) => {
    const match = /^data:[^,]*;base64,(.*)$/s.exec(uri ?? "");
    if (!match) throw new Error("its data are in another file; a .glb has everything in one");
    return Uint8Array.from(atob(match[1]), (c) => c.charCodeAt(0));
  });
  return { json, buffers };
}

const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const reads = { 5120: ["getInt8", 1], 5121: ["getUint8", 1], 5122: ["getInt16", 2], 5123: ["getUint16", 2], 5125: ["getUint32", 4], 5126: ["getFloat32", 4] };

function accessor({ json, buffers }, index) {
  const a = json.accessors[index], view = json.bufferViews[a.bufferView], n = sizes[a.type], [get, size] = reads[a.componentType];
  const bytes = buffers[view.buffer ?? 0], data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stride = view.byteStride ?? n * size, start = (view.byteOffset ?? 0) + (a.byteOffset ?? 0), out = [];
  for (let i = 0; i < a.count; ++i) for (let k = 0; k < n; ++k) out.push(data[get](start + i * stride + k * size, true));
  return out;
}

function primitive(file, part) {
  if ((part.mode ?? 4) !== 4) return null; // triangles only
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(accessor(file, part.attributes.POSITION), 3));
  if (part.indices !== undefined) geometry.setIndex(accessor(file, part.indices));
  if (part.attributes.NORMAL !== undefined) geometry.setAttribute("normal", new THREE.Float32BufferAttribute(accessor(file, part.attributes.NORMAL), 3));
  else geometry.computeVertexNormals();
  const colour = file.json.materials?.[part.material]?.pbrMetallicRoughness?.baseColorFactor ?? [0.7, 0.72, 0.75, 1];
  const paint = new THREE.MeshStandardMaterial({ roughness: 0.7, metalness: 0.1, transparent: colour[3] < 1, opacity: colour[3], side: THREE.DoubleSide, shadowSide: THREE.BackSide });
  paint.color.setRGB(colour[0], colour[1], colour[2]);
  return new THREE.Mesh(geometry, paint);
}

function node(file, index, depth = 0) {
  const { json } = file, { mesh, matrix, translation, rotation, scale, children = [] } = json.nodes[index], object = new THREE.Group();
  if (depth > 60) throw new Error("its nodes go round in a circle");
  if (matrix) new THREE.Matrix4().fromArray(matrix).decompose(object.position, object.quaternion, object.scale);
  if (translation) object.position.fromArray(translation);
  if (rotation) object.quaternion.fromArray(rotation);
  if (scale) object.scale.fromArray(scale);
  if (mesh !== undefined) object.add(...json.meshes[mesh].primitives.map((part) => primitive(file, part)).filter(Boolean));
  if (children.length) object.add(...children.map((child) => node(file, child, depth + 1)));
  return object;
}

function gltfObject(bytes) {
  const file = text(bytes.subarray(0, 4)) === "glTF" ? openGlb(bytes) : openGltf(bytes), { json } = file;
  if (!json?.asset?.version?.startsWith("2")) throw new Error("this is no glTF 2.0 file");
  const nodes = json.nodes ?? [], below = new Set(nodes.flatMap(({ children }) => children ?? []));
  const list = json.scenes?.[json.scene ?? 0]?.nodes ?? nodes.map((_, k) => k).filter((k) => !below.has(k)), root = new THREE.Group();
  root.add(...list.map((k) => node(file, k)));
  root.rotation.x = 0.5 * Math.PI; // glTF has y upwards, robots have z
  return root;
}

/// The shape in a file, z upwards, in the file's own lengths: metres for glTF.
export function readMesh(name, bytes) {
  const paint = new THREE.MeshStandardMaterial({ color: 0x9aa7b3, roughness: 0.75, metalness: 0.05, side: THREE.DoubleSide, shadowSide: THREE.BackSide });
  const object = /\.stl$/i.test(name) ? stlObject(bytes, paint) : gltfObject(bytes), holder = new THREE.Group();
  holder.add(object);
  holder.traverse((mesh) => Object.assign(mesh, { castShadow: true, receiveShadow: true }));
  return holder;
}

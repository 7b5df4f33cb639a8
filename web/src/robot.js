// The robot as objects of three.js: shapes of its bodies, balls and pins at its joints, its base.
import * as THREE from "three";

export const colours = { base: 0x4a5763, driven: 0x3d4a56, link: 0xb4bfc9, tool: 0x0072b2, joint: 0x66737f };

const vec = (a) => new THREE.Vector3(a[0], a[1], a[2]);
const quat = (a) => new THREE.Quaternion(a[1], a[2], a[3], a[0]);

function material(colour, ghost) {
  if (ghost)
    return new THREE.MeshBasicMaterial({ color: 0x7d8b98, transparent: true, opacity: 0.2, depthWrite: false });
  return new THREE.MeshStandardMaterial({ color: colour, roughness: 0.55, metalness: 0.15 });
}

/// A round bar between two points.
function bar(from, to, radius, paint) {
  const axis = to.clone().sub(from), length = axis.length();
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 28), paint);
  mesh.position.copy(from).addScaledVector(axis, 0.5);
  if (length > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
  return mesh;
}

function ball(at, radius, paint) {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), paint);
  mesh.position.copy(at);
  return mesh;
}

function shapeMesh(shape, paint) {
  if (shape.from && shape.to) return bar(vec(shape.from), vec(shape.to), shape.radius, paint);
  if (shape.kind === "sphere") return ball(vec(shape.at), shape.radius, paint);
  if (shape.kind === "box") {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(...shape.size), paint);
    mesh.position.copy(vec(shape.at));
    mesh.quaternion.copy(quat(shape.turn));
    return mesh;
  }
  if (shape.kind === "mesh") {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.triangles.flat(), 3));
    geometry.computeVertexNormals();
    return new THREE.Mesh(geometry, paint);
  }
  return null;
}

/// Where joints touch body `b`, in its axes.
function touches(scene, b) {
  return scene.joints.flatMap((j) => [...(j.a === b ? [vec(j.at_a)] : []), ...(j.b === b ? [vec(j.at_b)] : [])]);
}

/// A body without shapes: bars from its joints to their middle.
function skeleton(points, radius, paint) {
  const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).multiplyScalar(1 / points.length);
  if (points.length === 2) return [bar(points[0], points[1], radius, paint)];
  return points.filter((p) => p.distanceTo(middle) > radius).map((p) => bar(p, middle, radius, paint));
}

/// The largest radius of a bar of body `b`; the looks of joints follow from it.
function thickness(scene, b, fallback) {
  const radii = (scene.bodies[b]?.shapes ?? []).filter((s) => s.from).map((s) => s.radius);
  return radii.length ? Math.min(Math.max(...radii), 2.5 * fallback) : fallback;
}

export function drivenBodies(scene) {
  const joints = new Set(scene.drives.map((d) => d.joint));
  return new Set(scene.joints.flatMap((j, k) => (joints.has(k) ? [j.a, j.b] : [])));
}

/// One group per body, in the order of the scene; `size` is a length of the robot [m].
export function makeBodies(scene, size, ghost) {
  const driven = drivenBodies(scene);
  return scene.bodies.map((body, b) => {
    const group = new THREE.Group();
    if (b === 0) return group;
    const isTool = scene.tool?.body === b;
    const paint = material(isTool ? colours.tool : driven.has(b) ? colours.driven : colours.link, ghost);
    Object.assign(paint, { polygonOffset: !ghost, polygonOffsetUnits: -8 * b }); // planar links lie in one plane: one of them is in front
    const bends = !ghost && scene.film?.bends?.some((bend) => bend.body === b);
    for (const shape of body.shapes) {
      if (bends && shape.from) continue; // drawn as it bends
      const mesh = shapeMesh(shape, paint);
      if (mesh) group.add(mesh);
    }
    if (!group.children.length && !bends) for (const part of skeleton(touches(scene, b), 0.012 * size, paint)) group.add(part);
    group.traverse((object) => (object.castShadow = !ghost));
    return group;
  });
}

/// A link that bends: a round bar along points that change, on the group of its body.
export class BentBar {
  constructor(scene, bend, group, driven) {
    this.bend = bend;
    const bars = (scene.bodies[bend.body].shapes ?? []).filter((s) => s.from);
    this.radius = bars.length ? Math.max(...bars.map((s) => s.radius)) : bend.radius;
    this.along = 4 * (bend.points.length - 1) + 1;
    this.around = 20;
    const index = [];
    for (let i = 0; i + 1 < this.along; ++i)
      for (let k = 0; k < this.around; ++k) {
        const a = i * this.around + k, b = i * this.around + ((k + 1) % this.around);
        index.push(a, b, a + this.around, b, b + this.around, a + this.around);
      }
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(3 * this.along * this.around, 3));
    this.geometry.setIndex(index);
    const mesh = new THREE.Mesh(this.geometry, material(driven ? colours.driven : colours.link));
    mesh.material.side = THREE.DoubleSide;
    mesh.castShadow = true;
    mesh.frustumCulled = false;
    group.add(mesh);
    const [from, to] = [vec(bend.points[0]), vec(bend.points[bend.points.length - 1])];
    const axis = to.sub(from).normalize();
    this.u = new THREE.Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).cross(axis).normalize();
    this.v = axis.clone().cross(this.u);
    const rest = bend.points.map(vec), nearest = (at) => rest.reduce((best, p, i) => (p.distanceTo(at) < rest[best].distanceTo(at) ? i : best), 0);
    this.riders = group.children.filter((part) => part.userData.joint !== undefined).map((part) => ({ part, at: part.position.clone(), i: nearest(part.position) }))
      .filter(({ at, i }) => rest[i].distanceTo(at) < 4 * this.radius); // joints on this line, which go with it
  }

  /// Put it along `points`, smoothly.
  follow(points) {
    const curve = new THREE.CatmullRomCurve3(points);
    const position = this.geometry.attributes.position;
    const at = new THREE.Vector3();
    for (let i = 0; i < this.along; ++i) {
      curve.getPoint(i / (this.along - 1), at);
      for (let k = 0; k < this.around; ++k) {
        const angle = (2 * Math.PI * k) / this.around, c = this.radius * Math.cos(angle), s = this.radius * Math.sin(angle);
        position.setXYZ(i * this.around + k, at.x + c * this.u.x + s * this.v.x, at.y + c * this.u.y + s * this.v.y, at.z + c * this.u.z + s * this.v.z);
      }
    }
    position.needsUpdate = true;
    this.geometry.computeVertexNormals();
    for (const { part, at: start, i } of this.riders) part.position.copy(start).add(points[i]).sub(vec(this.bend.points[i]));
  }
}

/// Balls and pins, each on the body its side b belongs to; that of side a where b bends.
export function addJoints(scene, groups, size) {
  const paint = material(colours.joint);
  scene.joints.forEach((joint, index) => {
    if (joint.type === "fixed" || joint.type === "distance" || joint.type === "free") return;
    const add = (mesh) => {
      mesh.userData.joint = index;
      group.add(mesh);
    };
    const r = 1.3 * Math.min(thickness(scene, joint.b, 0.01 * size), thickness(scene, joint.a || joint.b, 0.01 * size));
    const onA = joint.a !== 0 && scene.film?.bends?.some((bend) => bend.body === joint.b);
    const group = groups[onA ? joint.a : joint.b], at = vec(onA ? joint.at_a : joint.at_b);
    const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(onA ? joint.turn_a : joint.turn_b));
    if (joint.type === "spherical" || joint.type === "universal") add(ball(at, r, paint));
    else if ((joint.type === "revolute" || joint.type === "screw") && joint.a !== 0) {
      add(bar(at.clone().addScaledVector(axis, -1.3 * r), at.clone().addScaledVector(axis, 1.3 * r), r, paint));
    }
  });
}

/// What is stretched anew at every frame: massless rods, and bars between the parts of slides that both move.
export function makeRods(scene, size) {
  const isRod = (joint) => joint.type === "distance";
  const isSlide = (joint) => slides(joint) && joint.a !== 0 && joint.b !== 0;
  return scene.joints.filter((joint) => isRod(joint) || isSlide(joint)).map((joint) => {
    const radius = (isRod(joint) ? 0.008 : 0.011) * size;
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 16), material(isRod(joint) ? colours.link : colours.joint));
    mesh.castShadow = true;
    if (isSlide(joint)) mesh.userData.joint = scene.joints.indexOf(joint);
    return { joint, mesh };
  });
}

const slides = (joint) => joint.type === "prismatic" || joint.type === "cylindrical";

/// Displacement of a slide on the ground along its axis [m], with the bodies where `groups` are.
export function slideAt(joint, groups) {
  const onGround = joint.a === 0;
  const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(onGround ? joint.turn_a : joint.turn_b));
  const point = vec(onGround ? joint.at_b : joint.at_a).applyMatrix4(groups[onGround ? joint.b : joint.a].matrixWorld);
  return point.sub(vec(onGround ? joint.at_a : joint.at_b)).dot(axis);
}

/// Points of the robot where `groups` are: joints, ends of shapes.
export function robotPoints(scene, groups) {
  const points = [];
  for (const joint of scene.joints)
    points.push(vec(joint.at_a).applyMatrix4(groups[joint.a].matrixWorld), vec(joint.at_b).applyMatrix4(groups[joint.b].matrixWorld));
  scene.bodies.forEach((body, b) => body.shapes.forEach((shape) => {
    for (const point of [shape.from, shape.to, shape.at]) if (point) points.push(vec(point).applyMatrix4(groups[b].matrixWorld));
  }));
  return points;
}

/// Something to look at where a robot has no points.
export const somewhere = () => [new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)];

export function stretchRod(rod, groups) {
  const a = vec(rod.joint.at_a).applyMatrix4(groups[rod.joint.a].matrixWorld);
  const b = vec(rod.joint.at_b).applyMatrix4(groups[rod.joint.b].matrixWorld);
  const axis = b.clone().sub(a), length = axis.length();
  rod.mesh.position.copy(a).addScaledVector(axis, 0.5);
  rod.mesh.scale.set(1, Math.max(length, 1e-9), 1);
  if (length > 0) rod.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
}

/// The base: motors, rails and the frame between the points where the ground carries the robot.
/// `travel(joint)` gives the least and largest displacement of a slide along its axis.
export function makeBase(scene, size, travel) {
  const group = new THREE.Group();
  const paint = material(colours.base);
  scene.bodies[0].shapes.forEach((shape) => {
    const mesh = shapeMesh(shape, paint);
    if (mesh) group.add(mesh);
  });
  const bare = group.children.length === 0;
  const points = [];
  scene.joints.forEach((joint) => {
    if (joint.a !== 0 && joint.b !== 0) return;
    const at = vec(joint.a === 0 ? joint.at_a : joint.at_b);
    const axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quat(joint.a === 0 ? joint.turn_a : joint.turn_b));
    const other = joint.a === 0 ? joint.b : joint.a;
    const r = 1.35 * thickness(scene, other, 0.016 * size);
    if (!slides(joint)) points.push(at); // a rail starts anywhere
    if (slides(joint)) {
      const [low, high] = travel(joint);
      group.add(bar(at.clone().addScaledVector(axis, low - 0.06 * size), at.clone().addScaledVector(axis, high + 0.06 * size), 0.011 * size, paint));
    } else if (joint.type === "revolute" || joint.type === "screw") {
      group.add(bar(at.clone().addScaledVector(axis, -1.9 * r), at.clone().addScaledVector(axis, 1.9 * r), r, paint));
    } else group.add(ball(at, r, paint));
  });
  if (bare) for (const part of frameBetween(points, 0.012 * size, paint)) group.add(part);
  group.traverse((object) => (object.castShadow = true));
  return group;
}

/// Bars around three or more points, in the order of their angle about their middle.
function frameBetween(points, radius, paint) {
  if (points.length < 2) return [];
  const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).multiplyScalar(1 / points.length);
  const angle = (p) => Math.atan2(p.y - middle.y, p.x - middle.x);
  const ring = [...points].sort((p, q) => angle(p) - angle(q));
  const bars = [];
  for (let k = 0; k < ring.length - (ring.length === 2 ? 1 : 0); ++k) {
    const next = ring[(k + 1) % ring.length];
    if (ring[k].distanceTo(next) > radius) bars.push(bar(ring[k], next, radius, paint));
  }
  return bars;
}

// ---- poses ------------------------------------------------------------------------------------

/// The axis of the rod a body is, in its own axes, or null: about it the body may spin, and no one sees.
export function spinAxis(scene, b) {
  const balls = scene.joints.filter((j) => (j.a === b || j.b === b) && (j.type === "spherical" || j.type === "universal"));
  if (balls.length !== 2) return null;
  const [p, q] = balls.map((j) => vec(j.b === b ? j.at_b : j.at_a));
  const axis = q.sub(p);
  return axis.length() > 0 ? axis.normalize() : null;
}

export { vec, quat, bar, ball, material };

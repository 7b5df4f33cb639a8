// What every stage shares, that of a report and that of the page led by hand: camera and standard views, light, floor, grid, poses.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { addJoints, colours, makeBase, makeBodies, makeRods } from "./robot.js";

export const themes = {
  light: { sky: 0xffffff, ground: 0xc9d3dc, hemi: 2.1, sun: 2.4, shadow: 0.14, grid: [0.83, 0.86, 0.89], fade: [1, 1, 1],
    robot: { base: 0x4a5763, driven: 0x3d4a56, link: 0xb4bfc9, tool: 0x0072b2, joint: 0x66737f } },
  dark: { sky: 0xdfe9f5, ground: 0x2a3644, hemi: 1.5, sun: 2.6, shadow: 0.38, grid: [0.055, 0.075, 0.1], fade: [0.075, 0.1, 0.13],
    robot: { base: 0x6b7a89, driven: 0x8796a6, link: 0xccd5de, tool: 0x3aa0e0, joint: 0x93a1af } },
};
/// 1, 2 or 5 times a power of ten, near `x`.
export function roundNumber(x) {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

export const directions = { corner: [0.75, -1, 0.42], front: [0, -1, 0.02], side: [1, 0, 0.02], top: [0, -0.001, 1] };

/// Needs of its children: `points` and `box` of what is shown, `size` [m], requestFrame().
export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = this.makeRenderer(canvas);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.camera = new THREE.PerspectiveCamera(28, 1.5, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.world = new THREE.Scene();
    this.margin = [0.78, 1]; // of the picture that may be filled: its height, and its width beyond that
  }

  /// Without WebGL everything works but the picture; `blind` says why.
  makeRenderer(canvas) {
    try {
      return new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch (error) {
      this.blind = error;
      const nothing = () => {};
      const place = (world, camera) => [world, camera].forEach((object) => object.updateMatrixWorld());
      return { shadowMap: {}, xr: {}, setPixelRatio: nothing, setSize: nothing, render: place, setAnimationLoop: nothing };
    }
  }

  /// The robot of `scene` in the colours of `theme`, as a list of objects: `groups` by body, `rods`, `base`; each mesh knows its body.
  /// `travel(joint)` as for makeBase.
  makeRobot(scene, theme, travel) {
    const mark = (object, body) => object.traverse((mesh) => (mesh.userData.body = body));
    Object.assign(colours, theme.robot);
    this.groups = makeBodies(scene, 0.5 * this.size, false);
    addJoints(scene, this.groups, 0.5 * this.size);
    this.groups.forEach(mark);
    this.rods = makeRods(scene, 0.5 * this.size);
    this.base = makeBase(scene, 0.5 * this.size, travel);
    mark(this.base, 0);
    this.base.updateMatrixWorld(true);
    return [...this.groups, ...this.rods.map((rod) => rod.mesh), this.base];
  }

  isFlat() {
    const size = this.box.getSize(new THREE.Vector3());
    return size.z < 0.06 * Math.max(size.x, size.y);
  }

  // ---- poses ----------------------------------------------------------------------------------

  placeOne(object, poses, b) {
    const k = 7 * b;
    object.position.set(poses[k], poses[k + 1], poses[k + 2]);
    object.quaternion.set(poses[k + 4], poses[k + 5], poses[k + 6], poses[k + 3]);
    object.updateMatrix();
    object.matrixWorld.copy(object.matrix);
  }

  placeOn(groups, poses) {
    groups[0]?.matrixWorld.copy(groups[0].matrix); // in the axes of the robot, wherever a headset has put it
    for (let b = 1; b < groups.length; ++b) this.placeOne(groups[b], poses, b);
  }

  // ---- light ----------------------------------------------------------------------------------

  /// Sun, sky, floor and grid below what is shown, in `root`.
  addLights(root, theme) {
    const { size } = this, middle = this.box.getCenter(new THREE.Vector3());
    root.add(new THREE.HemisphereLight(theme.sky, theme.ground, theme.hemi));
    const sun = new THREE.DirectionalLight(0xffffff, theme.sun);
    sun.position.copy(middle).add(new THREE.Vector3(0.5 * size, -0.7 * size, 1.6 * size));
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 6;
    sun.shadow.normalBias = 0.004 * size;
    Object.assign(sun.shadow.camera, { left: -size, right: size, top: size, bottom: -size, near: 0.01 * size, far: 5 * size });
    this.floorAt = this.box.min.z - 0.06 * size;
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(12 * size, 12 * size), new THREE.ShadowMaterial({ color: 0x0b2239, opacity: theme.shadow }));
    floor.position.set(middle.x, middle.y, this.floorAt);
    floor.receiveShadow = true;
    this.ground = new THREE.Group(); // sinks with a robot that reaches below it
    this.ground.add(floor, this.makeGrid(middle, this.floorAt, theme));
    root.add(sun, sun.target, this.ground);
  }

  /// Lines on the floor, a round distance apart, that fade out.
  makeGrid(middle, z, theme) {
    const step = roundNumber(this.size / 12), n = 14;
    this.gridStep = step;
    const cx = Math.round(middle.x / step) * step, cy = Math.round(middle.y / step) * step;
    const positions = [], shades = [];
    const fade = (a, b) => Math.max(0, 1 - Math.hypot(a, b) / n);
    const point = (i, j) => {
      positions.push(cx + i * step, cy + j * step, z);
      shades.push(...theme.grid, fade(i, j));
    };
    for (let i = -n; i <= n; ++i)
      for (let j = -n; j < n; ++j) {
        point(i, j); point(i, j + 1);
        point(j, i); point(j + 1, i);
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(shades, 4));
    const grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    grid.renderOrder = -1;
    return grid;
  }

  // ---- camera ---------------------------------------------------------------------------------

  lookFrom(side) {
    const middle = this.box.getCenter(new THREE.Vector3()), direction = new THREE.Vector3(...directions[side]).normalize();
    this.side = side;
    const distance = this.distanceToSee(middle, direction);
    this.camera.near = 0.02 * distance;
    this.camera.far = 14 * distance;
    this.camera.position.copy(middle).addScaledVector(direction, distance);
    this.camera.updateProjectionMatrix();
    this.orbit.target.copy(middle);
    this.orbit.update();
    this.requestFrame();
  }

  /// How far away all points of the robot are in the picture, with a margin.
  distanceToSee(middle, direction) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const high = Math.tan((0.5 * this.camera.fov * Math.PI) / 180) * this.margin[0], wide = high * this.camera.aspect * this.margin[1];
    let most = 0.1 * this.size;
    for (const point of this.points) {
      const p = point.clone().sub(middle);
      most = Math.max(most, p.dot(direction) + Math.max(Math.abs(p.dot(up)) / high, Math.abs(p.dot(right)) / wide));
    }
    return most;
  }
}

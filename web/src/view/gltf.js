// The robot as glTF: where it stands, or a run as an animation. Written with y upwards, in metres.
import * as THREE from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { stretchRod } from "../robot.js";

/// What is seen of an object as plain meshes; marks and lights stay behind.
function plain(object) {
  const copy = new THREE.Group();
  object.updateMatrixWorld(true);
  const inverse = object.matrixWorld.clone().invert();
  object.traverse((mesh) => {
    if (!mesh.isMesh || !mesh.visible || !mesh.material?.isMeshStandardMaterial) return;
    const part = new THREE.Mesh(mesh.geometry, new THREE.MeshStandardMaterial({ color: mesh.material.color, roughness: mesh.material.roughness, metalness: mesh.material.metalness }));
    inverse.clone().multiply(mesh.matrixWorld).decompose(part.position, part.quaternion, part.scale);
    copy.add(part);
  });
  return copy;
}

/// Tracks of the groups through the frames of a run.
function clipOf(film, magnification, moving, groups) {
  const times = film.t.map((t) => t - film.start), tracks = [];
  const probe = groups.map(() => new THREE.Object3D()), marks = moving.map(() => ({ p: [], q: [], s: [] }));
  for (const t of film.t) {
    film.place(probe, t, magnification);
    moving.forEach(({ body, rod }, k) => {
      if (rod) stretchRod({ joint: rod.joint, mesh: rod.probe }, probe);
      const at = rod ? rod.probe : probe[body];
      marks[k].p.push(...at.position.toArray());
      marks[k].q.push(...at.quaternion.toArray());
      if (rod) marks[k].s.push(...at.scale.toArray());
    });
  }
  moving.forEach(({ node, rod }, k) => {
    tracks.push(new THREE.VectorKeyframeTrack(`${node.uuid}.position`, times, marks[k].p), new THREE.QuaternionKeyframeTrack(`${node.uuid}.quaternion`, times, marks[k].q));
    if (rod) tracks.push(new THREE.VectorKeyframeTrack(`${node.uuid}.scale`, times, marks[k].s));
  });
  return new THREE.AnimationClip("run", -1, tracks);
}

/// A .glb of what stands on the stage; `film3`: the run that is shown, or null.
export async function exportGlb(scene3, film3) {
  const { scene } = scene3, root = new THREE.Group(), moving = [];
  root.name = scene.name;
  root.rotation.x = -0.5 * Math.PI;
  const base = plain(scene3.base);
  base.name = scene.bodies[0].name;
  root.add(base);
  scene3.groups.forEach((group, b) => {
    if (b === 0) return;
    const node = plain(group);
    node.name = scene.bodies[b].name;
    node.position.copy(group.position);
    node.quaternion.copy(group.quaternion);
    root.add(node);
    moving.push({ node, body: b });
  });
  for (const rod of scene3.rods) {
    const node = new THREE.Group();
    node.name = rod.joint.name;
    node.position.copy(rod.mesh.position);
    node.quaternion.copy(rod.mesh.quaternion);
    node.scale.copy(rod.mesh.scale);
    node.add(new THREE.Mesh(rod.mesh.geometry, rod.mesh.material));
    root.add(node);
    moving.push({ node, rod: { joint: rod.joint, probe: new THREE.Object3D() } });
  }
  const stage = new THREE.Scene();
  stage.name = scene.name;
  stage.add(root);
  const animations = film3 && film3.film.t.length > 1 ? [clipOf(film3.film, film3.magnification, moving, scene3.groups)] : [];
  return new GLTFExporter().parseAsync(stage, { binary: true, animations });
}

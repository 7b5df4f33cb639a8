// Where the wearer of a headset and the robot stand: floor and table of a room that is only drawn, or a place on a
// real floor or table; steps by pointing at the floor.
import * as THREE from "three";

const rooms = { light: { wall: 0xe9eef3, floor: 0xd3dbe2, line: 0xb4c0cb, table: 0xc3ccd5 }, dark: { wall: 0x121920, floor: 0x1a232c, line: 0x2c3945, table: 0x2a3641 } };

export class Room {
  constructor(app, session, base) {
    Object.assign(this, { app, session, base });
    this.real = session.environmentBlendMode !== "opaque"; // the wearer sees where they are
    this.rig = new THREE.Group(); // where the wearer's own floor is in the world of the page
    this.ring = new THREE.Mesh(new THREE.RingGeometry(0.11, 0.15, 40).rotateX(-0.5 * Math.PI), new THREE.MeshBasicMaterial({ color: 0x3aa0e0, transparent: true, opacity: 0.85, depthTest: false }));
    this.ring.visible = false;
    this.things = new THREE.Group();
    this.app.scene3.world.add(this.rig, this.ring, this.things);
    if (!this.real) this.furnish();
    this.stand();
  }

  /// A floor with lines every half metre, a wall of one colour all around.
  furnish() {
    const { world, theme } = this.app.scene3, colours = rooms[theme];
    const floor = new THREE.Mesh(new THREE.CircleGeometry(12, 48).rotateX(-0.5 * Math.PI), new THREE.MeshBasicMaterial({ color: colours.floor }));
    floor.position.y = -0.01;
    this.things.add(floor, new THREE.GridHelper(12, 24, colours.line, colours.line));
    world.background = new THREE.Color(colours.wall);
  }

  /// z up becomes y up, at true scale; the robot stands on the floor, or on a table when it is small, within reach.
  stand(at = null) {
    const { root, box, floorAt, size } = this.app.scene3, middle = box.getCenter(new THREE.Vector3());
    const small = size < 0.9, high = at?.y ?? (small ? 0.75 : 0);
    root.rotation.set(-0.5 * Math.PI, 0, 0);
    root.scale.setScalar(1);
    root.position.set((at?.x ?? 0) - middle.x, high - floorAt, (at?.z ?? -Math.max(0.7, 0.75 * size)) + middle.y);
    root.updateMatrixWorld(true);
    if (!this.real && small && !this.table) this.addTable(root.position, middle, size);
  }

  addTable(at, middle, size) {
    const { theme } = this.app.scene3, width = Math.max(0.6, 1.2 * size);
    this.table = new THREE.Mesh(new THREE.BoxGeometry(width, 0.03, width), new THREE.MeshBasicMaterial({ color: rooms[theme].table }));
    this.table.position.set(at.x + middle.x, 0.75 - 0.02, at.z - middle.y);
    this.things.add(this.table);
  }

  // ---- on a real floor or table ---------------------------------------------------------------

  /// Look for real surfaces where the wearer looks; false where the device cannot.
  async seek() {
    try {
      const viewer = await this.session.requestReferenceSpace("viewer");
      this.source = await this.session.requestHitTestSource({ space: viewer });
    } catch {
      this.source = null;
    }
    return Boolean(this.source);
  }

  /// The surface that is looked at: the ring lies on it while the robot is being placed.
  look(frame) {
    const found = this.source && frame?.getHitTestResults(this.source)[0]?.getPose(this.app.scene3.renderer.xr.getReferenceSpace());
    this.surface = found ? new THREE.Vector3().copy(found.transform.position) : null;
    this.ring.visible = Boolean(this.surface);
    if (this.surface) this.ring.position.copy(this.surface);
  }

  /// Put the robot on the surface that is looked at.
  place() {
    if (!this.surface) return false;
    this.stand(this.surface);
    this.ring.visible = false;
    return true;
  }

  // ---- steps ----------------------------------------------------------------------------------

  /// Where a ray meets the floor within ten metres, or null.
  floorUnder({ origin, direction }) {
    const t = -origin.y / direction.y;
    return direction.y < -0.02 && t * Math.hypot(direction.x, direction.z) < 10 ? origin.clone().addScaledVector(direction, t) : null;
  }

  /// The ring shows where a step would lead; null hides it.
  mark(point) {
    this.ring.visible = Boolean(point);
    if (point) this.ring.position.set(point.x, 0.005, point.z);
  }

  head() {
    return new THREE.Vector3().setFromMatrixPosition(this.app.scene3.renderer.xr.getCamera().matrixWorld);
  }

  /// Stand at `point` of the floor. In a real room the robot comes there: people walk themselves.
  step(point) {
    this.mark(null);
    if (this.real) return this.stand(new THREE.Vector3(point.x, 0, point.z));
    const head = this.head();
    return this.shift(new THREE.Matrix4().makeTranslation(point.x - head.x, 0, point.z - head.z));
  }

  /// Turn on the spot [rad].
  turn(angle) {
    const head = this.head(), to = new THREE.Matrix4().makeTranslation(head.x, 0, head.z), back = new THREE.Matrix4().makeTranslation(-head.x, 0, -head.z);
    this.shift(to.multiply(new THREE.Matrix4().makeRotationY(angle)).multiply(back));
  }

  /// Move the wearer: their floor goes to `by` times where it was.
  shift(by) {
    const { rig } = this;
    rig.applyMatrix4(by);
    rig.updateMatrixWorld(true);
    const inverse = rig.matrixWorld.clone().invert(), p = new THREE.Vector3(), q = new THREE.Quaternion();
    inverse.decompose(p, q, new THREE.Vector3());
    const offset = new window.XRRigidTransform({ x: p.x, y: p.y, z: p.z }, { x: q.x, y: q.y, z: q.z, w: q.w });
    this.app.scene3.renderer.xr.setReferenceSpace(this.base.getOffsetReferenceSpace(offset));
  }

  free() {
    const { root, world } = this.app.scene3;
    this.source?.cancel();
    for (const thing of [this.rig, this.ring, this.things]) thing.removeFromParent();
    world.background = null;
    root.position.set(0, 0, 0);
    root.rotation.set(0, 0, 0);
    root.updateMatrixWorld(true);
  }
}

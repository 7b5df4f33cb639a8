// A 3D mouse (SpaceMouse and its kin) over WebHID: its cap pushes and turns the tool.

const filters = [{ vendorId: 0x256f }, { vendorId: 0x046d, usagePage: 1, usage: 8 }];
const full = 350; // what the cap gives at its stop
const quiet = 0.04;

/// The six values of a report [-1..1], those that it has: shift x, y, z, turn about x, y, z. The device has x to
/// the right, y towards the reader, z downwards.
export function readReport(id, data) {
  const value = (k) => {
    const v = data.getInt16(2 * k, true) / full;
    return Math.abs(v) < quiet ? 0 : Math.max(-1, Math.min(1, v));
  };
  const three = (first) => [value(first), -value(first + 1), -value(first + 2)].map((v) => v || 0);
  if (id === 1 && data.byteLength >= 12) return { shift: three(0), turn: three(3) };
  if (id === 1 && data.byteLength >= 6) return { shift: three(0) };
  if (id === 2 && data.byteLength >= 6) return { turn: three(0) };
  if (id === 3) return { home: data.byteLength > 0 && (data.getUint8(0) & 1) === 1 };
  return {};
}

export class Mouse3 {
  constructor(pads) {
    this.pads = pads;
    this.cap = { shift: [0, 0, 0], turn: [0, 0, 0] };
    if (!navigator.hid) return;
    navigator.hid.getDevices().then((list) => list.forEach((device) => this.take(device)), () => {});
    navigator.hid.addEventListener?.("disconnect", () => (this.cap = { shift: [0, 0, 0], turn: [0, 0, 0] }));
  }

  get isThere() {
    return Boolean(navigator.hid);
  }

  /// The browser asks the reader which device the page may use.
  async connect() {
    const [device] = await navigator.hid.requestDevice({ filters });
    if (device) await this.take(device);
    return device ?? null;
  }

  async take(device) {
    if (!device.opened) await device.open();
    device.addEventListener("inputreport", ({ reportId, data }) => {
      const { home, ...moved } = readReport(reportId, data);
      Object.assign(this.cap, moved);
      if (home) this.pads.app.goHome();
      this.pads.begin();
    });
    this.device = device;
  }

  get moves() {
    return [...this.cap.shift, ...this.cap.turn].some((v) => v !== 0);
  }
}

// Gamepads and 3D mice that the browser shows as gamepads: sticks lead the tool, the first button goes home.

const quiet = 0.15; // of a stick at rest

/// A stick's value without what it has at rest.
const live = (value) => (Math.abs(value) < quiet ? 0 : value);

export class Pads {
  constructor(app) {
    this.app = app;
    window.addEventListener("gamepadconnected", () => this.begin());
  }

  begin() {
    if (this.running) return;
    this.running = true;
    this.last = performance.now();
    const step = async (now) => {
      const pad = [...(navigator.getGamepads?.() ?? [])].find(Boolean);
      if (!pad) return (this.running = false);
      await this.lead(pad, Math.min(now - this.last, 50) / 1000);
      this.last = now;
      return requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /// Half the robot's size per second at most; slower before a singularity.
  async lead(pad, time) {
    const { app } = this, [x, y, , z] = pad.axes.map(live);
    if (pad.buttons[0]?.pressed) return app.goHome();
    if (!x && !y && !z) return null;
    const slow = app.frame.level > 0 ? Math.max(0.05, 1 - app.frame.level) : 1, s = 0.5 * app.robot.size * time * slow;
    const tool = [...app.frame.tool];
    [x, -y, -(z ?? 0)].forEach((v, k) => (tool[k] += s * v));
    return app.lead("tool", tool);
  }
}

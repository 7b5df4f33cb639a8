// The next frame of what is looked at: of the window, or of a headset, whose windows get none while it is worn.
let source = null;
const waiting = new Set();

/// Call `act(now)` at the next frame.
export function nextFrame(act) {
  const once = (now) => waiting.delete(once) && act(now);
  waiting.add(once);
  (source ?? window).requestAnimationFrame(once);
}

/// Frames come from this session from now on, from the window with null; what waits is not forgotten.
export function framesFrom(session) {
  source = session;
  for (const once of waiting) (source ?? window).requestAnimationFrame(once);
}

/// A promise of the next frame.
export const aFrame = () => new Promise((resolve) => nextFrame(resolve));

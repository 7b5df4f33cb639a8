// uPlot takes the resolution of its canvases from the window when it is loaded. Three times that of
// the page is sharp on paper too.
const own = Object.getOwnPropertyDescriptor(window, "devicePixelRatio");
Object.defineProperty(window, "devicePixelRatio", { value: Math.max(3, window.devicePixelRatio || 1), configurable: true });
export const restore = () => {
  if (own) Object.defineProperty(window, "devicePixelRatio", own);
  else delete window.devicePixelRatio;
};

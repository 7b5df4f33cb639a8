// Numbers and units for people: degrees, SI prefixes, few digits.

// The rule for units is that of src/table/suited.h.

const degrees = 180 / Math.PI, rounding = 1e-12;
const prefixes = [[1e-12, "p"], [1e-9, "n"], [1e-6, "µ"], [1e-3, "m"], [1, ""], [1e3, "k"], [1e6, "M"], [1e9, "G"]];
const scalable = new Set(["m", "N", "N m", "J", "W", "m/s", "s", "Pa", "Hz", "rad", "N/m", "N m/rad", "m/N", "rad/N", "rad/(N m)"]);
const nice = { "N m": "N·m", "m/s2": "m/s²", "rad/s2": "rad/s²", "kg m2": "kg·m²", "N/m": "N/m" };

function pretty(unit) {
  return nice[unit] ?? unit.replace(/([a-z])2\b/g, "$1²").replace(/([a-z])3\b/g, "$1³").replaceAll(" ", "·");
}

/// How to show values of `unit` up to `largest`: {factor, unit}, shown = value * factor.
export function scaleFor(unit, largest) {
  const size = Math.abs(largest);
  if (unit.endsWith(" ")) return { factor: 1, unit: unit.trim() }; // to be left as it is
  if (unit === "rad" && !(size > 0 && size < 1e-4)) return { factor: degrees, unit: "°" };
  if (unit === "rad/s") return { factor: degrees, unit: "°/s" };
  if (unit === "rad/s2") return { factor: degrees, unit: "°/s²" };
  if (!scalable.has(unit) || !(size >= rounding) || !isFinite(size)) return { factor: 1, unit: pretty(unit) };
  let [factor, prefix] = prefixes[0];
  for (const [f, p] of prefixes) if (size >= f * 0.99999) [factor, prefix] = [f, p];
  if (unit === "s" && factor > 1) [factor, prefix] = [1, ""];
  if (unit === "m" && factor > 1) [factor, prefix] = [1, ""];
  return { factor: 1 / factor, unit: prefix + pretty(unit) };
}

/// `value` with `digits` significant digits, a true minus sign and a decimal point.
export function digits(value, n = 5) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text = size >= 1e6 || size < 1e-4 ? value.toExponential(Math.max(n - 1, 0)) : value.toPrecision(n);
  if (text.includes("e") && size >= 1 && size < 1e6) text = String(Number(text)); // 5.8e+2
  if (text.includes("e")) {
    const [mantissa, power] = Number(text).toExponential().split("e");
    text = `${Number(mantissa).toPrecision(n).replace(/\.0+$/, "")}e${Number(power)}`;
  }
  return text.replaceAll("-", "−");
}

/// `value` with so many decimals, a true minus sign, no minus before zeros.
export const fixed = (value, n) => value.toFixed(n).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");

/// Value and unit in one text: "423.80 N·m".
export function quantity(value, unit, n = 5) {
  const scale = scaleFor(unit, value);
  const space = scale.unit === "°" ? "" : "\u00a0";
  return `${digits(value * scale.factor, n)}${scale.unit ? space + scale.unit : ""}`;
}

/// A number as someone printed it: up to six digits, without zeros at the end.
export function printed(value) {
  if (value === null || value === undefined || !isFinite(value)) return "–";
  const short = Number(value.toPrecision(6)), size = Math.abs(short);
  const text = size > 0 && (size < 1e-3 || size >= 1e6) ? short.toExponential().replace("e+", "e") : String(short);
  return text.replaceAll("-", "−");
}

/// A share as a percentage.
export function percent(share) {
  const size = Math.abs(100 * share);
  if (size > 0 && size < 0.01) return "< 0.01 %";
  return `${(100 * share).toFixed(size >= 10 ? 0 : size >= 1 ? 1 : 2).replace("-", "−")} %`;
}

/// An error bar in the scale of its value: "± 0.0013".
export function bar(value, scale) {
  if (value === null || value === undefined || !isFinite(value)) return "";
  return `± ${digits(value * scale.factor, 2)}`;
}

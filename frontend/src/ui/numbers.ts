const MINUS = "\u2212";
const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

/** 3.2·10⁻⁵ from "3.2e-5"; a plain number only gets its real minus sign. */
function typeset(text: string): string {
  const [mantissa, exponent] = text.split("e");
  const sign = (part: string) => part.replace("-", MINUS);
  return exponent === undefined ? sign(mantissa) : `${sign(mantissa)}\u00b7${powerOfTen(Number(exponent))}`;
}

/** 10⁻⁵ from −5. */
export function powerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `10${exponent < 0 ? "\u207b" : ""}${digits}`;
}

/** The power of ten (a multiple of three) to take out of values up to `largest`; 0 while they read well as they are. */
export function commonExponent(largest: number): number {
  if (!(largest > 0) || !Number.isFinite(largest) || (largest >= 0.01 && largest < 1e5)) return 0;
  return 3 * Math.floor(Math.log10(largest * (1 + 1e-9)) / 3);
}

/** The unit of values from which a power of ten was taken out. */
export function scaledUnit(exponent: number, unit: string): string {
  return exponent === 0 ? unit : `${powerOfTen(exponent)}${unit ? ` ${unit}` : ""}`;
}

/** A number to `digits` significant digits, without trailing zeros. */
export function formatNumber(value: number, digits = 5): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : MINUS + "\u221e";
  if (value === 0) return "0";
  if (Number.isInteger(value) && Math.abs(value) < 10 ** Math.max(digits, 6)) return typeset(String(value));
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4 || magnitude >= Math.max(digits, 6)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return typeset(`${stripZeros(mantissa)}e${exponent}`);
  }
  return typeset(stripZeros(fixed(value, digits)));
}

/** toPrecision without an exponent. */
function fixed(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits));
  const magnitude = rounded === 0 ? 0 : Math.floor(Math.log10(Math.abs(rounded)));
  return rounded.toFixed(Math.max(0, Math.min(20, digits - 1 - magnitude)));
}

function stripZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * Texts of a column with the characters missing after each to align the decimal points; a power of ten only where a
 * number needs it.
 */
export function formatColumn(values: (number | null)[], digits: number): { text: string; padding: string }[] {
  const numbers = values.filter((v): v is number => v !== null && v !== 0);
  const whole = numbers.every((v) => Number.isInteger(v) && Math.abs(v) < 1e12);
  const scientific = (value: number) => {
    const magnitude = Math.floor(Math.log10(Math.abs(value)));
    return !whole && (magnitude < -4 || magnitude >= Math.max(digits, 6));
  };
  const format = (value: number, precision: number) => (scientific(value) ? value.toExponential(precision - 1) : fixed(value, precision));
  // Zeros that end every number of the column say nothing: as few digits as show the same values.
  const agrees = (precision: number) => numbers.every((v) => Number(format(v, precision)) === Number(format(v, digits)));
  let shown = Math.min(2, digits);
  while (shown < digits && !agrees(shown)) shown++;
  const texts = values.map((value) => {
    if (value === null) return "";
    if (value === 0) return "0";
    return typeset(whole ? String(value) : format(value, shown));
  });
  const plain = values.map((value) => value !== null && (value === 0 || !scientific(value)));
  const decimals = texts.map((text) => (text.includes(".") ? text.length - text.indexOf(".") : 0));
  const most = Math.max(...decimals.filter((_, i) => plain[i]), 0);
  return texts.map((text, i) => {
    const missing = plain[i] ? most - decimals[i] : 0;
    return { text, padding: missing === 0 ? "" : (decimals[i] === 0 ? "." : "0") + "0".repeat(missing - 1) };
  });
}

/** "label / unit" for axes and table heads. */
export function withUnit(label: string, unit: string): string {
  return unit ? `${label} [${unit}]` : label;
}

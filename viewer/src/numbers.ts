// Numbers as people read them, and quantiles. Knows no page.

/** A number with three digits. */
export function label(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e').replace('-', '−');
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

/** The largest of 1, 2, 5 times a power of ten that is not larger. */
export function roundBelow(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const part = value / power;
  return (part >= 5 ? 5 : part >= 2 ? 2 : 1) * power;
}

export function quantile(values: ArrayLike<number>, part: number): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

/** Even ticks between two values. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const step = [1, 2, 2.5, 5, 10].map((k) => k * 10 ** Math.floor(Math.log10(span / count))).find((step) => span / step <= count) ?? span;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * span; k++) found.push(k * step);
  return found;
}

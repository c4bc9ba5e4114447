const bars = '▁▂▃▄▅▆▇█';

/**
 * Numbers as a row of bars, one character each. The lowest number has the lowest bar; a difference of less than one
 * is not drawn larger than it is.
 */
export function sparkline(values: readonly number[]): string {
  const lowest = Math.min(...values);
  const range = Math.max(Math.max(...values) - lowest, bars.length - 1);
  return values
    .map((value) => bars[Math.round(((value - lowest) / range) * (bars.length - 1))] ?? '')
    .join('');
}

/** How much more than it is a packed text may become: a few kilobytes can hold terabytes. */
export interface RatioLimits {
  /** Unpacked bytes for each packed byte; reports with repeated lines reach 100. */
  maxRatio: number;
  /** A text of up to this many bytes may have any ratio. */
  unratedBytes: number;
}

export const defaultRatioLimits: RatioLimits = { maxRatio: 250, unratedBytes: 16 * 1024 ** 2 };

/** Whether so many bytes are too many for what they were packed in. */
export function exceedsRatio(
  bytes: number,
  packedBytes: number,
  { maxRatio, unratedBytes }: RatioLimits = defaultRatioLimits,
): boolean {
  return bytes > unratedBytes && bytes > packedBytes * maxRatio;
}

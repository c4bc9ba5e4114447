/** Whole numbers from 1, without separators or in groups of three digits: `41237`, `41,237`, `41.237`. */
const pattern = /^[1-9](\d{0,9}|\d{0,2}(([,.'\u2019\u00a0\u202f ])\d{3}(\3\d{3}){0,2}))$/;

/** Parses a whole number from 1 that a user typed; returns `undefined` for any other text. */
export function parseWholeNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return pattern.test(trimmed) ? Number(trimmed.replace(/\D/g, '')) : undefined;
}

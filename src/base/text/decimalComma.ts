/**
 * Whether a language writes decimals with a comma. Excel then takes `;` for the separator of CSV.
 * @param language BCP 47
 */
export function hasDecimalComma(language: string): boolean {
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',');
}

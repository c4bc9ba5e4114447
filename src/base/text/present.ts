/** The parts that there are: neither missing nor empty. */
export function present(...parts: readonly (string | undefined)[]): string[] {
  return parts.filter((part) => part !== undefined && part !== '') as string[];
}

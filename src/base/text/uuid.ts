/** A UUID in the canonical 8-4-4-4-12 form (RFC 9562 section 4), of any version or variant. */
const pattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const whole = new RegExp(`^${pattern.source}$`, 'i');
// A UUID inside a longer run of hexadecimal digits is not one.
const anywhere = new RegExp(`(?<![0-9a-f-])${pattern.source}(?![0-9a-f-])`, 'gi');

export function isUuid(text: string): boolean {
  return whole.test(text);
}

/** The distinct UUIDs in a text, such as a pasted address, in lower case. */
export function findUuids(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(anywhere), ([uuid]) => uuid.toLowerCase()))];
}

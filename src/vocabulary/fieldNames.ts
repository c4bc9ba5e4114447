/** How a field of a finding is interpreted. */
export type FieldMeaning = 'status' | 'firstSeen' | 'lastSeen';

const namePatterns: Readonly<Record<FieldMeaning, RegExp>> = {
  status: /status$/i,
  firstSeen: /first[^a-z]*(?:seen|observed|detected|found)/i,
  lastSeen: /last[^a-z]*(?:seen|observed|detected|found)/i,
};

/**
 * Whether the name of a field states its meaning. Fields with other names, such as `state` and
 * `created_at`, may mean something else, so they are shown under their own names.
 */
export function nameHasMeaning(meaning: FieldMeaning, name: string): boolean {
  return namePatterns[meaning].test(name);
}

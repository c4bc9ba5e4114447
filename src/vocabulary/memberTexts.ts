import { isContainer, isJsonNumber } from '../base/json/json';
import type { Cell } from '../engine/data/cell';
import { snakeCase } from './roles';

/** A record of a finding as a tool writes it: nested, or with the names of members joined by dots. */
export type FindingMembers = Readonly<Record<string, unknown>>;

/**
 * The texts and numbers of a record, by their names in snake case, joined by dots; those that are less nested
 * come first. Of each list only the first element is looked at: tools put what matters most there.
 */
export type MemberTexts = ReadonlyMap<string, string>;

/** Tools nest less, and write fewer members. A record may have any size. */
const maxDepth = 8;
const maxTexts = 1_000;
const maxMembers = 5_000;

export function memberTexts(record: FindingMembers): MemberTexts {
  const texts = new Map<string, string>();
  let level: (readonly [prefix: string, value: object])[] = [['', record]];
  let left = maxMembers;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const [prefix, container] of level) {
      for (const name in container) {
        left -= 1;
        if (left < 0 || texts.size >= maxTexts) {
          return texts;
        }
        add(prefix + memberKey(name), container[name as keyof typeof container], texts, next);
      }
    }
    level = next;
  }
  return texts;
}

function add(
  key: string,
  member: unknown,
  texts: Map<string, string>,
  next: (readonly [prefix: string, value: object])[],
): void {
  const value: unknown = Array.isArray(member) ? member[0] : member;
  if (Array.isArray(value)) {
    return;
  }
  if (isContainer(value)) {
    next.push([`${key}.`, value]);
  } else if (!texts.has(key)) {
    const text = isJsonNumber(value) ? String(value) : value;
    if (typeof text === 'string' && text !== '') {
      texts.set(key, text);
    }
  }
}

/** Results by name: the rows of a table repeat the same few names thousands of times. */
const keys = new Map<string, string>();
const maxCachedKeys = 1_000;
/** A file may have names of any length, which would stay in memory. */
const maxCachedLength = 100;

/** A name, or several joined by dots, in snake case: `CauseMetadata.StartLine` is `cause_metadata.start_line`. */
export function memberKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) {
    return known;
  }
  const key = name.split('.').map(snakeCase).filter(Boolean).join('.');
  if (keys.size < maxCachedKeys && name.length <= maxCachedLength) {
    keys.set(name, key);
  }
  return key;
}

/** The first of several members that a record has, whatever it is nested in. The names are in their order. */
export function firstText(texts: MemberTexts, names: readonly string[]): string | undefined {
  for (const name of names) {
    const whole = texts.get(name);
    if (whole !== undefined) {
      return whole;
    }
    for (const [key, text] of texts) {
      if (key.endsWith(`.${name}`)) {
        return text;
      }
    }
  }
  return undefined;
}

/** The members of a row of a table, by the names of its columns. */
export function membersOfRow(
  fields: readonly { readonly name: string; readonly cell: Cell }[],
): FindingMembers {
  return Object.fromEntries(fields.map(({ name, cell }) => [name, valueOf(cell)]));
}

function valueOf({ kind, text, masked }: Cell): unknown {
  if (kind !== 'json') {
    return masked ? undefined : text;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // It is cut off.
    return undefined;
  }
}

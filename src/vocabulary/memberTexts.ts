import { isContainer, isJsonNumber } from '../base/json/json';
import { memberKey } from './fieldNames';
import { likelihoodOf, type Meaning, namesOf, sortSeverities } from './meanings';

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

/** The text of the member that most likely has one of these meanings; an earlier meaning counts more. */
export function textOfMeaning(
  texts: MemberTexts,
  ...meanings: readonly Meaning[]
): string | undefined {
  for (const meaning of meanings) {
    const [member] = membersWith(texts, meaning);
    if (member) {
      return member.text;
    }
  }
  return undefined;
}

/**
 * The members of a record that may have a meaning, most likely first. All of them are about one finding: whether a
 * member is nested counts less than its name.
 */
export function membersWith(
  texts: MemberTexts,
  meaning: Meaning,
): readonly { readonly key: string; readonly text: string }[] {
  const { length } = namesOf(meaning);
  const rank = (likelihood: number) =>
    likelihood < 2 * length ? 2 * (likelihood % length) + Number(likelihood >= length) : 2 * length;
  const likely = [...texts].flatMap(([key, text]) => {
    const likelihood = likelihoodOf(meaning, key);
    return likelihood === undefined ? [] : [{ key, text, name: key, likelihood: rank(likelihood) }];
  });
  return meaning === 'severity'
    ? sortSeverities(likely)
    : likely.sort((one, other) => one.likelihood - other.likelihood);
}

/** What a row of a table has in a column, as much of it as its members need. */
interface MemberCell {
  /** `json` for arrays and objects, whose text is JSON. */
  readonly kind: string;
  readonly text: string;
  /** The text is a mask. */
  readonly masked?: true;
}

/** The members of a row of a table, by the names of its columns. */
export function membersOfRow(
  fields: readonly { readonly name: string; readonly cell: MemberCell }[],
): FindingMembers {
  return Object.fromEntries(fields.map(({ name, cell }) => [name, readValue(cell)]));
}

function readValue({ kind, text, masked }: MemberCell): unknown {
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

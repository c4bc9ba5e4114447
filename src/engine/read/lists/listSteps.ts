import { threadKernel } from '../../threads/kernel';

/** A step from an object or array to one in it: a member with a name, any element, or any member. */
export type ListStep =
  | { readonly kind: 'named'; readonly name: string; readonly written: Buffer }
  | { readonly kind: 'element' }
  | {
      readonly kind: 'member';
      /** Whether the names of the members are severities. */
      readonly isSeverity: boolean;
    };

/**
 * The first parent whose members differ from row to row, by the number of steps that lead to it: it is an
 * element of a list or an entry of a map.
 */
export function findFirstParent(steps: readonly ListStep[]): number {
  const first = steps.findIndex(({ kind }) => kind !== 'named');
  return first < 0 ? steps.length + 1 : first + 1;
}

/** By the number of steps: the named ones among them, joined. */
export function joinPrefixes(steps: readonly ListStep[]): string[] {
  const prefixes = [''];
  for (const step of steps) {
    const before = prefixes.at(-1)!;
    prefixes.push(step.kind === 'named' ? `${before}${step.name}.` : before);
  }
  return prefixes;
}

/** A step that leads nowhere from an object, which has no elements: a walk with it collects all of its members. */
export const nowhere: ListStep = { kind: 'element' };

/** The numbers of steps in the kernel. */
const stepNumbers = { named: 0, element: 1, member: 2 } as const;

/**
 * A walk through a document or an object, in the kernel.
 * @param firstParent its members, and those of later parents, are collected
 * @param maxBytes of members that are kept of a parent
 * @param keyNames by the number of steps: see `ListPlan`
 */
export function newWalk(
  steps: readonly ListStep[],
  firstParent: number,
  maxBytes: number,
  keyNames: readonly (string | undefined)[] = [],
): number {
  const kernel = threadKernel();
  const { exports } = kernel;
  const walk = exports.newWalk(steps.length, firstParent, maxBytes);
  joinPrefixes(steps).forEach((prefix, number) => {
    const step = steps[number - 1] ?? nowhere;
    const keyName = keyNames[number];
    const texts = [
      step.kind === 'named' ? step.written : Buffer.alloc(0),
      Buffer.from(writtenText(prefix)),
      Buffer.from(keyName === undefined ? '' : `${JSON.stringify(keyName)}:`),
    ];
    const [nameLength = 0, prefixLength = 0, keyLength = 0] = texts.map(({ length }) => length);
    const kind = stepNumbers[step.kind];
    kernel.withCopies(texts, (name = 0, start = 0, key = 0) => {
      exports.setParent(walk, number, kind, name, nameLength, start, prefixLength, key, keyLength);
    });
  });
  return walk;
}

/** A text as it is in JSON, without quotes. */
export function writtenText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

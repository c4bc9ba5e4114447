import { rawMembers, type RawMember } from '../../../base/json/rawMembers';
import { isPlainObject } from '../../../base/json/json';
import type { WrappedFindings } from '../../../vocabulary/formats';
import { isClosedStatus } from '../../../vocabulary/status';
import { decisionMember } from './decidedRows';
import { parseObject } from './rowMembers';

/** How rows have their findings, and the status of those that name none. */
export interface Wrapping extends WrappedFindings {
  readonly decided: string;
}

/**
 * Makes rows of their findings, which have in a member what rows of other lists have themselves, with what was decided
 * beside it. A status of a finding says another thing than that of the decision: whether there is a fix, or what a check
 * found.
 */
export class WrappedRows {
  constructor(private readonly wrapping: Wrapping) {}

  /** A row as JSON; `undefined` if it is not valid, so that it stays as it is. */
  rowOf(json: Buffer): string | undefined {
    const { member, status, decided } = this.wrapping;
    const text = json.toString();
    const { [member]: finding, [status]: own } = parseObject(text);
    if (!isPlainObject(finding)) {
      return undefined;
    }
    const members = rawMembers(text);
    const inner = rawMembers(members.findLast(([name]) => name === member)?.[1] ?? '{}');
    const taken = new Set(inner.map(([name]) => name));
    const beside = members
      .filter(([name]) => name !== member && name !== status)
      .map(([name, value]): RawMember => [besideName(name, taken), value]);
    const word = typeof own === 'string' && isClosedStatus(own) ? own : decided;
    const all = [...beside, ...inner, [decisionMember, JSON.stringify(word)] as const];
    return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
  }
}

/**
 * The names of the members that rows get.
 * @param row the value of a row in its file.
 */
export function unwrappedNames(row: object, { member, status }: Wrapping): readonly string[] {
  const { [member]: finding, ...others } = row as Readonly<Record<string, unknown>>;
  if (!isPlainObject(finding)) {
    return Object.keys(row);
  }
  const inner = Object.keys(finding);
  const beside = Object.keys(others).filter((name) => name !== status);
  return [...inner, ...beside.map((name) => besideName(name, new Set(inner)))];
}

/** The members of the finding in a row, by their paths in it. */
export function membersOfFinding<Value>(
  members: ReadonlyMap<string, Value>,
  { member }: WrappedFindings,
): ReadonlyMap<string, Value> {
  const object = `${member}.`;
  return new Map(
    [...members].flatMap(([name, value]) =>
      name.startsWith(object) ? [[name.slice(object.length), value] as const] : [],
    ),
  );
}

/** The name of what is beside a finding: one that the finding has, too, says what it is of. */
function besideName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `decision.${name}` : name;
}

import { ruleMember } from './listPlan';
import type { RowMembers } from './rowMembers';

/** Gives rows the name of their rule under a name that is the same in several lists. */
export class RuleRows implements RowMembers {
  readonly asked: readonly string[];

  /** @param name of the member that has it in the rows of this list. */
  constructor(private readonly name: string) {
    this.asked = [name];
  }

  membersOf(_run: number, asked: string): string {
    const { [this.name]: rule } = parse(asked);
    return rule === undefined ? '' : `"${ruleMember}":${JSON.stringify(rule)},`;
  }
}

function parse(members: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(`{${members}}`) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

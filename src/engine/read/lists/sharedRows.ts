import { parseObject, type RowMembers } from './rowMembers';

/** Gives rows members under names that are the same in several lists. */
export class SharedRows implements RowMembers {
  readonly asked: readonly string[];

  /** @param members by the names that are the same, those that the rows of this list have. */
  constructor(private readonly members: Readonly<Record<string, string>>) {
    this.asked = Object.values(members);
  }

  membersOf(_run: number, asked: string): string {
    const own = parseObject(`{${asked}}`);
    return Object.entries(this.members)
      .map(([name, member]) => {
        const { [member]: value } = own;
        const isOwn = value === undefined || name === member;
        return isOwn ? '' : `${JSON.stringify(name)}:${JSON.stringify(value)},`;
      })
      .join('');
  }
}

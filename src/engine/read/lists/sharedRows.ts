import { parseObject, type RowMembers } from './rowMembers';

/**
 * The names that are the same in several lists, with those that the rows of one list have: the first that a row has
 * counts.
 */
export type SharedNames = Readonly<Record<string, readonly string[]>>;

/** Gives rows members under names that are the same in several lists. */
export class SharedRows implements RowMembers {
  readonly asked: readonly string[];

  constructor(private readonly names: SharedNames) {
    this.asked = Object.values(names).flat();
  }

  membersOf(_run: number, asked: string): string {
    const row = parseObject(`{${asked}}`);
    return Object.entries(this.names)
      .map(([name, members]) => {
        const own = members.find((member) => (row[member] ?? undefined) !== undefined);
        return own === undefined || own === name
          ? ''
          : `${JSON.stringify(name)}:${JSON.stringify(row[own])},`;
      })
      .join('');
  }
}

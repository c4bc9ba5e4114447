import { spellName } from '../vocabulary/fieldNames';
import type { NamedColumn } from '../vocabulary/columnRole';
import { isNameOf, says } from '../vocabulary/meanings';
import type { PageTextKey } from './pageTexts';
import type { Texts } from './texts';

/** A column of a table, or a field of a record. */
interface TitledField extends NamedColumn {
  readonly id: string;
}

/**
 * What people read instead of the names of columns, by their ids. Columns whose titles would be the same have
 * their names in them. Programs, filters and SQL use the names.
 */
export function columnTitles(
  columns: readonly TitledField[],
  texts: Texts,
): ReadonlyMap<string, string> {
  const titles = columns.map((column) => columnTitle(column, texts));
  const counts = new Map<string, number>();
  titles.forEach((title) => counts.set(title, (counts.get(title) ?? 0) + 1));
  return new Map(
    columns.map(({ id, name }, at) => {
      const title = titles[at] ?? name;
      const isAlone = counts.get(title) === 1 || title === name;
      return [id, isAlone ? title : `${title} (${name})`];
    }),
  );
}

/** The title of a column on its own: what its name means, if it says so, or else its name in words. */
export function columnTitle(column: NamedColumn, texts: Texts): string {
  const meaning = findMeaning(column);
  return meaning ? texts.get(meaning) : spellName(column.name);
}

/** What a name says. Others, such as `level` and `created_at`, may mean something else. */
function findMeaning({ name, role }: NamedColumn): PageTextKey | undefined {
  switch (role) {
    case 'severity':
      return says('severity', name) ? 'severity' : undefined;
    case 'issueType':
      return isNameOf('issueType', name) ? 'issueType' : undefined;
    case 'factor':
      return isNameOf('factor', name) ? 'factor' : undefined;
    case 'status':
      return says('status', name) ? 'status' : undefined;
    case 'fix':
      // It would read as that of the finding.
      return says('status', name) ? 'fixStatus' : undefined;
    case 'firstSeen':
      return says('firstSeen', name) ? 'firstSeen' : undefined;
    case 'change':
      return isNameOf('change', name) ? 'change' : isNameOf('became', name) ? 'became' : undefined;
    default:
      // Its values are UUIDs, which are shown by the names of scorecards.
      return isNameOf('scorecardId', name)
        ? 'scorecard'
        : says('lastSeen', name)
          ? 'lastSeen'
          : undefined;
  }
}

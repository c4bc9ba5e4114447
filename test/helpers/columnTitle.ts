import { readFileSync } from 'node:fs';
import { columnTitle } from '../../src/summary/columnTitles';
import { pageTexts } from '../../src/summary/pageTexts';
import { Texts } from '../../src/summary/texts';
import { titleMessages } from '../../src/vocabulary/issueTypes';
import { roleOfName } from '../../src/vocabulary/roles';

export const englishTexts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Readonly<
  Record<string, string>
>;

export const germanTexts = new Texts(
  Object.fromEntries(
    Object.entries({ ...titleMessages, ...pageTexts }).map(([key, { text }]) => [
      key,
      german[text] ?? '?',
    ]),
  ),
  'de',
);

/** The heading of a column with this name, if the column has the role that its name suggests. */
export function headingOf(name: string): string {
  const role = roleOfName(name);
  const ofColumn = role === undefined || role === 'scorecard' ? {} : { role };
  return columnTitle({ name, ...ofColumn }, englishTexts);
}

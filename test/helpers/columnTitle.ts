import { columnTitle } from '../../src/summary/columnTitles';
import { pageTexts } from '../../src/summary/pageTexts';
import { Texts } from '../../src/summary/texts';
import { roleOfName } from '../../src/vocabulary/roles';

export const englishTexts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

/** The heading of a column with this name, if the column has the role that its name suggests. */
export function headingOf(name: string): string {
  const role = roleOfName(name);
  const ofColumn = role === undefined || role === 'scorecard' ? {} : { role };
  return columnTitle({ name, ...ofColumn }, englishTexts);
}

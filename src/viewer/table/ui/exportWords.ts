import * as vscode from 'vscode';
import {
  type Column,
  type ExportWords,
  findOldColumns,
  type TableInfo,
  withoutOldColumns,
} from '../../../engine';
import { columnTitle, columnTitles } from '../../../summary/columnTitles';
import type { FileAbout } from '../../../summary/fileAbout';
import { Texts } from '../../../summary/texts';
import { spellName } from '../../../vocabulary/fieldNames';
import { isNameOf, namesOf } from '../../../vocabulary/meanings';
import type { Ratings } from '../../../vocabulary/grade';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { localizedTexts } from '../../../workbench/webviewPage';

const { t } = vscode.l10n;

/** The names that are known of a file. */
export interface FileNames {
  readonly about: FileAbout;
  /** By UUID in lower case. */
  readonly scorecardNames: Readonly<Record<string, string>>;
  /** How their companies are rated, as far as that is known. */
  readonly ratings?: Ratings;
  readonly names: ShownNames;
}

/** The texts of a page of the file. */
export function createTexts({ scorecardNames, names }: FileNames): Texts {
  return new Texts(localizedTexts(), vscode.env.language, scorecardNames, names);
}

/** The titles of columns, as the page has them. */
export function titlesIn(
  info: TableInfo,
  { about }: FileNames,
  texts: Texts,
): ReadonlyMap<string, string> {
  const { columns } = about.comparison ? withoutOldColumns(info) : info;
  return columnTitles(columns, texts);
}

/** What people read in an exported file instead of what is in the table's file. */
export function exportWords(info: TableInfo, file: FileNames): ExportWords {
  const texts = createTexts(file);
  const { names, changes } = texts;
  const titles = new Map(titlesIn(info, file, texts));
  for (const { id, name } of info.columns.filter(isScorecardId)) {
    // Its values stay IDs: a column of its own has the names.
    titles.set(id, spellName(name));
  }
  for (const [id, old] of findOldColumns(info.columns)) {
    titles.set(old, t('{0} (before)', titles.get(id) ?? id));
  }
  return {
    texts: names.texts,
    changes,
    titles: Object.fromEntries(titles),
    ...reasonWords(texts),
  };
}

/** What is written in columns that an export or a copy adds. */
export function reasonWords(texts: Texts): Pick<ExportWords, 'addedTitles' | 'past'> {
  const [scorecardName = ''] = namesOf('scorecardName');
  return {
    addedTitles: {
      scorecardName: columnTitle({ name: scorecardName }, texts),
      known: texts.get('known'),
      wasKnown: t('Was known'),
    },
    past: { expired: texts.get('expired'), worse: texts.get('worse') },
  };
}

function isScorecardId({ name }: Column): boolean {
  return isNameOf('scorecardId', name);
}

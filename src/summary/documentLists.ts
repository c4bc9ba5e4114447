import { type ListInfo, splitLists, type TableInfo, wholeDocument } from '../engine/page';
import type { Texts } from './texts';

/** A list of a JSON document that can be shown. */
interface ListOption extends ListInfo {
  /** What tells it from the others. */
  readonly name: string;
  readonly isShown: boolean;
}

/** The lists of a JSON document, if there is more than one choice. */
export function listOptions(info: TableInfo, texts: Texts): readonly ListOption[] {
  const { format, list: shown = wholeDocument, lists, rows } = info;
  if (format.kind !== 'json' || !lists) {
    return [];
  }
  const isArray = [shown, ...lists.map(({ list }) => list)].some((list) => list.startsWith('['));
  const all = [...lists, ...(isArray ? [] : [{ list: wholeDocument, rows: 1 }])];
  // One that is empty, or has only plain values, is shown if there is nothing better.
  const isListed = all.some(({ list }) => list === shown);
  const options: readonly ListInfo[] = isListed ? all : [{ list: shown, rows }, ...all];
  const singles = [...new Set(options.flatMap(({ list }) => splitLists(list)))];
  const names = singles.map(nameOfList);
  const labelOf = (lists: string) => splitLists(lists).map(labelOfOne).join(' + ');
  const labelOfOne = (list: string) => {
    const name = nameOfList(list);
    if (list === wholeDocument) {
      return texts.get('wholeDocument');
    }
    if (name === '') {
      return list === '[]' ? texts.get('topList') : list;
    }
    return names.indexOf(name) === names.lastIndexOf(name) ? name : withoutEnd(list);
  };
  return options.length < 2
    ? []
    : options.map((option) => ({
        ...option,
        name: labelOf(option.list),
        isShown: option.list === shown,
      }));
}

/** The name of the member that has a list; empty for the top one. A name in quotes may have dots. */
export function nameOfList(list: string): string {
  const [, name = ''] = /(?:^|\.)("(?:[^"\\]|\\.)*"|[^".]*)$/.exec(withoutEnd(list)) ?? [];
  return name;
}

function withoutEnd(list: string): string {
  return list.replace(/(?<!\[\]|\{\})(?:\[\]|\{\})+$/, '');
}

/** The other lists of a document that have findings: these are not among those that are counted. */
export function otherFindings(info: TableInfo, texts: Texts): readonly ListOption[] {
  const others = new Set(otherLists(info));
  return listOptions(info, texts).filter(({ list }) => others.has(list));
}

/** The names of all lists with findings but the one that is shown. */
export function listsNotShown({
  list: shown = wholeDocument,
  lists = [],
}: Pick<TableInfo, 'list' | 'lists'>): readonly string[] {
  return lists.flatMap(({ list, hasFindings, rows }) =>
    hasFindings && list !== shown && rows > 0 ? list : [],
  );
}

/** The names of the other lists that have findings. Lists in the rows tell more of the same findings. */
function otherLists({
  list: shown = wholeDocument,
  lists = [],
}: Pick<TableInfo, 'list' | 'lists'>): readonly string[] {
  const shownLists = splitLists(shown);
  const isInRows = (list: string) =>
    shown !== wholeDocument && shownLists.some((each) => list.startsWith(`${each}.`));
  const isOther = (list: string) => splitLists(list).every((each) => !shownLists.includes(each));
  return listsNotShown({ list: shown, lists }).filter((list) => isOther(list) && !isInRows(list));
}

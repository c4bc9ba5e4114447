import type { Cell, ColumnRole } from '../../engine/types';
import { element, textButton } from '../dom';
import type { Texts } from '../texts';
import { toneOf } from './severityTones';

/** UTF-16 units of a text, and members of a list, that are shown before Show More. */
const shortText = 4000;
const shortList = 100;
const longestDate = 40;

/**
 * A value for users: local dates, folded nested values, truncated texts, and severities and keys of the service
 * as words.
 * @param role the role of its column.
 */
export function valueView(cell: Cell, texts: Texts, role?: ColumnRole): Node {
  const { kind, text, masked } = cell;
  if (masked) {
    return element('span', { class: 'faint', title: texts.get('masked') }, text);
  }
  switch (kind) {
    case 'null':
      return element('span', { class: 'faint' }, texts.get('nothing'));
    case 'missing':
      return element('span', { class: 'faint' }, texts.get('missing'));
    case 'json':
      return jsonView(text, texts);
    default: {
      const words = texts.value(cell, role);
      return role !== undefined && words !== text
        ? wordsView(text, words, role)
        : textView(text, texts);
    }
  }
}

/** What a value means, with the value as in the file in its tooltip. */
function wordsView(text: string, words: string, role: ColumnRole): Node {
  const isSeverity = role === 'severity';
  return element(
    'span',
    {
      class: isSeverity ? 'text severity' : 'text',
      dir: 'auto',
      title: text,
      ...(isSeverity && { 'data-tone': toneOf(text) }),
    },
    words,
  );
}

function textView(text: string, texts: Texts): Node {
  const scorecard = texts.scorecards.of(text);
  if (scorecard !== undefined) {
    return element('span', { class: 'text', dir: 'auto', title: text }, scorecard);
  }
  const date = text.length <= longestDate ? texts.date(text) : undefined;
  if (date !== undefined) {
    // Also shows the date as in the file: filters and other programs use that form.
    return element(
      'span',
      {},
      element('time', { datetime: text, title: text }, date),
      ' ',
      element('span', { class: 'written faint' }, text),
    );
  }
  const shown = element('span', { class: 'text', dir: 'auto' }, text.slice(0, shortText));
  if (text.length <= shortText) {
    return shown;
  }
  const all = element('span', {}, shown);
  const more = textButton(texts.get('showMore'), () => {
    shown.textContent = text;
    more.remove();
  });
  all.append(more);
  return all;
}

function jsonView(text: string, texts: Texts): Node {
  try {
    JSON.parse(text);
  } catch {
    // Truncated, or masked so that it is not JSON: shown as text.
    return textView(text, texts);
  }
  return treeOf(text.trim(), texts);
}

/** A JSON value as written: parsed numbers would lose digits. */
function treeOf(text: string, texts: Texts): Node {
  switch (text[0]) {
    case '"':
      return textView(JSON.parse(text) as string, texts);
    case '{':
    case '[':
      return foldedTree(text, texts);
    default:
      return text === 'null'
        ? element('span', { class: 'faint' }, texts.get('nothing'))
        : element('span', {}, text);
  }
}

function foldedTree(text: string, texts: Texts): Node {
  const members = membersOf(text);
  const summary = element(
    'summary',
    {},
    element('span', { class: 'faint' }, summaryOf(text, members, texts)),
  );
  const folded = element('details', {}, summary);
  // Folded values are not built: they may have thousands of members.
  folded.addEventListener(
    'toggle',
    () => {
      folded.append(memberList(members, texts));
    },
    { once: true },
  );
  return folded;
}

function summaryOf(text: string, members: readonly Member[], texts: Texts): string {
  const beginning = beginningOf(text, 60);
  const short = beginning.length > 60 ? `${beginning.slice(0, 60)}…` : beginning;
  const { length } = members;
  return text.startsWith('[')
    ? `${texts.get(length === 1 ? 'oneItem' : 'items', length)} ${short}`
    : short;
}

function memberList(members: readonly Member[], texts: Texts): Node {
  const list = element('dl', { class: 'members' });
  const add = (from: number): void => {
    for (const [name, value] of members.slice(from, from + shortList)) {
      list.append(element('dt', { dir: 'auto' }, name), element('dd', {}, treeOf(value, texts)));
    }
    if (members.length > from + shortList) {
      const more = textButton(texts.get('showMore'), () => {
        more.parentElement?.remove();
        add(from + shortList);
      });
      list.append(element('dd', {}, more));
    }
  };
  add(0);
  return list;
}

/**
 * The fields of a record, one below the other.
 * @param valueOf makes the `dd` of a field.
 */
export function recordFields<Field extends { readonly name: string }>(
  fields: readonly Field[],
  valueOf: (field: Field) => HTMLElement,
): HTMLElement {
  const list = element('dl', { class: 'fields' });
  for (const field of fields) {
    list.append(element('dt', { dir: 'auto' }, field.name), valueOf(field));
  }
  return list;
}

/** A member of an array or object: its name or index, and its value as written. */
type Member = readonly [name: string, value: string];

/**
 * The members of a JSON array or object. Values stay as written: numbers keep their digits, and
 * duplicate members are not lost, as they would be in parsed values.
 */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  const add = (end: number): void => {
    const value = text.slice(start, end).trim();
    if (value !== '') {
      members.push([name ?? String(members.length), value]);
    }
    start = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth += 1;
        start = depth === 1 ? at + 1 : start;
        break;
      case ':':
        if (depth === 1) {
          name = JSON.parse(text.slice(start, at)) as string;
          start = at + 1;
        }
        break;
      case ',':
        if (depth === 1) {
          add(at);
        }
        break;
      case '}':
      case ']':
        if (depth === 1) {
          add(at);
        }
        depth -= 1;
        break;
      default:
        break;
    }
  }
  return members;
}

/**
 * The beginning of a JSON text without white space between its tokens: slightly more than `length`
 * units.
 */
export function beginningOf(text: string, length: number): string {
  let beginning = '';
  for (let at = 0; at < text.length && beginning.length <= length; at += 1) {
    const end = text[at] === '"' ? Math.min(endOfString(text, at), at + length) : at;
    beginning += text.slice(at, end + 1).trim();
    at = end;
  }
  return beginning;
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}

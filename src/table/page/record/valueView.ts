import type { Cell } from '../../engine/types';
import { element, textButton } from '../dom';
import { beginningOf, membersOf, type Member } from './jsonMembers';
import type { Texts } from '../texts';

/** UTF-16 units of a text, and members of a list, that are shown before Show More. */
const shortText = 4000;
const shortList = 100;
const longestDate = 40;

/** A value for people: local dates, folded nested values, truncated texts. */
export function valueView({ kind, text, masked }: Cell, texts: Texts): Node {
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
    default:
      return textView(text, texts);
  }
}

function textView(text: string, texts: Texts): Node {
  const scorecard = texts.scorecards.of(text);
  if (scorecard !== undefined) {
    return element('span', { class: 'text', dir: 'auto', title: text }, scorecard);
  }
  const date = text.length <= longestDate ? texts.date(text) : undefined;
  if (date !== undefined) {
    // Also as in the file: filters and other programs use that form.
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

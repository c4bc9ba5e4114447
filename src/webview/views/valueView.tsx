import { type ComponentChild, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { isContainer, type JsonContainer, type JsonValue } from '../../base/json/json';
import { parseJson } from '../../base/json/parseJson';
import type { Cell, Column } from '../../engine/page';
import { Folded, TextButton } from '../dom/components';
import { isMaskedWhole, type ShownField } from '../../summary/shownRecord';
import type { Texts } from '../../summary/texts';
import { splitCves } from '../../vocabulary/cve';
import { listWords } from '../../vocabulary/listWords';
import { type Tone, findTone } from '../../summary/severityTones';

/** UTF-16 units of a text, and members of a list, that are shown before Show More. */
const shortText = 4000;
const shortList = 100;
/** UTF-16 units of a folded value. */
const shortTree = 60;
const longestDate = 40;

/**
 * A value for users: local dates, folded nested values, truncated texts, and severities and keys of the service
 * as words.
 * @param column that of the value, by its role and name; nothing if it has none.
 */
export function valueView(
  cell: Cell,
  texts: Texts,
  column?: Pick<Column, 'name' | 'role' | 'scale'>,
) {
  const { kind, text } = cell;
  if (isMaskedWhole(cell)) {
    return faint(text, texts.get('masked'));
  }
  switch (kind) {
    case 'null':
      return faint(texts.get('nothing'));
    case 'missing':
      return faint(texts.get('missing'));
    case 'json': {
      const value = parsed(text);
      return value === undefined ? textView(text, texts) : createTree(value, texts);
    }
    default: {
      const role = column?.role;
      const words = texts.value({ kind, text }, role);
      if (role === 'severity') {
        return wordsView(text, words, findTone(text, column));
      }
      return role !== undefined && words !== text ? wordsView(text, words) : textView(text, texts);
    }
  }
}

function faint(text: string, title?: string) {
  return (
    <span class="faint" title={title}>
      {text}
    </span>
  );
}

/** What a value means, with the value as in the file in its tooltip. */
function wordsView(text: string, words: string, tone?: Tone) {
  return (
    <span class={tone ? 'text severity' : 'text'} dir="auto" title={text} data-tone={tone}>
      {words}
    </span>
  );
}

function textView(text: string, texts: Texts) {
  const scorecard = texts.findScorecard(text);
  if (scorecard !== undefined) {
    return wordsView(text, scorecard);
  }
  const date = text.length <= longestDate ? texts.date(text) : undefined;
  if (date === undefined) {
    return <LongText text={text} texts={texts} />;
  }
  // Also shows the date as in the file: filters and other programs use that form.
  return (
    <span>
      <time dateTime={text} title={text}>
        {date}
      </time>{' '}
      <span class="written faint">{text}</span>
    </span>
  );
}

function LongText({ text, texts }: { readonly text: string; readonly texts: Texts }) {
  const [length, setLength] = useState(shortText);
  const showAll = () => setLength(Infinity);
  return (
    <span>
      <span class="text" dir="auto">
        <WithCves text={text.slice(0, length)} texts={texts} />
      </span>
      {text.length > length && <TextButton onClick={showAll}>{texts.get('showMore')}</TextButton>}
    </span>
  );
}

/** What opens the page of a CVE; without it, ids are not links. */
export const OpenCve = createContext<((id: string) => void) | undefined>(undefined);

function WithCves({ text, texts }: { readonly text: string; readonly texts: Texts }) {
  const open = useContext(OpenCve);
  if (!open) {
    return text;
  }
  return splitCves(text).map((part) => {
    const { cve } = part;
    return cve === undefined ? (
      part.text
    ) : (
      <TextButton
        class="text-button link cve"
        title={texts.get('openCve', cve)}
        onClick={() => open(cve)}
      >
        {part.text}
      </TextButton>
    );
  });
}

/** Nothing for a text that was truncated, or masked so that it is not JSON, or is nested too deeply to be drawn. */
function parsed(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text);
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

/** A JSON value, with numbers as written. */
function createTree(value: JsonValue, texts: Texts) {
  if (isContainer(value)) {
    return foldedTree(value, texts);
  }
  if (typeof value === 'string') {
    return textView(value, texts);
  }
  return value === null ? faint(texts.get('nothing')) : <span>{String(value)}</span>;
}

function foldedTree(value: JsonContainer, texts: Texts) {
  const members = Object.entries(value);
  if (members.length === 0) {
    return faint(texts.get(Array.isArray(value) ? 'emptyList' : 'emptyObject'));
  }
  const json = JSON.stringify(value);
  const text = listWords(json) ?? json;
  const short = text.length > shortTree ? `${text.slice(0, shortTree)}…` : text;
  const count = texts.get(members.length === 1 ? 'oneItem' : 'items', members.length);
  return (
    <Folded
      summary={faint(Array.isArray(value) ? `${count} ${short}` : short)}
      content={() => <MemberList members={members} texts={texts} />}
    />
  );
}

type Members = readonly (readonly [name: string, value: JsonValue])[];

function MemberList({ members, texts }: { readonly members: Members; readonly texts: Texts }) {
  const [shown, setShown] = useState(shortList);
  const showMore = () => setShown(shown + shortList);
  return (
    <dl class="members">
      {members.slice(0, shown).map(([name, value]) => (
        <>
          <dt dir="auto">{name}</dt>
          <dd>{createTree(value, texts)}</dd>
        </>
      ))}
      {members.length > shown && (
        <dd>
          <TextButton onClick={showMore}>{texts.get('showMore')}</TextButton>
        </dd>
      )}
    </dl>
  );
}

/**
 * The fields of a record, one below the other.
 * @param valueOf makes the `dd` of a field.
 */
export function fieldList<Field extends Pick<ShownField, 'name' | 'title'>>(
  fields: readonly Field[],
  valueOf: (field: Field) => ComponentChild,
) {
  return (
    <dl class="fields">
      {fields.map((field) => (
        <>
          <dt dir="auto" title={field.title && field.name}>
            {field.title ?? field.name}
          </dt>
          {valueOf(field)}
        </>
      ))}
    </dl>
  );
}

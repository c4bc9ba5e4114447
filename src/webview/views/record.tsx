import type { ComponentChild } from 'preact';
import type { NoRecord, RecordAction } from '../../protocol/recordProtocol';
import {
  isCopyable,
  type RecordFact,
  type ShownField,
  type ShownRecord,
} from '../../summary/shownRecord';
import type { Texts } from '../../summary/texts';
import { Folded, IconButton, TextButton } from '../dom/components';
import { linkLine } from './linkLine';
import { fieldList, OpenCve, valueView } from './valueView';

/** The level of the heading of a record: 1 on a page of its own. */
type Level = 1 | 2;

/** @param tools buttons beside the title. */
export function recordHead(title: string, level: Level, tools?: ComponentChild) {
  const Title = `h${level}` as const;
  return (
    <div class="record-head">
      <Title dir="auto">{title}</Title>
      {tools}
    </div>
  );
}

/** What is shown instead of a record. */
export function noRecord(state: NoRecord, tryAgain: () => void) {
  return (
    <>
      <p key={state.type} role={state.type === 'failed' ? 'alert' : 'status'}>
        {state.message}
      </p>
      {state.type === 'failed' && <TextButton onClick={tryAgain}>{state.tryAgain}</TextButton>}
    </>
  );
}

interface RecordParts {
  readonly shown: ShownRecord;
  /** Its number. */
  readonly record: number;
  /** The number of the record whose links are shown, if those of this one are not known yet. */
  readonly linkedRecord?: number | undefined;
  readonly level: Level;
  readonly texts: Texts;
  readonly send: (action: RecordAction) => void;
}

/** All of a record but its title: of a finding of the service, or of a row of a table. */
export function recordBody(parts: RecordParts) {
  const { shown, record, linkedRecord = record, texts, send } = parts;
  const { subtitle, notice, facts, meaning, recommendation, links, secrets, source } = shown;
  const hasTwoParts = shown.key.length > 0 && shown.more.length > 0;
  return (
    <OpenCve.Provider key={record} value={(id) => send({ type: 'openCve', id })}>
      {subtitle !== undefined && <p class="faint">{subtitle}</p>}
      {notice !== undefined && <p class="invalid-reason">{notice}</p>}
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map((fact) => (
            <div>
              <dt dir="auto">{fact.label}</dt>
              <dd>{factView(fact, texts)}</dd>
            </div>
          ))}
        </dl>
      )}
      {meaning !== undefined && <p class="meaning">{meaning}</p>}
      {recommendation !== undefined && (
        <p class="meaning" dir="auto">
          {texts.get('recommendation', recommendation)}
        </p>
      )}
      {links && linkLine(links, texts, (type) => send({ type, record: linkedRecord }))}
      {secrets !== 'none' && secretsButton(secrets, parts)}
      {fieldSection(shown.key, parts, hasTwoParts ? texts.get('keyFields') : undefined)}
      {fieldSection(shown.more, parts, hasTwoParts ? texts.get('moreFields') : undefined)}
      {source && sourceText(source, texts)}
    </OpenCve.Provider>
  );
}

function secretsButton(secrets: 'masked' | 'shown', { texts, send }: RecordParts) {
  const isMasked = secrets === 'masked';
  return (
    <p>
      <TextButton onClick={() => send({ type: 'secrets', on: isMasked })}>
        {texts.get(isMasked ? 'showSecrets' : 'hideSecrets')}
      </TextButton>
    </p>
  );
}

/** Severity, status or a time. */
function factView({ kind, text, tone, written, source }: RecordFact, texts: Texts) {
  switch (kind) {
    case 'text':
      return (
        <span dir="auto" title={written}>
          {text}
        </span>
      );
    case 'date':
      return valueView({ kind, text }, texts);
    case 'severity':
      return (
        <>
          <span class="severity" dir="auto" title={written} data-tone={tone}>
            {text}
          </span>
          {source !== undefined && <div class="faint">{source}</div>}
        </>
      );
  }
}

function fieldSection(
  fields: readonly ShownField[],
  { level, texts, send, record }: RecordParts,
  heading: string | undefined,
) {
  const Heading = level === 1 ? 'h2' : 'h3';
  const copyButton = ({ id, name, title = name }: ShownField) => (
    <IconButton
      name="copy"
      label={texts.get('copyField', title)}
      onClick={() => send({ type: 'copyField', record, field: id })}
    />
  );
  return (
    fields.length > 0 && (
      <section>
        {heading !== undefined && <Heading>{heading}</Heading>}
        {fieldList(fields, (field) => (
          <dd class={field.cell.was && 'differs'} data-kind={field.cell.kind}>
            {fieldValue(field, texts)}
            {isCopyable(field.cell) && copyButton(field)}
          </dd>
        ))}
      </section>
    )
  );
}

/** A value. If it has changed, both versions, the old one first. */
function fieldValue(field: ShownField, texts: Texts) {
  const { cell } = field;
  return cell.was ? (
    <div class="changed-value">
      <del data-label={texts.get('oldValue')}>{valueView(cell.was, texts, field)}</del>
      <ins data-label={texts.get('newValue')}>{valueView(cell, texts, field)}</ins>
    </div>
  ) : (
    valueView(cell, texts, field)
  );
}

/** The record as in its file, which may have a megabyte. */
function sourceText({ text, cut, open }: NonNullable<ShownRecord['source']>, texts: Texts) {
  const content = () => (
    <>
      <pre dir="auto">{text}</pre>
      {cut && <p class="faint">{texts.get('recordCut')}</p>}
    </>
  );
  return <Folded class="raw" open={open} summary={texts.get('recordText')} content={content} />;
}

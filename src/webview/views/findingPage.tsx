import { IconButton, TextButton } from '../dom/components';
import type {
  FindingFact,
  FindingField,
  FindingHostMessage,
  FindingPageMessage,
  ShownFinding,
} from '../../protocol/findingProtocol';
import { Texts } from '../../summary/texts';
import { linkLine } from './linkLine';
import { severityTone } from '../../summary/severityTones';
import { fieldList, valueView } from './valueView';

/** Makes what sends a message to the host. */
type Send = (message: FindingPageMessage) => () => void;

/** The page of one finding: the finding, or why there is none yet. */
export function findingPage(message: FindingHostMessage, send: Send) {
  if (message.type === 'finding') {
    return shownFinding(message.finding, new Texts(message.texts, message.locale), send);
  }
  const isFailed = message.type === 'failed';
  return (
    <>
      <h1>{document.title}</h1>
      <p key={message.type} role={isFailed ? 'alert' : 'status'}>
        {message.message}
      </p>
      {isFailed && <TextButton onClick={send({ type: 'reload' })}>{message.tryAgain}</TextButton>}
    </>
  );
}

function shownFinding(finding: ShownFinding, texts: Texts, send: Send) {
  const { title, subtitle, facts, meaning, recommendation, links, secrets, key, more } = finding;
  const isMasked = secrets === 'masked';
  return (
    <>
      <header>
        <h1 dir="auto">{title}</h1>
        <p class="faint">{subtitle}</p>
        <dl class="facts">
          {facts.map((fact) => (
            <div>
              <dt>{fact.label}</dt>
              <dd>{factView(fact, texts)}</dd>
            </div>
          ))}
        </dl>
        {meaning !== undefined && <p class="meaning">{meaning}</p>}
        {recommendation !== undefined && (
          <p class="meaning" dir="auto">
            {texts.get('recommendation', recommendation)}
          </p>
        )}
        {linkLine(links, texts, (type) => send({ type })())}
        {secrets !== 'none' && (
          <p>
            <TextButton onClick={send({ type: 'secrets', on: isMasked })}>
              {texts.get(isMasked ? 'showSecrets' : 'maskSecrets')}
            </TextButton>
          </p>
        )}
      </header>
      {fieldSection(texts.get('keyFields'), key, texts, send)}
      {fieldSection(texts.get('moreFields'), more, texts, send)}
    </>
  );
}

/** Severity, status or a time. */
function factView({ kind, text, position, source }: FindingFact, texts: Texts) {
  switch (kind) {
    case 'text':
      return text;
    case 'date':
      return valueView({ kind, text }, texts);
    case 'severity':
      return (
        <>
          <span class="severity" data-tone={severityTone(position)}>
            {text}
          </span>
          {source !== undefined && <div class="faint">{source}</div>}
        </>
      );
  }
}

function fieldSection(heading: string, fields: readonly FindingField[], texts: Texts, send: Send) {
  const copyButton = (name: string) => (
    <IconButton
      name="copy"
      label={texts.get('copyField', name)}
      onClick={send({ type: 'copy', name })}
    />
  );
  return (
    fields.length > 0 && (
      <section>
        <h2>{heading}</h2>
        {fieldList(fields, ({ name, cell }) => (
          <dd data-kind={cell.kind}>
            {valueView(cell, texts)}
            {!cell.masked && cell.kind !== 'null' && copyButton(name)}
          </dd>
        ))}
      </section>
    )
  );
}

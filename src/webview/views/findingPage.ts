import { severityTone } from './severityTones';
import type {
  FindingFact,
  FindingHostMessage,
  FindingPageMessage,
  FindingField,
  ShownFinding,
} from '../findingProtocol';
import { element, iconButton, textButton } from '../dom';
import { Texts } from '../texts';
import { linkButtons } from './linkButtons';
import { recordFields, valueView } from './valueView';

/** The page of one finding. */
export class FindingPage {
  readonly root = element('main', { class: 'finding', tabindex: 0 });

  constructor(private readonly send: (message: FindingPageMessage) => void) {}

  /** Draws the finding, or why there is none yet. The scroll position stays. */
  show(message: FindingHostMessage): void {
    const focused = this.focusedControl();
    const { scrollTop } = this.root;
    if (message.type === 'finding') {
      this.draw(message.finding, new Texts(message.texts, message.locale));
    } else {
      const isFailed = message.type === 'failed';
      this.root.replaceChildren(
        element('h1', {}, document.title),
        element('p', { role: isFailed ? 'alert' : 'status' }, message.message),
        ...(isFailed ? [this.retryButton(message.tryAgain)] : []),
      );
    }
    this.root.scrollTop = scrollTop;
    if (focused !== undefined) {
      const control = this.root.querySelector<HTMLElement>(`[data-control="${focused}"]`);
      (control ?? this.root).focus();
    }
  }

  /** Focuses the page if its webview has the focus. Never takes the focus from another part of VS Code. */
  focus(): void {
    if (document.hasFocus() && document.activeElement === document.body) {
      this.root.focus();
    }
  }

  private focusedControl(): string | undefined {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && this.root.contains(focused)
      ? (focused.dataset.control ?? '')
      : undefined;
  }

  private draw(finding: ShownFinding, texts: Texts): void {
    const { key, more } = finding;
    const valueOf = (field: FindingField) =>
      element(
        'dd',
        { 'data-kind': field.cell.kind },
        valueView(field.cell, texts),
        ...this.copyButton(field, texts),
      );
    const section = (heading: string, fields: readonly FindingField[]) =>
      fields.length === 0
        ? []
        : [element('section', {}, element('h2', {}, heading), recordFields(fields, valueOf))];
    this.root.setAttribute('aria-label', finding.title);
    this.root.replaceChildren(
      element(
        'header',
        {},
        element('h1', { dir: 'auto' }, finding.title),
        element('p', { class: 'faint' }, finding.subtitle),
        factList(finding.facts, texts),
        ...adviceOf(finding, texts),
        ...this.linkRow(finding, texts),
        ...this.secretsButton(finding, texts),
      ),
      ...section(texts.get('keyFields'), key),
      ...section(texts.get('moreFields'), more),
    );
  }

  private retryButton(label: string): Node {
    return textButton(label, () => {
      this.send({ type: 'reload' });
    });
  }

  private linkRow({ links }: ShownFinding, texts: Texts): Node[] {
    const buttons = linkButtons(links, texts, {
      openFile: () => {
        this.send({ type: 'openFile' });
      },
      findAsset: () => {
        this.send({ type: 'findAsset' });
      },
    });
    buttons.forEach((button) => {
      button.dataset.control = 'link';
    });
    return buttons.length === 0 ? [] : [element('p', {}, ...buttons)];
  }

  private secretsButton({ secrets }: ShownFinding, texts: Texts): Node[] {
    if (secrets === 'none') {
      return [];
    }
    const isMasked = secrets === 'masked';
    const label = texts.get(isMasked ? 'showSecrets' : 'maskSecrets');
    const button = textButton(label, () => {
      this.send({ type: 'secrets', on: isMasked });
    });
    button.dataset.control = 'secrets';
    return [element('p', {}, button)];
  }

  private copyButton({ name, cell }: FindingField, texts: Texts): Node[] {
    if (cell.masked || cell.kind === 'null') {
      return [];
    }
    const label = texts.get('copyField', name);
    return [
      iconButton('copy', label, () => {
        this.send({ type: 'copy', name });
      }),
    ];
  }
}

/** What the issue type means and what to do about it, as far as that is known. */
function adviceOf({ meaning, recommendation }: ShownFinding, texts: Texts): Node[] {
  return [
    ...(meaning === undefined ? [] : [element('p', { class: 'meaning' }, meaning)]),
    ...(recommendation === undefined
      ? []
      : [
          element(
            'p',
            { class: 'meaning', dir: 'auto' },
            texts.get('recommendation', recommendation),
          ),
        ]),
  ];
}

/** Severity, status and times, side by side. */
function factList(facts: readonly FindingFact[], texts: Texts): Node {
  const list = element('dl', { class: 'facts' });
  for (const fact of facts) {
    list.append(
      element(
        'div',
        {},
        element('dt', {}, fact.label),
        element('dd', {}, ...factView(fact, texts)),
      ),
    );
  }
  return list;
}

function factView(
  { kind, text, position = 0, source }: FindingFact,
  texts: Texts,
): (Node | string)[] {
  switch (kind) {
    case 'text':
      return [text];
    case 'date':
      return [valueView({ kind, text }, texts)];
    case 'severity':
      return [
        element('span', { class: 'severity', 'data-tone': severityTone(position) }, text),
        ...(source === undefined ? [] : [element('div', { class: 'faint' }, source)]),
      ];
  }
}

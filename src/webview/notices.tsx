import { render } from 'preact';
import { Icon, TextButton } from './components';
import { element, type IconName } from './dom';
import { type FileNotice, fileNotices } from './fileNotices';
import type { PageContext } from './pageContext';

/** What is needed of the page. */
type NoticesPage = Pick<
  PageContext,
  'texts' | 'link' | 'view' | 'announcer' | 'changeCriteria' | 'show' | 'focusShown' | 'draw'
>;

/** A message about the file, with an action. */
interface Notice {
  readonly severity: Extract<IconName, 'info' | 'warning' | 'error'>;
  readonly text: string;
  /** Whether its count is still growing. */
  readonly isCounting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/**
 * Messages about the file and the last query, above the table and the overview. Only errors are announced at once:
 * counts that grow while a file is read would be announced over and over.
 */
export class PageNotices {
  readonly root = element('div', { class: 'notices' });
  private failure: Notice | undefined;
  /** Texts that are shown and were announced. */
  private announced: readonly string[] = [];

  constructor(private readonly page: NoticesPage) {}

  /** A new query makes an earlier failure obsolete. */
  clearFailure(): void {
    this.failure = undefined;
  }

  /** Shows that a query failed, until it is repeated. */
  fail(text: string, again: () => void): void {
    const { page } = this;
    this.failure = {
      severity: 'error',
      text,
      action: {
        label: page.texts.get('tryAgain'),
        run: () => {
          this.failure = undefined;
          again();
          page.draw();
          page.focusShown();
        },
      },
    };
    page.draw();
  }

  draw(): void {
    const notices = noticesOf(this.page);
    render([...(this.failure ? [this.failure] : []), ...notices].map(noticeView), this.root);
    if (this.page.view.info.done) {
      this.announceNew(
        notices
          .filter(({ severity, isCounting }) => severity !== 'error' && isCounting !== true)
          .map(({ text }) => text),
      );
    }
  }

  /** Announces texts that are new. A text that was gone is announced again: a file may change again. */
  private announceNew(texts: readonly string[]): void {
    for (const text of texts.filter((one) => !this.announced.includes(one))) {
      this.page.announcer.add(text);
    }
    this.announced = texts;
  }
}

function noticeView({ severity, text, action }: Notice) {
  return (
    <div key={text} class={`notice ${severity}`} role={severity === 'error' ? 'alert' : undefined}>
      <Icon name={severity} />
      <span>{text}</span>
      {action && <TextButton onClick={action.run}>{action.label}</TextButton>}
    </div>
  );
}

/** Messages about the file, with what a user can do. */
function noticesOf(page: NoticesPage): Notice[] {
  const { texts, view } = page;
  const { info, criteria, comparedPrefixBytes } = view;
  const notices: Notice[] = fileNotices(info, texts, criteria.invalidOnly).map((notice) => {
    const action = actionOf(notice, page);
    return { ...notice, ...(action && { action }) };
  });
  if (comparedPrefixBytes !== undefined) {
    notices.push({ severity: 'info', text: texts.get('comparedPrefixBytes', comparedPrefixBytes) });
  }
  return notices;
}

function actionOf({ kind }: FileNotice, page: NoticesPage): Notice['action'] {
  const { texts, view, link } = page;
  const { invalidOnly } = view.criteria;
  switch (kind) {
    case 'changed':
      return view.info.changed === 'removed'
        ? undefined
        : {
            label: texts.get('reload'),
            run: () => {
              link.send({ type: 'reload' });
              page.focusShown();
            },
          };
    case 'notUtf8':
      return {
        label: texts.get('reopenWithEncoding'),
        run: () => link.send({ type: 'reopenWithEncoding' }),
      };
    case 'invalid':
      return {
        label: texts.get(invalidOnly ? 'showAll' : 'showInvalid'),
        run: () => {
          page.changeCriteria({ invalidOnly: !invalidOnly });
          // The pressed button is gone, and the overview has no rows.
          page.show('table');
        },
      };
    default:
      return undefined;
  }
}

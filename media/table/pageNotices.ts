import { NoticeBar, type Notice } from './noticeBar';
import { noticesOf } from './noticesOf';
import type { TablePage } from './tablePage';

/** What a person should know about the file and the last query, in lines above the grid. */
export class PageNotices {
  private readonly bar = new NoticeBar();
  private failure: Notice | undefined;
  /** What stands there and was said. */
  private said: readonly string[] = [];

  constructor(private readonly page: TablePage) {}

  get root(): HTMLElement {
    return this.bar.root;
  }

  /** Something else is asked for: what failed before means nothing any more. */
  clearFailure(): void {
    this.failure = undefined;
  }

  /** Says that a query failed, until it is asked for again. */
  fail(text: string, again: () => void): void {
    const { page } = this;
    this.failure = {
      ...{ severity: 'error', text },
      action: {
        label: page.texts.get('tryAgain'),
        run: () => {
          this.failure = undefined;
          again();
          page.draw();
          page.grid.takeFocus();
        },
      },
    };
    page.draw();
  }

  draw(): void {
    const { page } = this;
    const { info, wish, sortedByFirst } = page.view;
    const notices = noticesOf(info, sortedByFirst, wish, page.texts, {
      reload: () => {
        page.link.send({ type: 'reload' });
        page.grid.takeFocus();
      },
      onlyWrong: (wrongOnly) => {
        page.wish({ wrongOnly });
        // The button that was pressed is gone.
        page.grid.takeFocus();
      },
    });
    this.bar.show([...(this.failure ? [this.failure] : []), ...notices]);
    if (info.done) {
      this.sayNew(
        notices
          .filter(({ severity, isCounting }) => severity !== 'error' && isCounting !== true)
          .map(({ text }) => text),
      );
    }
  }

  /** Says what did not stand there before: a file may be changed again after it was read anew. */
  private sayNew(texts: readonly string[]): void {
    for (const text of texts.filter((one) => !this.said.includes(one))) {
      this.page.announcer.add(text);
    }
    this.said = texts;
  }
}

import { element, icon, textButton, type IconName } from './dom';

/** Something a person should know about the file, with what can be done. */
export interface Notice {
  readonly severity: Extract<IconName, 'info' | 'warning' | 'error'>;
  readonly text: string;
  /** It counts what is still being found. */
  readonly isCounting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/**
 * Lines between the toolbar and the grid; drawn anew only when what they say changes. Only errors are said
 * as they come: what grows while a file is read would be said over and over.
 */
export class NoticeBar {
  readonly root = element('div', { class: 'notices' });
  private drawn = '';

  show(notices: readonly Notice[]): void {
    const key = JSON.stringify(notices);
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    this.root.replaceChildren(
      ...notices.map(({ severity, text, action }) => {
        const line = element(
          'div',
          { class: `notice ${severity}`, role: severity === 'error' && 'alert' },
          icon(severity),
          element('span', {}, text),
        );
        if (action) {
          line.append(textButton(action.label, action.run));
        }
        return line;
      }),
    );
  }
}

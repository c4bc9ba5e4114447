import { element } from './dom';

/** Says to screen readers what others see: politely, and only the last of several things at once. */
export class Announcer {
  readonly root = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.root.textContent = text;
    }, 100);
  }
}

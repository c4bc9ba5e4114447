import { element } from './dom';

/** Milliseconds in which announcements become one. */
const moment = 100;

/** Announces to screen readers what others see: politely, and only the last of several results. */
export class Announcer {
  readonly root = element('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  private result: string | undefined;
  private further: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.result = text;
    this.soon();
  }

  /** Adds an announcement to the result of the same moment. */
  add(text: string): void {
    this.further.push(text);
    this.soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const all = this.result === undefined ? this.further : [this.result, ...this.further];
      this.root.textContent = all.join('. ').replaceAll('.. ', '. ');
      this.result = undefined;
      this.further = [];
    }, moment);
  }
}

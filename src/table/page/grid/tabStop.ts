/** The part of a button that a tab stop needs. */
export type Stop = Pick<HTMLButtonElement, 'disabled' | 'hidden' | 'tabIndex'>;

export function isUsable({ disabled, hidden }: Stop): boolean {
  return !disabled && !hidden;
}

/** Makes one button of a toolbar its only tab stop. */
export function setTabStop(buttons: Iterable<Stop>, chosen: Stop | undefined): void {
  for (const button of buttons) {
    button.tabIndex = button === chosen ? 0 : -1;
  }
}

/** Moves the tab stop to the first usable button if its button is not usable any more. */
export function keepTabStop(buttons: readonly Stop[]): void {
  const usable = buttons.filter(isUsable);
  setTabStop(buttons, usable.find(({ tabIndex }) => tabIndex === 0) ?? usable[0]);
}

import type { PageTextKey } from '../../src/table/pageTexts';
import { element, iconButton } from './dom';
import type { Texts } from './texts';

const mac = navigator.platform.startsWith('Mac');
const control = mac ? '⌘' : 'Ctrl';
const alt = mac ? '⌥' : 'Alt';

type Lines = readonly (readonly [keys: string, meaning: PageTextKey])[];

const parts: readonly (readonly [title: PageTextKey, lines: Lines])[] = [
  [
    'helpMove',
    [
      ['↑ ↓ ← →', 'keyArrows'],
      ['Page Up, Page Down', 'keyPages'],
      ['Home, End', 'keyHomeEnd'],
      [`${control}+Home, ${control}+End`, 'keyCorners'],
      [`${control}+G`, 'keyGo'],
      [`${control}+F`, 'keyFind'],
      ['F3, Shift+F3', 'keyFindNext'],
      ['Enter', 'keyEnter'],
    ],
  ],
  [
    'helpSelect',
    [
      ['Shift+↑ ↓ ← →', 'keyShift'],
      ['Space', 'keySpace'],
      [`${control}+Space`, 'keyColumn'],
      [`${control}+A`, 'keyAll'],
      [`${control}+C`, 'keyCopy'],
      [`${control}+Shift+C`, 'keyCopyAs'],
    ],
  ],
  [
    'helpColumns',
    [
      ['↑', 'keyHeader'],
      ['Enter', 'keySort'],
      ['Shift+Enter', 'keySortMore'],
      [`${alt}+← →`, 'keyMove'],
      [`${alt}+Shift+← →`, 'keyResize'],
      [`${alt}+Shift+↑`, 'keyFit'],
      [`${alt}+↓, Shift+F10`, 'keyMenu'],
    ],
  ],
  [
    'helpFilters',
    [
      ['Enter', 'keyFilter'],
      ['Esc', 'keyFilterLeave'],
      ['abc', 'exampleContains'],
      ['"a*"', 'exampleQuoted'],
      ['abc*', 'exampleStarts'],
      ['=abc', 'exampleEquals'],
      ['!=abc', 'exampleDiffers'],
      ['>5, <=9.5', 'exampleCompare'],
      ['1..10', 'exampleRange'],
      ['2026-03..2026-04-15', 'exampleDates'],
      ['=', 'exampleEmpty'],
      ['!=', 'examplePresent'],
    ],
  ],
  [
    'helpOther',
    [
      ['F6', 'keyRecord'],
      ['Backspace', 'keyGroups'],
      ['Esc', 'keyEscape'],
      [`${alt}+F1, ?`, 'keyHelp'],
    ],
  ],
];

/** Shows all keys, and what can be typed into a filter; Escape closes it. */
export function showHelp(texts: Texts, onClose: () => void): void {
  const dialog = element('dialog', { class: 'help', 'aria-labelledby': 'help-title' });
  const close = iconButton('close', texts.get('close'), () => {
    dialog.close();
  });
  const body = element('div', { class: 'help-body', tabindex: 0, role: 'region' });
  body.setAttribute('aria-labelledby', 'help-title');
  dialog.append(
    element(
      'div',
      { class: 'help-head' },
      element('h1', { id: 'help-title' }, texts.get('helpTitle')),
      close,
    ),
    body,
  );
  for (const [title, lines] of parts) {
    const list = element('dl', {});
    for (const [keys, meaning] of lines) {
      list.append(
        element('dt', {}, element('kbd', {}, keys)),
        element('dd', {}, texts.get(meaning)),
      );
    }
    body.append(element('section', {}, element('h2', {}, texts.get(title)), list));
  }
  // No key goes through to the grid, or to VS Code.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  body.focus();
}

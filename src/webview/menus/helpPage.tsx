import { render } from 'preact';
import { IconButton } from '../dom/components';
import { element, focusShown } from '../dom/dom';
import type { PageTextKey } from '../../summary/pageTexts';
import { keyName } from '../dom/keys';
import type { Texts } from '../../summary/texts';

/** Keys or filter examples, separated by commas, and what they mean. */
type Lines = Readonly<Record<string, PageTextKey>>;

const parts: Readonly<Partial<Record<PageTextKey, Lines>>> = {
  helpMove: {
    '↑ ↓ ← →': 'keyArrows',
    'Page Up, Page Down': 'keyPages',
    'Home, End': 'keyHomeEnd',
    'Ctrl+Home, Ctrl+End': 'keyCorners',
    'Ctrl+G': 'keyGo',
    'Ctrl+F': 'keyFind',
    'F3, Shift+F3': 'keyFindNext',
    Enter: 'keyEnter',
    'Ctrl+Enter': 'keyOpenFile',
  },
  helpSelect: {
    'Shift+↑ ↓ ← →': 'keyShift',
    Space: 'keySpace',
    'Ctrl+Space': 'keyColumn',
    'Ctrl+A': 'keyAll',
    'Ctrl+C': 'keyCopy',
    'Ctrl+Shift+C': 'keyCopyAs',
    'K, Shift+K': 'keyKnown',
  },
  columns: {
    '↑': 'keyHeader',
    Enter: 'keySort',
    'Shift+Enter': 'keySortMore',
    'Alt+← →': 'keyMove',
    'Alt+Shift+← →': 'keyResize',
    'Alt+Shift+↑': 'keyFit',
    'Alt+↓, Shift+F10': 'keyMenu',
  },
  filters: {
    Enter: 'keyFilter',
    Esc: 'keyFilterLeave',
    abc: 'exampleContains',
    '!abc': 'exampleLacks',
    '"a*"': 'exampleQuoted',
    'abc*': 'exampleStarts',
    '=abc': 'exampleEquals',
    '!=abc': 'exampleDiffers',
    '==abc, !==abc': 'exampleExact',
    'a | b': 'exampleEither',
    '==a | ==b': 'exampleSeveral',
    '>5, <=9.5': 'exampleCompare',
    '1..10': 'exampleRange',
    '2026-03..2026-04-15': 'exampleDates',
    '=': 'exampleEmpty',
    '!=': 'examplePresent',
  },
  helpOther: {
    F6: 'keyRecord',
    Backspace: 'keyGroups',
    Esc: 'keyEscape',
    'Alt+F1, ?': 'keyHelp',
  },
};

/** Shows all keys and filter examples; Escape closes it. */
export function showHelp(texts: Texts): void {
  const dialog = element('dialog', { class: 'help', 'aria-labelledby': 'help-title' });
  render(
    <>
      <div class="help-head">
        <h1 id="help-title">{texts.get('help')}</h1>
        <IconButton name="close" label={texts.get('close')} onClick={() => dialog.close()} />
      </div>
      <div class="help-body" tabIndex={0} role="region" aria-labelledby="help-title">
        {Object.entries(parts).map(([heading, lines]) => (
          <section>
            <h2>{texts.get(heading as PageTextKey)}</h2>
            <dl>
              {Object.entries(lines).map(([keys, meaning]) => (
                <>
                  <dt>
                    <kbd>{keys.split(', ').map(keyName).join(', ')}</kbd>
                  </dt>
                  <dd>{texts.get(meaning, keyName('Ctrl'))}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>,
    dialog,
  );
  // No key reaches the grid or VS Code.
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    // The browser has restored the focus, unless its element is gone; a user may have moved it.
    if (document.activeElement === document.body) {
      focusShown();
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('.help-body')?.focus();
}

export function closeHelp(): void {
  document.querySelector<HTMLDialogElement>('dialog.help')?.close();
}

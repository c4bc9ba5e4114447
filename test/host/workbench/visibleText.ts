import type { Locator } from 'playwright-core';

/** The texts of a row of a tree, and how much of them is visible. */
export interface RowText {
  readonly label: string;
  readonly description: string;
  /** The visible part of the label: all of it, or what is before the three dots. */
  readonly shownLabel: string;
  /** The visible part of the description. */
  readonly shownDescription: string;
  /** Whether the icon, if there is one, is within the row. */
  readonly isIconWhole: boolean;
}

/** Reads what a user sees of each row that is drawn, from the boxes of its letters. */
export function rowTexts(rows: Locator): Promise<RowText[]> {
  return rows.evaluateAll(readRows);
}

/** Runs in the page. */
function readRows(rows: (HTMLElement | SVGElement)[]): RowText[] {
  return rows.map((row) => {
    const box = row.querySelector('.monaco-icon-label-container');
    const label = row.querySelector('.label-name');
    const description = row.querySelector('.label-description');
    if (!(box instanceof HTMLElement) || !label) {
      throw new Error(`This row has no label: ${row.textContent}`);
    }
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas) {
      canvas.font = getComputedStyle(label).font;
    }
    const dots = canvas?.measureText('\u2026').width ?? 0;
    const { right } = box.getBoundingClientRect();
    // Half a pixel: boxes of letters are not rounded.
    const end = 0.5 + (box.scrollWidth > box.clientWidth ? right - dots : right);
    const shown = (element: Element | null): string => {
      const text = element?.textContent ?? '';
      const node = element && document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (!node) {
        return '';
      }
      const range = document.createRange();
      let count = 0;
      while (count < text.length) {
        range.setStart(node, count);
        range.setEnd(node, count + 1);
        if (range.getBoundingClientRect().right > end) {
          break;
        }
        count += 1;
      }
      return text.slice(0, count);
    };
    const icon = row.querySelector('.custom-view-tree-node-item-icon');
    const iconBox = icon?.getBoundingClientRect();
    return {
      label: label.textContent,
      description: description?.textContent ?? '',
      shownLabel: shown(label),
      shownDescription: shown(description),
      isIconWhole:
        iconBox === undefined ||
        iconBox.width === 0 ||
        (iconBox.width >= 16 && iconBox.right <= right),
    };
  });
}

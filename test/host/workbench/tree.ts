import type { ElementHandle, Locator } from 'playwright-core';

/** Expands or collapses a row of a tree, unless it is so already. */
export async function setExpanded(item: Locator, expanded: boolean): Promise<void> {
  if ((await item.getAttribute('aria-expanded')) !== String(expanded)) {
    await item.locator('.monaco-tl-twistie').click();
  }
  await item.and(item.page().locator(`[aria-expanded="${String(expanded)}"]`)).waitFor();
}

/** Scrolls a tree or list down until a whole row is visible; far rows are not in the DOM. */
export async function scrollTo(item: Locator, list: Locator): Promise<void> {
  const rows = list.locator('.monaco-list-rows');
  while (!(await isInside(item, list.locator('.monaco-list')))) {
    // In this order: the row may enter the DOM together with the last one, just after a check for it.
    if ((await rows.locator('[data-last-element="true"]').count()) && (await item.count()) === 0) {
      throw new Error(`The list ends before ${String(item)}.`);
    }
    const before = await rows.evaluate(scrollPosition);
    // Half of the visible height: a row that comes into view is not under the sticky parents at the top.
    const { height } = (await list.locator('.monaco-list').boundingBox()) ?? { height: 0 };
    // Not with the mouse: sooner or later a tooltip opens where it rests, and gets the wheel events.
    await list
      .locator('.monaco-list .monaco-scrollable-element')
      .first()
      .dispatchEvent('wheel', {
        // VS Code reads this property, in which 120 means a step of 50 pixels.
        wheelDeltaY: Math.floor((-height / 2 / 50) * 120),
      });
    await item
      .page()
      .waitForFunction(
        ([element, position]) => `${element.style.top} ${element.style.transform}` !== position,
        [(await rows.elementHandle()) as ElementHandle<HTMLElement>, before] as const,
      );
  }
}

/** The row of a tree that has the keyboard focus. */
export function focusedRow(list: Locator): Locator {
  return list.locator('.monaco-list:focus-within .monaco-list-row.focused');
}

function scrollPosition(rows: HTMLElement | SVGElement): string {
  return `${rows.style.top} ${rows.style.transform}`;
}

async function isInside(item: Locator, list: Locator): Promise<boolean> {
  const inner = (await item.count()) > 0 ? await item.boundingBox() : null;
  const outer = await list.boundingBox();
  return (
    inner !== null &&
    outer !== null &&
    inner.y >= outer.y &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

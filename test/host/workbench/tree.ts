import type { ElementHandle, Locator } from 'playwright-core';

/** Expands or collapses a row of a tree, unless it is so already. */
export async function setExpanded(item: Locator, expanded: boolean): Promise<void> {
  if ((await item.getAttribute('aria-expanded')) !== String(expanded)) {
    await item.locator('.monaco-tl-twistie').click();
  }
  await item.and(item.page().locator(`[aria-expanded="${String(expanded)}"]`)).waitFor();
}

/** Scrolls a tree or list down until the whole of a row is to be seen; far rows are not in the DOM. */
export async function scrollTo(item: Locator, list: Locator): Promise<void> {
  const rows = list.locator('.monaco-list-rows');
  await rows.hover();
  while (!(await isInside(item, list.locator('.monaco-list')))) {
    if ((await item.count()) === 0 && (await rows.locator('[data-last-element="true"]').count())) {
      throw new Error(`The list ends before ${String(item)}.`);
    }
    const before = await rows.evaluate(scrollPosition);
    await item.page().mouse.wheel(0, 66);
    await item
      .page()
      .waitForFunction(
        ([element, position]) => `${element.style.top} ${element.style.transform}` !== position,
        [(await rows.elementHandle()) as ElementHandle<HTMLElement>, before] as const,
      );
  }
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

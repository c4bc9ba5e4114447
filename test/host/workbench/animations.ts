import type { Disposable, Page } from 'playwright-core';

/**
 * Stops the animations of VS Code, such as the spinning icons of running reports: each draws up to 60 frames a
 * second, for which tests wait. The setting `workbench.reduceMotion` leaves some of them.
 * Call this before the page is opened.
 */
export async function stopAnimations(page: Page): Promise<void> {
  await page.addInitScript(
    addStyle,
    '*, ::before, ::after { animation: none !important; transition: none !important; }',
  );
}

/**
 * Makes a page invisible that nobody looks at. Layout and focus work as usual. Call this before the page is
 * opened. Disposing the result ends it for the next page.
 */
export function drawNothing(page: Page): Promise<Disposable> {
  return page.addInitScript(addStyle, 'body { opacity: 0 !important; }');
}

/** Draws again until the page is reloaded: for a picture, or for what looks at colors. */
export async function drawAgain(page: Page): Promise<void> {
  await page.evaluate(addStyle, ':root body { opacity: 1 !important; }');
}

/** Runs in the page, and in each frame of it; those of webviews stay as they are. */
function addStyle(rules: string): void {
  if (window.top === window) {
    const style = new CSSStyleSheet();
    style.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  }
}

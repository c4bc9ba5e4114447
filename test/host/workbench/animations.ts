import type { Page } from 'playwright-core';

/**
 * Stops the animations of VS Code, such as the spinning icons of running reports: each draws up to 60 frames a
 * second, for which tests wait. The setting `workbench.reduceMotion` leaves some of them.
 * Call this before the page is opened.
 */
export async function stopAnimations(page: Page): Promise<void> {
  await page.addInitScript(addStyle);
}

/** Runs in the page, and in each frame of it; those of webviews stay as they are. */
function addStyle(): void {
  if (window.top === window) {
    const style = new CSSStyleSheet();
    style.replaceSync(
      '*, ::before, ::after { animation: none !important; transition: none !important; }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  }
}

import axe from 'axe-core';
import type { FrameLocator } from 'playwright-core';

/** What axe finds wrong with the page of a webview. */
export async function faultsOf(webview: FrameLocator): Promise<string[]> {
  const body = await webview.locator('body').elementHandle();
  const frame = await body.ownerFrame();
  if (!frame) {
    throw new Error('The webview has no page.');
  }
  await frame.evaluate(axe.source);
  const violations = await frame.evaluate(
    async () =>
      (await (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }))
        .violations,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  );
}

import type { Workbench } from '../host/workbench/workbench';

/** What we make links of in texts that may hold words of others. */
const ours = new Set(['command:scorecard.continueInBackground']);

/** The targets of all links in notifications, the side bar and hovers that are not ours. */
export async function foreignLinks(workbench: Workbench): Promise<string[]> {
  const targets = await workbench.page
    .locator('.notification-toast a, .part.sidebar a[href], .monaco-hover a')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('data-href') ?? link.getAttribute('href') ?? ''),
    );
  return targets.filter((target) => target !== '' && !ours.has(target.split('?')[0] ?? ''));
}

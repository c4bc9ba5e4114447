import * as assert from 'node:assert/strict';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { drawAgain } from '../../host/workbench/animations';
import type { TableDriver } from './tableDriver';
import { themes, type ThemeName } from './themes';

const allRules = { resultTypes: ['violations'] } satisfies axe.RunOptions;

/** Those that depend on the theme. */
const colorRules = {
  ...allRules,
  runOnly: ['color-contrast', 'link-in-text-block'],
} satisfies axe.RunOptions;

/** All rules in one theme; in the others those that depend on colors. */
export function rulesOf(theme: ThemeName): axe.RunOptions {
  return theme === Object.keys(themes)[0] ? allRules : colorRules;
}

/** Expects that axe finds no fault; the page has `axe.source`. */
export async function assertNoFault(
  table: TableDriver,
  where: string,
  rules: axe.RunOptions = allRules,
): Promise<void> {
  assert.deepEqual(await faultsIn(table.page, where, rules), []);
}

/** What axe finds in a page, which has `axe.source`. */
export async function faultsIn(
  page: Page,
  where: string,
  rules: axe.RunOptions,
): Promise<string[]> {
  await drawAgain(page);
  const violations = await page.evaluate(
    async (options) =>
      (await (window as unknown as { axe: typeof axe }).axe.run(options)).violations,
    rules,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${where}: ${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary ?? ''}`).join('\n')}`,
  );
}

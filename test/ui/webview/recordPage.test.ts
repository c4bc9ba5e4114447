import * as assert from 'node:assert/strict';
import axe from 'axe-core';
import type { BrowserContext } from 'playwright-core';
import type { RecordHostMessage } from '../../../src/protocol/recordProtocol';
import { severityLevels } from '../../../src/vocabulary/severity';
import { localizedTexts } from '../../../src/workbench/webviewPage';
import { Cleanup } from '../../host/cleanup';
import { faultsIn, rulesOf } from './axeFaults';
import { openOwnPage, tellPage } from './ownPage';
import { newContext } from './tablePages';
import { themes, type ThemeName } from './themes';

/** A finding with each severity, each kind of value, and secrets; made where it is told. */
function shown(secrets: 'masked' | 'shown' = 'masked'): RecordHostMessage {
  const field = (name: string, kind: 'text' | 'json' | 'date' | 'null', text: string) =>
    ({ id: name, name, cell: { kind, text } }) as const;
  return {
    type: 'record',
    locale: 'en',
    texts: localizedTexts(),
    record: {
      title: '198.51.100.195:443',
      subtitle: 'Open port, finding 1 of One',
      facts: [
        ...severityLevels.map(
          (tone) => ({ kind: 'severity', label: 'Severity', text: tone, tone }) as const,
        ),
        {
          kind: 'severity',
          label: 'Severity',
          text: 'High',
          tone: 'high',
          source: 'Of the issue type',
        },
        { kind: 'text', label: 'Status', text: 'active' },
        { kind: 'date', label: 'First seen', text: '2026-11-22T12:00:00Z' },
      ],
      key: [
        field('ip', 'text', '198.51.100.195'),
        field('cve', 'text', 'CVE-2021-44228, see https://evil.example/?CVE-2014-0160'),
        {
          id: 'password',
          name: 'password',
          cell: { kind: 'text', text: '\u2022'.repeat(8), masked: true },
        },
      ],
      more: [
        field('evidence', 'json', '{"cipher":"AES128-SHA","ports":[22]}'),
        field('analysis', 'null', ''),
        field('last_seen', 'date', '2026-11-22'),
      ],
      links: { file: 'src/app.ts:42' },
      secrets,
    },
  };
}

describe('The page of a finding', () => {
  const cleanup = new Cleanup();
  let context: BrowserContext;

  before(async () => {
    context = cleanup.add(await newContext({ viewport: { width: 430, height: 800 } }), (each) =>
      each.close(),
    );
  });
  after(() => cleanup.run());

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`The page of a finding has no axe violations in the theme ${theme}`, async () => {
      const { page, line } = await openOwnPage(context, 'record', theme);
      await tellPage(page, { type: 'loading', message: 'Loading\u2026' });
      await page.getByRole('status').waitFor();
      await tellPage(page, shown());
      await page.getByRole('heading', { name: '198.51.100.195:443' }).waitFor();
      const cve = page.getByRole('button', { name: 'CVE-2021-44228', exact: true });
      await cve.press('Enter');
      await line.until(() => line.fromPage.some(({ type }) => type === 'openCve'));
      assert.deepEqual(line.fromPage.at(-1), { type: 'openCve', id: 'CVE-2021-44228' });
      assert.equal(await page.locator('a').count(), 0);
      await page.locator('summary').first().click();
      await page.evaluate(axe.source);
      assert.deepEqual(await faultsIn(page, 'record', rulesOf(theme)), []);
      await page.getByRole('button', { name: 'Show Secret Values' }).focus();
      await tellPage(page, shown('shown'));
      const mask = page.getByRole('button', { name: 'Hide Secret Values' });
      // What is loaded again keeps the focus and opened values.
      await mask.and(page.locator(':focus')).waitFor();
      await page.locator('details[open] dl').waitFor();
      await tellPage(page, { type: 'failed', message: 'Server error', tryAgain: 'Try Again' });
      await page.getByRole('alert').waitFor();
      await page.locator('main:focus').waitFor();
      assert.deepEqual(await faultsIn(page, 'failure', rulesOf(theme)), []);
      await page.close();
    });
  }
});

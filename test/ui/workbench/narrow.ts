import * as assert from 'node:assert/strict';
import { ReportTable } from '../../host/workbench/reportTable';
import { expandLoaded, halvorsen, restPointer } from '../../host/workbench/steps';
import { scrollTo, setExpanded } from '../../host/workbench/tree';
import { rowTexts, type RowText } from '../../host/workbench/visibleText';
import { deepIt } from '../../helpers/property';
import type { Fault, FaultyService } from '../faultyService';
import type { Ui } from '../fixture';

const notYet: Fault = { status: 425, message: 'Not yet' };
const slowly: Fault = { pieceEveryMs: 500 };
const refused: Fault = { status: 500, message: 'boom' };

/** In pixels: what a laptop leaves beside an editor, and what VS Code opens with. */
const widths = [200, 300];

/** With scorecards of the demo whose issue types nobody has opened, reports of one scorecard, and no editor. */
export function narrowTests(ui: Ui, faulty: { readonly service: FaultyService }): void {
  /** Shows one view alone, collapsing the others. */
  async function showOnly(view: string): Promise<void> {
    for (const each of ['Findings', 'Reports', 'Collections']) {
      const header = ui.workbench.view(each).locator('.pane-header');
      if ((await header.getAttribute('aria-expanded')) !== String(each === view)) {
        await header.click();
      }
    }
  }

  /** What is seen of the rows of a view in a side bar of a width. */
  async function rowsAt(width: number, view: string): Promise<RowText[]> {
    await ui.workbench.setSideBarWidth(width);
    await restPointer(ui.workbench);
    const { width: present = 0 } = (await ui.workbench.sideBar.boundingBox()) ?? {};
    assert.ok(Math.abs(present - width) <= 2, `the side bar is ${present} pixels wide`);
    const rows = await rowTexts(ui.workbench.view(view).locator('.monaco-list-row'));
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.ok(row.isIconWhole, `at ${width}: the icon of "${row.label}" is cut off`);
    }
    return rows;
  }

  function assertWhole(rows: readonly RowText[], width: number): void {
    for (const { label, shownLabel } of rows) {
      assert.equal(shownLabel, label, `at ${width} pixels`);
    }
  }

  deepIt(
    'Narrow views show the addresses of findings in full, and shorten numbers and dates',
    async () => {
      const { workbench } = ui;
      await showOnly('Findings');
      await expandLoaded(workbench, halvorsen, 'Open port');
      for (const width of widths) {
        const rows = await rowsAt(width, 'Findings');
        const findings = rows.filter(({ label }) => /^[\d.]+:\d+$/.test(label));
        assert.ok(findings.length > 10);
        assertWhole(findings, width);
        const [openPort] = rows.filter(({ label }) => label === 'Open port');
        // It has the focus, and with it its three buttons.
        assert.match(openPort?.shownLabel ?? '', /^Open/);
        for (const { description } of findings) {
          assert.match(description, / · #\d+$/);
        }
      }
      await workbench.setSideBarWidth(480);
      assert.ok(
        (await rowsAt(480, 'Findings')).some(
          ({ description, shownDescription }) =>
            shownDescription === description && description.endsWith('#2'),
        ),
      );
    },
  );

  deepIt('Narrow views show in full what a row loads, or what went wrong in it', async () => {
    const { workbench } = ui;
    await showOnly('Findings');
    const findings = workbench.view('Findings');
    const more = workbench.treeItem(/^Load 100 more/, findings);
    await scrollTo(more, findings);
    for (const width of widths) {
      const rows = await rowsAt(width, 'Findings');
      const [loadMore] = rows.filter(({ label }) => label.startsWith('Load '));
      assert.equal(loadMore?.shownLabel, 'Load 100 more');
      assertNoCutNumber(loadMore, width);
    }
    await workbench.page.keyboard.press('Home');
    await setExpanded(workbench.treeItem(/^Open port/, findings), false);
    faulty.service.fail('/paginated', refused);
    await setExpanded(workbench.treeItem(/^Malware infection/, findings), true);
    await workbench.treeItem(/^Server error 500/, findings).waitFor();
    for (const width of widths) {
      const rows = await rowsAt(width, 'Findings');
      const [failure] = rows.filter(({ label }) => label.startsWith('Server error'));
      assert.equal(failure?.shownLabel, 'Server error 500');
    }
    faulty.service.heal();
    await setExpanded(workbench.treeItem(/^Malware infection/, findings), false);
  });

  deepIt('Narrow views begin the row of a report with its activity or its state', async () => {
    const { workbench } = ui;
    const reports = workbench.view('Reports');
    await showOnly('Reports');
    const start = async (kind: 'Full' | 'Detailed', scorecard: string) => {
      await workbench.runCommand(`Scorecard: Start ${kind} Report`);
      await workbench.quickInput.pick(scorecard);
    };
    await start('Full', halvorsen);
    await workbench.treeItem(/\d Full report: Halvorsen/, reports).waitFor();
    await start('Detailed', 'Quillmark Health');
    await workbench.treeItem(/\d Detailed report: Quillmark/, reports).waitFor();
    faulty.service.fail('/reports/detailed', refused);
    await start('Detailed', 'Tarnwick Energy');
    await workbench.treeItem(/ Failed, Detailed report/, reports).waitFor();
    faulty.service.fail('/download', notYet);
    await start('Full', 'Bluefjord Bank');
    const toast = workbench.notifications.toast('Full report: Bluefjord Bank');
    // At once, not after some time.
    await toast.getByRole('button', { name: 'Cancel' }).waitFor();
    await workbench.treeItem(/^Generating, /, reports).waitFor();
    await assertReports([
      /^Generating$/,
      /^Today$/,
      /^\d\d:\d\d Failed$/,
      /^\d\d:\d\d Detailed report$/,
      /^\d\d:\d\d Full report$/,
    ]);
    faulty.service.fail('/download', slowly);
    await workbench.treeItem(/^Downloading \d+%, /, reports).waitFor();
    await assertReports([/^Downloading \d+%$/]);
    await workbench.statusBarItem(/^Scorecard Request Budget/).waitFor();
    const items = workbench.page.locator('.part.statusbar .statusbar-item');
    const cut = await items.evaluateAll((all) =>
      all.filter((item) => item.scrollWidth > item.clientWidth).map((item) => item.textContent),
    );
    assert.deepEqual(cut, []);
    faulty.service.heal();
    await toast.getByRole('button', { name: 'Cancel' }).click();
    await workbench.treeItem(/ Cancelled, Full report: Bluefjord/, reports).waitFor();
    await assertReports([/^Today$/, /^\d\d:\d\d Cancelled$/]);
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  /** Whether the first rows of the reports are these, whole. */
  async function assertReports(labels: readonly RegExp[]): Promise<void> {
    for (const width of widths) {
      const rows = (await rowsAt(width, 'Reports')).slice(0, labels.length);
      assertWhole(rows, width);
      rows.forEach(({ label }, at) => {
        assert.match(label, labels[at] ?? /^$/);
      });
    }
  }

  deepIt(
    'Narrow views show the name of an issue type, then how many findings are severe according to a report',
    async () => {
      const { workbench } = ui;
      // A report that is opened says how severe issue types are.
      await showOnly('Reports');
      await workbench.treeItem(/\d Full report: Halvorsen/, workbench.view('Reports')).click();
      await new ReportTable(workbench).count(/^High: /).waitFor();
      await showOnly('Findings');
      const findings = workbench.view('Findings');
      const scorecard = workbench.treeItem(new RegExp(`^${halvorsen}, [\\d,]+ high, `), findings);
      await setExpanded(scorecard, true);
      for (const width of widths) {
        const rows = await rowsAt(width, 'Findings');
        const types = rows.filter(({ description }) =>
          /^[\d,]+ (high|medium|low)/.test(description),
        );
        assert.ok(types.length > 3);
        const icons = findings.locator(
          '.monaco-list-row[aria-level="2"] .custom-view-tree-node-item-icon.codicon',
        );
        assert.ok((await icons.count()) > 3);
        for (const type of types) {
          assert.match(type.shownLabel, /^\S{3}/, `at ${width}: ${type.label}`);
        }
        // The scorecards, too. In a side bar of 200 pixels, not even a short title leaves room for all numbers, and a
        // row that has the focus shows its buttons.
        const plain = findings.locator('.monaco-list-row:not(.focused, .selected)');
        for (const { label, description, shownDescription } of width < 300
          ? []
          : await rowTexts(plain)) {
          const [number = ''] = /^[\d,]+ (critical|high|medium|low|info)/.exec(description) ?? [];
          assert.ok(shownDescription.startsWith(number), `"${shownDescription}" after "${label}"`);
        }
        // With its buttons, which show while the pointer is over it.
        await findings.hover();
        for (const title of await findings.locator('.pane-header .title, .description').all()) {
          assert.ok(await title.evaluate((text) => text.scrollWidth <= text.clientWidth));
        }
      }
      // Below a row with an icon theirs stand deeper.
      await setExpanded(workbench.treeItem(/^TLS: weak cipher/, findings), true);
      await workbench.treeItem(/, finding 1$/, findings).waitFor();
      for (const width of widths) {
        const hosts = (await rowsAt(width, 'Findings')).filter(({ label }) =>
          label.includes('halvorsen-maritime.example:'),
        );
        assert.ok(hosts.length > 5);
        for (const { label, shownLabel } of hosts) {
          // What differs, before what all have in common.
          const [host = ''] = label.split('.');
          assert.ok(
            shownLabel.startsWith(host.slice(0, 12)),
            `at ${width}: "${shownLabel}" of "${label}"`,
          );
        }
      }
    },
  );

  deepIt('Narrow views begin the rows of collections and entries with their names', async () => {
    const { workbench } = ui;
    await showOnly('Collections');
    const collections = workbench.view('Collections');
    const portfolios = workbench.treeItem(/^Portfolios/, collections);
    await setExpanded(portfolios, true);
    await workbench.treeItem(/^Load /, collections).waitFor();
    for (const width of widths) {
      const rows = await rowsAt(width, 'Collections');
      assert.ok(rows.some(({ shownLabel }) => shownLabel === 'Portfolios'));
      assert.ok(rows.some(({ shownLabel }) => shownLabel === 'My company'));
      for (const row of rows) {
        assertNoCutNumber(row, width);
      }
    }
  });

  /** Nothing that is seen ends in the middle of a number, which would read as another one. */
  function assertNoCutNumber(row: RowText | undefined, width: number): void {
    assert.ok(row);
    const shown = `${row.shownLabel} ${row.shownDescription}`.trim();
    const whole = `${row.label} ${row.description}`.trim();
    const rest = whole.slice(shown.length);
    assert.ok(
      !(/\d[.,]?$/.test(shown) && /^[.,]?\d/.test(rest)),
      `at ${width} pixels: "${shown}" of "${whole}"`,
    );
  }
}

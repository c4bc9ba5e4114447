import assert from 'node:assert/strict';
import { openPlain } from '../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../src/engine/read/tableFile';
import { TableCore } from '../../../src/engine/tableCore';
import type { LabeledFilter } from '../../../src/summary/labeledFilter';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import type { OverviewModel } from '../../../src/summary/countRows';
import { overviewModel } from '../../../src/summary/overviewModel';
import { tableFolder, work } from '../../helpers/tableFiles';

const texts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);
const now = Date.parse('2026-11-20');

/** Each value of a list in turn. */
const turn =
  <T>(...values: T[]) =>
  (row: number): T =>
    values[row % values.length] as T;

const csv = (count: number, columns: Readonly<Record<string, (row: number) => string>>) =>
  [
    Object.keys(columns).join(','),
    ...Array.from({ length: count }, (_, row) =>
      Object.values(columns)
        .map((valueOf) => valueOf(row))
        .join(','),
    ),
  ].join('\n');

const severity = turn('high', 'low', '', 'critical');

/** Files, and how many of their rows are open findings. */
const files: Readonly<Record<string, { readonly text: string; readonly open: number }>> = {
  'findings with a status, several assets and scorecards': {
    text: csv(3000, {
      severity,
      status: turn('active', 'resolved', '', "Won't fix", 'wont_fix', 'fixed '),
      issue_type: turn('open_port', 'spf_record_missing', 'own'),
      hostname: turn('a.example', '', '""', ' ', 'b.example'),
      ip_address: turn('192.0.2.1', '', '""'),
      url: turn('', 'https://x.example', '""', ''),
      first_seen: (row) => `2026-${String((row % 11) + 1).padStart(2, '0')}-01T00:00:00Z`,
      scorecard_name: turn('A', 'B', '', 'C', 'B'),
    }),
    open: 1000,
  },
  'signs of attacks': {
    text: csv(3000, {
      severity,
      status: turn('active', 'resolved'),
      cve: (row) => `CVE-2026-${row}`,
      'CISA KEV': turn('', '2021-12-10', 'No'),
      'EPSS Score': (row) => String((row % 1000) / 1000),
      exploit_available: turn('true', 'false', 'true', 'false'),
    }),
    open: 1500,
  },
  'signs of attacks in percent and in texts': {
    text: csv(1000, {
      severity,
      tags: turn('cve kev', 'cve', 'rce kev'),
      EPSS: (row) => `${row / 10}%`,
    }),
    open: 1000,
  },
  'rows that are no findings': {
    text: csv(1000, {
      order: String,
      status: turn('done', 'done', 'open'),
      country: turn('DE', 'FR'),
    }),
    open: 1000,
  },
  'more statuses than are counted, after closed ones': {
    text: csv(4000, {
      severity,
      status: (row) => (row < 2000 ? turn('open', 'resolved')(row) : `note ${row}`),
    }),
    open: 3000,
  },
  'statuses that only the first values tell': {
    text: csv(1000, {
      severity,
      lifecycle: (row) => (row < 900 ? turn('active', 'resolved')(row) : 'foo'),
    }),
    open: 1000,
  },
  'more closed statuses than are listed': {
    text: csv(6000, {
      severity,
      status: (row) => {
        const letters = Array.from('resolved', (letter, at) =>
          (((row >> 1) % 60) >> at) & 1 ? letter.toUpperCase() : letter,
        );
        return row % 2 === 0 ? 'open' : letters.join('');
      },
    }),
    open: 3000,
  },
  'a status, and another column that would close findings': {
    text: csv(3000, {
      severity,
      status: turn('active', 'resolved'),
      muted: turn('false', 'no'),
      team: turn('a', 'b', 'c'),
    }),
    open: 1500,
  },
  'nothing open': { text: csv(900, { severity, status: turn('fixed', 'closed') }), open: 0 },
};

describe('A count of the overview', () => {
  const folder = tableFolder();

  /** The numbers of the model, each with the filter that a click applies. */
  function counts({ sections }: OverviewModel): { number: number; chosen: LabeledFilter }[] {
    return sections
      .flatMap(({ rows }) => rows)
      .flatMap(({ count, chosen, cells = [] }) => [
        ...(chosen ? [{ number: count, chosen }] : []),
        ...cells.flatMap((cell) =>
          cell.chosen
            ? [{ number: Number(cell.text.replaceAll(',', '')), chosen: cell.chosen }]
            : [],
        ),
      ]);
  }

  for (const [name, { text, open }] of Object.entries(files)) {
    it(`A count of the overview leads to as many rows: ${name}`, async () => {
      const file = folder.write('a.csv', text);
      for (const scope of ['open', 'all'] as const) {
        const core = new TableCore(await TableFile.open(file, openPlain(file)));
        await core.start();
        const overview = await core.readOverview({ now, scope }, work());
        const about = { title: 'a.csv' };
        const added = overview.others.map(({ column }) => column);
        const context = { texts, about, info: core.info(), added, now };
        const model = overviewModel(overview, context);
        for (const { number, chosen } of counts(model)) {
          const { rows } = await core.query({ query: { filter: chosen.filter } }, work());
          assert.equal(rows, number, chosen.label);
        }
        const all = text.split('\n').length - 1;
        assert.equal(overview.rows, scope === 'open' ? open : all);
        const offers = model.facts.flatMap(({ action }) =>
          action?.type === 'count' ? [action.all] : [],
        );
        assert.deepEqual(
          offers,
          open === all || (open === 0 && scope === 'all') ? [] : [scope === 'open'],
        );
        assert.ok(counts(model).length > 0 || open === 0);
        core.close();
      }
    });
  }

  it('A count of the overview that is of all findings says so in its title, and only where closed ones are left out', async () => {
    const { text } = files['a status, and another column that would close findings'] ?? {};
    const file = folder.write('b.csv', text ?? '');
    const titles: string[][] = [];
    for (const scope of ['open', 'all'] as const) {
      const core = new TableCore(await TableFile.open(file, openPlain(file)));
      await core.start();
      const overview = await core.readOverview({ now, scope }, work());
      const added = overview.others.map(({ column }) => column);
      const context = { texts, about: { title: 'b.csv' }, info: core.info(), added, now };
      titles.push(overviewModel(overview, context).sections.map(({ title }) => title));
      core.close();
    }
    assert.deepEqual(titles, [
      ['Severity', 'Status: All Findings', 'Muted: All Findings', 'Team'],
      ['Severity', 'Status', 'Muted', 'Team'],
    ]);
  });
});

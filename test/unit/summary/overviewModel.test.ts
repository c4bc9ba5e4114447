import assert from 'node:assert/strict';
import { dayText, momentText } from '../../../src/base/text/dates';
import type { Overview } from '../../../src/engine/data/overview';
import type { FileAbout } from '../../../src/summary/fileAbout';
import { overviewModel } from '../../../src/summary/overviewModel';
import { summarizeCounts } from '../../../src/summary/summary';
import { summaryHtml } from '../../../src/summary/summaryHtml';
import { summaryMarkdown } from '../../../src/summary/summaryMarkdown';
import { Texts } from '../../../src/summary/texts';
import { pageTexts } from '../../../src/summary/pageTexts';
import { column, infoOf } from '../../helpers/column';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

describe('The overview of findings', () => {
  const folder = tableFolder();
  const english = Object.fromEntries(
    Object.entries(pageTexts).map(([key, { text }]) => [key, text]),
  );
  const texts = new Texts(english, 'en');
  const now = Date.parse('2026-11-25T00:00:00Z');

  /** The overview of findings with these columns for the status and the day on which they were seen first. */
  function modelOf(status: string, firstSeen: string, at = now, previousAt = at) {
    const counts = (name: string) => ({ column: `/${name}`, values: [], total: 0, other: 0 });
    const overview: Overview = {
      rows: 1,
      done: true,
      severity: counts('severity'),
      status: counts(status),
      firstSeen: {
        column: `/${firstSeen}`,
        ages: { under7: 1, from7To30: 0, from30To90: 0, over90: 0 },
        months: [],
        sinceCount: 1,
      },
      others: [],
    };
    return overviewModel(overview, {
      texts,
      about: { title: 'Report', previousAt },
      info: infoOf(['severity', status, firstSeen].map((name) => column(name))),
      now: at,
      added: [],
    });
  }

  function said(status: string, firstSeen: string) {
    const { facts, sections } = modelOf(status, firstSeen);
    const titles = sections.map(({ title, headings }) => [title, headings[0]]);
    return {
      titles: titles.slice(1),
      isNewSaid: facts.some(({ text }) => text.includes('first seen')),
    };
  }

  it('The overview of findings of one company says how it is rated now', async () => {
    const id = '0b1c2d3e-0000-4000-8000-000000000001';
    const ratings = { [id]: { score: 52, grade: 'F' } };
    const said = async (...ids: readonly string[]) => {
      const rows = ids.map((scorecard_identifier) =>
        JSON.stringify({ scorecard_identifier, severity: 'high', parent_domain: 'a.example' }),
      );
      const core = await openCore(folder.write('rated.ndjson', `${rows.join('\n')}\n`));
      const overview = await core.readOverview({ now, scope: 'open' }, work());
      const about = { title: 'Report' };
      const { facts } = overviewModel(overview, {
        ...{ texts, about, ratings, info: core.info(), now, added: [] },
      });
      core.close();
      return facts.map(({ text }) => text).filter((text) => text.includes('Score'));
    };
    assert.deepEqual(await said(id.toUpperCase(), id.toUpperCase()), ['Score now: F 52']);
    assert.deepEqual(await said(id, id.replace('0b', '0c')), []);
    assert.deepEqual(await said(id.replace('0b', '0c')), []);
  });

  it('The overview of findings says Status and First seen for columns with such names, and else the column name in words', () => {
    assert.deepEqual(said('issue_status', 'first_detected_at'), {
      titles: [
        ['Age', 'First seen'],
        ['First Seen by Month', 'First seen'],
        ['Status', 'Status'],
      ],
      isNewSaid: true,
    });
    assert.deepEqual(said('state', 'created_at'), {
      titles: [
        ['Age', 'Created at'],
        ['Created at by Month', 'Created at'],
        ['State', 'State'],
      ],
      isNewSaid: false,
    });
  });

  it('The overview of findings names an earlier report of the same day by its time, and an older one by its day', () => {
    const hour = 3_600_000;
    const noon = new Date(now).setHours(12, 0, 0, 0);
    const fact = (previousAt: number) =>
      modelOf('status', 'first_seen', noon, previousAt).facts.find(({ isLine }) => isLine)?.text ??
      '';
    assert.ok(fact(noon - hour).endsWith(`(${momentText(noon - hour, 'en', noon)})`));
    assert.ok(fact(noon - 30 * hour).endsWith(`(${dayText(noon - 30 * hour, 'en', noon)})`));
  });

  it('The overview of findings offers the trend of a report with an earlier one, and of a file that was open before', () => {
    const offers = (about: Omit<FileAbout, 'title'>) =>
      overviewModel(
        { rows: 1, done: true, others: [] },
        {
          texts,
          about: { title: 'scan.csv', ...about },
          info: infoOf(['severity', 'rule', 'file'].map((name) => column(name))),
          now,
          added: [],
        },
      ).facts.some(({ action }) => action?.type === 'trend');
    assert.ok(offers({ previousAt: now }));
    assert.ok(offers({ sincePrevious: { new: 0, gone: 0, changed: 0, at: now } }));
    assert.ok(!offers({}));
  });

  it('The overview of findings says what the rules of SARIF are about, in the shortest of their words', async () => {
    const text = (written: string) => ({ text: written });
    const rules = [
      { id: 'B101', name: 'assert_used', help: text('# Asserts\n\nUse none. Ever.') },
      { id: 'B102', name: 'exec_used' },
      { id: 'B103', name: 'B103', help: text('\n## Permissions of files\nBe strict.') },
      {
        id: 'js/xss',
        fullDescription: text('Writes input (e.g. a query) to a page. This is bad.'),
      },
      {
        id: 'js/sql',
        shortDescription: text('SQL injection.'),
        fullDescription: text('It is long. Very.'),
      },
      {
        id: 'js/url',
        shortDescription: text('Bad URL'),
        fullDescription: text('Bad URL: it is not checked'),
      },
      { id: 'eqeqeq', shortDescription: text('eqeqeq') },
      { id: 'none' },
    ];
    const results = rules.map(({ id }, index) => ({
      ruleId: id,
      ruleIndex: index,
      message: text(`Found ${id}.`),
    }));
    const file = { version: '2.1.0', runs: [{ tool: { driver: { name: 'T', rules } }, results }] };
    const core = await openCore(folder.write('rules.sarif', JSON.stringify(file)));
    const { sections } = overviewModel(await core.readOverview({ now }, work()), {
      info: core.info(),
      texts,
      about: { title: 'rules.sarif' },
      now,
      added: [],
    });
    core.close();
    assert.deepEqual(
      sections
        .find(({ id }) => id === 'issues')
        ?.rows.map(({ label }) => label)
        .toSorted(),
      [
        'B101 \u00b7 assert_used',
        'B102 \u00b7 exec_used',
        'B103 \u00b7 Permissions of files',
        'eqeqeq',
        'js/sql \u00b7 SQL injection',
        'js/url \u00b7 Bad URL: it is not checked',
        'js/xss \u00b7 Writes input (e.g. a query) to a page',
        'none',
      ],
    );
  });

  it('The overview of findings says how many issue types there are beside the worst ones, also where it is handed on', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `{"issue_type":"type_${at}","severity":"high"}\n`,
    );
    for (const [count, title] of [
      [10, 'Top Issue Types'],
      [12, 'Top Issue Types: Worst 10 of 12'],
    ] as const) {
      const core = await openCore(folder.write('a.ndjson', rows.slice(0, count).join('')));
      const overview = await core.readOverview({ now }, work());
      const about = { title: 'a.ndjson' };
      const context = { info: core.info(), texts, about, now, added: [] };
      core.close();
      const { sections } = overviewModel(overview, context);
      assert.equal(sections.find(({ id }) => id === 'issues')?.title, title);
      const summary = summarizeCounts(overview, context);
      assert.ok(summaryMarkdown(summary, texts).includes(`| ${title} |`), title);
      const html = summaryHtml(summary, texts, { styleHash: '', language: 'en' });
      assert.ok(html.includes(`>${title}</h2>`), title);
    }
  });

  it('The overview of findings has the rules of SARIF as issue types, as the file writes them', async () => {
    const result = (ruleId: string, level: string) => ({ ruleId, level, message: { text: 'x' } });
    const results = [
      result('eqeqeq', 'note'),
      result('no_eval', 'error'),
      result('eqeqeq', 'note'),
    ];
    const file = JSON.stringify({ version: '2.1.0', runs: [{ tool: {}, results }] });
    const core = await openCore(folder.write('a.sarif', file));
    const { sections } = overviewModel(await core.readOverview({ now }, work()), {
      info: core.info(),
      texts,
      about: { title: 'a.sarif' },
      now,
      added: [],
    });
    core.close();
    const types = sections.find(({ id }) => id === 'issues');
    assert.equal(types?.title, 'Top Issue Types');
    assert.deepEqual(
      types.rows.map(({ label, count }) => [label, count]),
      [
        ['no_eval', 1],
        ['eqeqeq', 2],
      ],
    );
  });

  it('The overview of findings splits the bars of assets by severity, the worst first', async () => {
    const rows = ['a,low', 'a,critical', 'a,low', 'b,high', 'a,'];
    const file = folder.write('a.csv', `host,severity,issue_type\n${rows.join(',x\n')},x\n`);
    const core = await openCore(file);
    const { sections } = overviewModel(await core.readOverview({ now }, work()), {
      info: core.info(),
      texts,
      about: { title: 'a.csv' },
      now,
      added: [],
    });
    core.close();
    const assets = sections.find(({ id }) => id === 'assets');
    assert.deepEqual(
      assets?.rows.map(({ label, parts = [] }) => [
        label,
        ...parts.map(({ tone, count }) => `${tone} ${count}`),
      ]),
      [
        ['a', 'critical 1', 'low 2', 'none 1'],
        ['b', 'high 1'],
      ],
    );
  });

  it('The overview of findings says which rows have no asset, and which could not be read', () => {
    const asset = {
      key: 'text:a.example',
      cell: { kind: 'text' as const, text: 'a.example' },
      count: 1,
    };
    const none = { key: 'missing:', cell: { kind: 'missing' as const, text: '' }, count: 2 };
    const overview: Overview = {
      rows: 6,
      done: true,
      severity: { column: '/severity', values: [], total: 0, other: 0 },
      assets: { column: '/host', values: [none, asset], total: 2, other: 3 },
      others: [],
    };
    const { facts, sections } = overviewModel(overview, {
      texts,
      about: { title: 'Report' },
      info: infoOf([column('host')], {
        format: { kind: 'json', gzip: false },
        list: 'Results[].Vulnerabilities[]',
        lists: [
          { list: 'Results[].Vulnerabilities[]', rows: 6, hasFindings: true },
          { list: 'Results[].Secrets[]', rows: 1, hasFindings: true },
          { list: 'Results[].Misconfigurations[]', rows: 1_200, hasFindings: true },
        ],
        invalidRows: 2,
      }),
      now,
      added: [],
    });
    const showList = (list: string) => ({ type: 'showList', list });
    assert.deepEqual(
      facts.map(({ text, action }) => [text, action]),
      [
        ['4 findings', undefined],
        ['2 could not be read', undefined],
        ['1 asset', undefined],
        ['Not counted: Secrets (1)', showList('Results[].Secrets[]')],
        ['Not counted: Misconfigurations (1,200)', showList('Results[].Misconfigurations[]')],
      ],
    );
    assert.deepEqual(
      sections.at(-1)?.rows.map(({ label, count, chosen }) => [label, count, chosen?.filter]),
      [
        ['No value', 2, { op: 'in', column: '/host', keys: ['missing:'] }],
        ['a.example', 1, { op: 'in', column: '/host', keys: ['text:a.example'] }],
        ['Could not be read', 3, { op: 'invalid' }],
      ],
    );
  });

  it('The overview of findings says how to get ages where nothing tells the order of day and month', async () => {
    const factsOfFile = async (name: string, heading: string, day: string) => {
      const file = folder.write(name, `severity,${heading}\nhigh,02/08/2026\nlow,${day}\n`);
      const core = await openCore(file);
      const overview = await core.readOverview({ now }, work());
      const info = core.info();
      core.close();
      const about = { title: 'Report' };
      const { facts } = overviewModel(overview, { texts, about, info, now, added: [] });
      return facts.map(({ text }) => text);
    };
    const unclear = 'choose the order of day and month in the menu of First Found to see ages';
    assert.deepEqual(await factsOfFile('a.csv', 'First Found', '03/08/2026'), [
      '2 findings',
      unclear,
    ]);
    assert.deepEqual(await factsOfFile('b.csv', 'First Found', '13/08/2026'), ['2 findings']);
    assert.deepEqual(await factsOfFile('c.csv', 'Other', '03/08/2026'), ['2 findings']);
  });

  it('The overview of findings finds the rows of an asset in several columns as they were counted', async () => {
    const rows = ['a.example,b.example', ',b.example', ',b.example', 'b.example,a.example', ','];
    const file = folder.write(
      'a.csv',
      `severity,host,fqdn\n${rows.map((row) => `high,${row}\n`).join('')}`,
    );
    const core = await openCore(file);
    const overview = await core.readOverview({ now }, work());
    const about = { title: 'Report' };
    const context = { texts, about, info: core.info(), now, added: [] };
    const { sections } = overviewModel(overview, context);
    const assets = sections.find(({ id }) => id === 'assets')?.rows ?? [];
    const found: [string, number][] = [];
    for (const { label, chosen } of assets) {
      const view = await core.query({ query: chosen ? { filter: chosen.filter } : {} }, work());
      found.push([label, view.rows]);
    }
    assert.deepEqual(found, [
      ['b.example', 3],
      ['a.example', 1],
      ['No value', 1],
    ]);
    assert.deepEqual(
      found,
      assets.map(({ label, count }) => [label, count]),
    );
    core.close();
  });

  it('The overview of findings names a vulnerability by its id and its title, and filters by the id', async () => {
    const file = folder.write(
      'a.csv',
      `vulnerability_id,severity,host,title\n${'CVE-2021-44228,high,h,"Code\n <b>execution</b>"\n'.repeat(2)}`,
    );
    const core = await openCore(file);
    const overview = await core.readOverview({ now }, work());
    const context = { texts, about: { title: 'Report' }, info: core.info(), now, added: [] };
    const { sections } = overviewModel(overview, context);
    const [type] = sections.find(({ id }) => id === 'issues')?.rows ?? [];
    assert.equal(type?.label, 'CVE-2021-44228 \u00b7 Code <b>execution</b>');
    assert.equal(type.chosen?.label, 'Issue type: CVE-2021-44228');
    core.close();
  });

  it('The overview of findings calls files what are files of source code', () => {
    const titleOf = (name: string, text: string) => {
      const value = { key: text, cell: { kind: 'text' as const, text }, count: 1 };
      const assets = { column: `/${name}`, values: [value], total: 1, other: 0 };
      const severity = { column: '/severity', values: [], total: 0, other: 0 };
      const overview: Overview = { rows: 1, done: true, severity, assets, others: [] };
      const about = { title: 'Report' };
      const info = infoOf([column(name)]);
      return overviewModel(overview, { texts, about, info, now, added: [] }).sections.at(-1)?.title;
    };
    assert.equal(titleOf('filePath', 'src/main/Shop.java'), 'Files with Most Findings');
    assert.equal(titleOf('host', 'shop.java'), 'Assets with Most Findings');
    assert.equal(titleOf('path', '/pay'), 'Assets with Most Findings');
    assert.equal(titleOf('path', 'https://shop.example/pay.html'), 'Assets with Most Findings');
  });

  it('The overview of findings translates the severities of the service, but no other words', () => {
    const german = new Texts({ ...english, high: 'Hoch', medium: 'Mittel' }, 'de');
    const value = (text: string) => ({
      key: text,
      cell: { kind: 'text' as const, text },
      count: 1,
    });
    const values = ['HIGH', 'medium', 'moderate'].map(value);
    const overview: Overview = {
      rows: 3,
      done: true,
      severity: { column: '/severity', values, total: 3, other: 0 },
      others: [],
    };
    const { sections } = overviewModel(overview, {
      texts: german,
      about: { title: 'Report' },
      info: infoOf([column('severity')]),
      now,
      added: [],
    });
    assert.deepEqual(
      sections[0]?.rows.map(({ label, tone, chosen }) => [label, tone, chosen?.label]),
      [
        ['Hoch', 'high', 'Severity: Hoch'],
        ['Mittel', 'medium', 'Severity: Mittel'],
        ['Moderate', 'medium', 'Severity: Moderate'],
      ],
    );
  });
});

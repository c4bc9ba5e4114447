import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type CommandId, commandIds } from '../../src/commands';
import {
  type ContextKeys,
  contextValues,
  extensionId,
  entryRecordEnding,
  entryRecordId,
  entryScheme,
  findingRecordEnding,
  findingRecordId,
  findingScheme,
  reportTableId,
  toolNames,
  type SettingTypes,
  viewIds,
} from '../../src/contributions';
import { settingKeys } from '../helpers/settingKeys';
import { reportStates } from '../../src/service/reports/storedReport';
import { rawManifest, translated } from '../helpers/manifest';

/** Where the view container is shown. */
const containerId = 'scorecard';

interface Property {
  type: string | string[];
  default: unknown;
  scope: string;
  order: number;
  minimum?: number;
  maximum?: number;
  description?: string;
  markdownDescription?: string;
  enum?: string[];
  enumItemLabels?: string[];
}

interface Manifest {
  main: string;
  icon: string;
  publisher: string;
  name: string;
  displayName: string;
  engines: { vscode: string };
  activationEvents: string[];
  capabilities: unknown;
  extensionKind: string[];
  contributes: {
    viewsContainers: Record<string, { id: string; title: string; icon: string }[]>;
    views: Record<string, { id: string; name: string }[]>;
    viewsWelcome: { view: string; when: string; contents: string }[];
    commands: { command: string; title: string; category: string }[];
    customEditors: {
      viewType: string;
      priority: string;
      selector: { filenamePattern: string }[];
    }[];
    languageModelTools: { name: string; modelDescription: string }[];
    menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
    submenus: { id: string; label: string }[];
    keybindings?: { command: string; when?: string }[];
    configuration: { id: string; title: string; properties: Record<string, Property> }[];
    walkthroughs: {
      id: string;
      steps: {
        id: string;
        description: string;
        when?: string;
        media: { svg: string; altText: string };
        completionEvents: string[];
      }[];
    }[];
  };
}

const manifest = translated(rawManifest) as Manifest;
const { contributes } = manifest;
const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
const completionEvents = steps.flatMap((step) => step.completionEvents);

/** Type and default of each setting; the compiler keeps it in step with the code. */
const settings: { [K in keyof SettingTypes]: [type: string | string[], initial: SettingTypes[K]] } =
  {
    baseUrl: ['string', ''],
    service: ['string', 'auto'],
    scorecards: ['array', []],
    collections: ['array', []],
    pageSize: ['integer', 100],
    requestsPerHour: ['integer', 5000],
    requestTimeoutSeconds: ['integer', 30],
    showCounts: ['boolean', true],
    sortFindingsBy: ['string', 'severity'],
    showFactors: ['boolean', false],
    openFindingsAs: ['string', 'record'],
    watchSeverity: ['string', 'high'],
    'reports.folder': ['string', ''],
    'reports.openWhenReady': ['boolean', true],
    'reports.openAs': ['string', 'overview'],
    'reports.timeoutMinutes': ['integer', 120],
    'reports.maxTotalSizeMB': ['integer', 0],
    'reports.maxAgeDays': ['integer', 0],
    'reports.fullBody': [['object', 'null'], null],
    'reports.detailedBody': [['object', 'null'], null],
  };

/** The values of each context key; the compiler keeps it in step with the code. */
const contextKeys: { [K in keyof ContextKeys]: Record<`${ContextKeys[K]}`, true> } = {
  'scorecard.state': {
    signedOut: true,
    badBaseUrl: true,
    noScorecards: true,
    unreachable: true,
    ready: true,
  },
  'scorecard.hasCollections': { true: true, false: true },
  'scorecard.isDemo': { true: true, false: true },
  'scorecard.hasCompanies': { true: true, false: true },
  'scorecard.sortFindingsBy': { severity: true, name: true },
  'scorecard.isLoadingAll': { true: true, false: true },
  'scorecard.hasFilter': { true: true, false: true },
  'scorecard.fullReportScope': { all: true, scorecard: true, any: true },
  'scorecard.detailedReportScope': { all: true, scorecard: true, any: true },
  'scorecard.hasIssuesReports': { true: true, false: true },
  'scorecard.hasNoReports': { true: true, false: true },
  'scorecard.hasCompared': { true: true, false: true },
  'scorecard.hasReadyReport': { true: true, false: true },
  'scorecard.hasPreviousReport': { true: true, false: true },
  'scorecard.hasUnfinishedReport': { true: true, false: true },
  'scorecard.hasFailedReport': { true: true, false: true },
  'scorecard.hasForegroundReport': { true: true, false: true },
  'scorecard.secretValues': { none: true, masked: true, shown: true },
};

/** Every condition of the manifest. */
const conditions = [
  ...contributes.viewsWelcome.map(({ when }) => when),
  ...Object.values(contributes.menus).flatMap((items) => items.map(({ when }) => when)),
  ...(contributes.keybindings ?? []).map(({ when }) => when),
  ...Object.values(contributes.views).flatMap((views) =>
    views.map((view) => ('when' in view ? String(view.when) : undefined)),
  ),
  ...completionEvents.filter((event) => event.startsWith('onContext:')),
].filter((when) => when !== undefined);

const matches = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));

const sorted = (texts: Iterable<string>) => [...texts].sort();

describe('The manifest', () => {
  it('The manifest has the expected extension id, display name, VS Code version and icon', () => {
    assert.equal(extensionId, 'scorecard-tools.scorecard-explorer');
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
    assert.equal(manifest.displayName, 'Scorecard Explorer');
    assert.equal(manifest.engines.vscode, '^1.105.0');
    assert.ok(existsSync(manifest.icon));
  });

  it('The manifest activates on startup, and requires neither trust, nor local files, nor a certain machine', () => {
    assert.deepEqual(manifest.activationEvents, ['onStartupFinished']);
    assert.deepEqual(manifest.capabilities, {
      untrustedWorkspaces: { supported: true },
      virtualWorkspaces: true,
    });
    assert.deepEqual(manifest.extensionKind, ['ui', 'workspace']);
  });

  it('The manifest declares the commands of the code, each once and in one category', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      {
        'only in package.json': declared.filter((id) => !commandIds.includes(id as CommandId)),
        'only in src/commands.ts': commandIds.filter((id) => !declared.includes(id)),
      },
      { 'only in package.json': [], 'only in src/commands.ts': [] },
    );
    assert.deepEqual(sorted(declared), sorted(commandIds));
    for (const { title, category } of contributes.commands) {
      assert.equal(category, 'Scorecard', title);
      assert.doesNotMatch(title, /Scorecard:/);
    }
  });

  it('The manifest declares the language model tools of the code, each with documentation and description', () => {
    const { languageModelTools: tools } = contributes;
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolNames,
    );
    const documented = readFileSync('docs/commands.md', 'utf8');
    for (const { name, modelDescription } of tools) {
      assert.ok(documented.includes(`\`${name}\``), name);
      assert.ok(modelDescription.length > 40, name);
    }
  });

  it('The manifest has each of its commands in docs/commands.md', () => {
    const page = readFileSync('docs/commands.md', 'utf8');
    assert.deepEqual(
      commandIds.filter((id) => !page.includes(`\`${id}\``)),
      [],
    );
  });

  it('The manifest declares the Report Table as an optional editor for table files, and the editors of findings and entries', () => {
    const patterns = ['csv', 'tsv', 'json', 'ndjson', 'jsonl', 'sarif'].flatMap((ending) => [
      `*.${ending}`,
      `*.${ending}.gz`,
    ]);
    assert.deepEqual(
      contributes.customEditors.map(({ viewType, priority, selector }) => ({
        viewType,
        priority,
        patterns: sorted(selector.map(({ filenamePattern }) => filenamePattern)),
      })),
      [
        { viewType: reportTableId, priority: 'option', patterns: sorted(patterns) },
        {
          viewType: findingRecordId,
          priority: 'default',
          patterns: [`${findingScheme}:/*${findingRecordEnding}`],
        },
        {
          viewType: entryRecordId,
          priority: 'default',
          patterns: [`${entryScheme}:/*${entryRecordEnding}`],
        },
      ],
    );
  });

  it('The manifest declares the view container and the views of the code', () => {
    const containers = Object.values(contributes.viewsContainers).flat();
    assert.deepEqual(
      containers.map(({ id }) => id),
      [containerId],
    );
    assert.ok(containers.every(({ icon }) => existsSync(icon)));
    assert.deepEqual(Object.keys(contributes.views), [containerId]);
    assert.deepEqual(
      sorted((contributes.views[containerId] ?? []).map(({ id }) => id)),
      sorted(Object.values(viewIds)),
    );
  });

  it('The manifest names only its own commands in menus, keybindings and welcome texts', () => {
    const known = new Set<string>(commandIds);
    const submenus = new Set(contributes.submenus.map(({ id }) => id));
    const menuItems = Object.values(contributes.menus).flat();
    assert.deepEqual(new Set(menuItems.flatMap(({ submenu }) => submenu ?? [])), submenus);
    const items = [
      ...menuItems.filter(({ submenu }) => submenu === undefined),
      ...(contributes.keybindings ?? []),
    ];
    const links = matches(
      [
        ...contributes.viewsWelcome.map(({ contents }) => contents),
        ...steps.map(({ description }) => description),
      ],
      /\]\(command:([\w.]+)/g,
    );
    const events = matches(completionEvents, /^onCommand:(.+)$/g);
    assert.ok(items.length > 0 && links.length > 0 && events.length > 0);
    const views = new Set(Object.values(viewIds).map((view) => `${view}.focus`));
    for (const command of [...items.map((item) => item.command ?? ''), ...links, ...events]) {
      assert.ok(
        known.has(command) || views.has(command) || command.startsWith('workbench.action.'),
        `package.json names ${command}, which is not in src/commands.ts`,
      );
    }
  });

  it('The manifest has a welcome text in the findings view for every state without rows', () => {
    const shown = contributes.viewsWelcome.filter(({ view }) => view === viewIds.findings);
    const { ready: _, ...withoutRows } = contextKeys['scorecard.state'];
    for (const state of Object.keys(withoutRows)) {
      assert.ok(
        shown.some(({ when }) => when.includes(`scorecard.state == '${state}'`)),
        state,
      );
    }
  });

  it('The manifest has a walkthrough of five steps, each with a picture and completion events', () => {
    assert.equal(steps.length, 5);
    for (const { id, media, completionEvents: events } of steps) {
      assert.ok(existsSync(media.svg) && media.altText !== '', id);
      assert.ok(events.length > 0, id);
    }
  });

  it('The manifest has no picture in the walkthrough that repeats a button beside it', () => {
    for (const { id, description, media } of steps) {
      const picture = readFileSync(media.svg, 'utf8');
      const buttons = matches([description], /^\[(.+)\]\(command:/gm);
      assert.equal(buttons.length, 1, id);
      assert.ok(!picture.includes(`>${buttons[0]}<`), id);
    }
  });

  it('The manifest does not ask to add a scorecard in the demo, which has some', () => {
    assert.deepEqual(
      steps.filter(({ when }) => when !== undefined).map(({ id, when }) => [id, when]),
      [['addScorecard', '!scorecard.isDemo']],
    );
  });

  it('The manifest names only its own views and rows in conditions', () => {
    const views = new Set<string>(Object.values(viewIds));
    const named = [
      ...contributes.viewsWelcome.map(({ view }) => view),
      ...matches(conditions, /\bview == ([\w.]+)/g),
    ];
    assert.ok(named.length > 0);
    for (const view of named) {
      assert.ok(views.has(view), view);
    }
    const reports = ['unfinished', ...reportStates].map((state) => `report.${state}`);
    const rows = new Set<string>([...Object.values(contextValues), ...reports]);
    for (const row of matches(conditions, /\bviewItem == ([\w.]+)/g)) {
      assert.ok(rows.has(row), row);
    }
    for (const pattern of matches(conditions, /\bviewItem =~ \/([^/]+)\//g)) {
      assert.ok(
        [...rows].some((row) => new RegExp(pattern).test(row)),
        pattern,
      );
    }
  });

  it('The manifest uses only context keys and values that the code declares', () => {
    const ids = new Set<string>([
      ...Object.values(viewIds),
      ...commandIds,
      reportTableId,
      findingRecordId,
      entryRecordId,
    ]);
    const used = matches(conditions, /(?<!viewItem == )\b(scorecard\.\w+)/g);
    const keys = used.filter((key) => !ids.has(key));
    assert.deepEqual(sorted(new Set(keys)), sorted(Object.keys(contextKeys)));
    const comparisons = conditions.flatMap((when) => [
      ...when.matchAll(/\b(scorecard\.\w+) [!=]= '?(\w+)/g),
    ]);
    assert.ok(comparisons.length > 0);
    for (const [text, key = '', value = ''] of comparisons) {
      const values: object | undefined = contextKeys[key as keyof ContextKeys];
      assert.ok(value in values, text);
    }
  });

  it('The manifest has each command at most once per condition and group of a menu', () => {
    for (const [menu, items] of Object.entries(contributes.menus)) {
      const places = items.map(({ command, submenu, when, group }) =>
        [command ?? submenu, when, group].join(' '),
      );
      assert.equal(new Set(places).size, places.length, menu);
    }
  });

  describe('settings', () => {
    const groups = contributes.configuration.map(({ id, properties }) => ({
      id,
      settings: Object.entries(properties),
    }));
    const properties = groups.flatMap(({ settings: settingsOfGroup }) => settingsOfGroup);

    it('The manifest settings are those of the code, with their types and defaults', () => {
      assert.deepEqual(sorted(settingKeys), sorted(Object.keys(settings)));
      assert.deepEqual(
        Object.fromEntries(
          properties.map(([key, property]) => [key, [property.type, property.default]]),
        ),
        Object.fromEntries(
          Object.entries(settings).map(([key, setting]) => [`scorecard.${key}`, setting]),
        ),
      );
    });

    it('The manifest settings cannot be set by a workspace', () => {
      for (const [key, { scope }] of properties) {
        assert.equal(scope, key === 'scorecard.reports.folder' ? 'machine' : 'application', key);
      }
    });

    it('The manifest settings are in three groups, in the order of the manifest, with the expert settings last', () => {
      assert.deepEqual(
        groups.map(({ id, settings: [...entries] }) => [id, entries.map(([, { order }]) => order)]),
        groups.map(({ id, settings: { length } }) => [
          id,
          Array.from({ length }, (_, at) => at + 1),
        ]),
      );
      assert.deepEqual(
        groups.map(({ id, settings: [...entries] }) => [id, entries[0]?.[0], entries.at(-1)?.[0]]),
        [
          ['connection', 'scorecard.baseUrl', 'scorecard.requestTimeoutSeconds'],
          ['browsing', 'scorecard.scorecards', 'scorecard.collections'],
          ['reports', 'scorecard.reports.folder', 'scorecard.reports.detailedBody'],
        ],
      );
    });

    it('The manifest settings have words for their choices, one for each', () => {
      const choices = properties.filter(([, property]) => property.enum);
      assert.ok(choices.length > 3);
      for (const [key, { enum: values = [], enumItemLabels: labels = [] }] of choices) {
        assert.equal(labels.length, values.length, key);
        assert.ok(
          labels.every((label) => /^[A-Z]/.test(label)),
          key,
        );
      }
    });

    it('The manifest settings have a description of one sentence, and an example for the bodies of reports', () => {
      for (const [key, { markdownDescription = '' }] of properties) {
        assert.match(markdownDescription, /^[A-Z].*\.$/, key);
        assert.doesNotMatch(markdownDescription, /[.!?] [A-Z]/, key);
        if (key.endsWith('Body')) {
          const [example = ''] = /\{".*\}(?=`)/.exec(markdownDescription) ?? [];
          assert.ok(JSON.parse(example), key);
        }
      }
    });

    it('The manifest settings have a description, and bounds when they are numbers', () => {
      for (const [key, property] of properties) {
        assert.ok((property.markdownDescription ?? property.description ?? '').length > 20, key);
        if (property.type === 'integer') {
          const { minimum = NaN, maximum = NaN } = property;
          const value = Number(property.default);
          // 0 is no limit.
          const least = key.startsWith('scorecard.reports.max') ? 0 : 1;
          assert.ok(minimum >= least && value >= minimum && value <= maximum, key);
        }
      }
      const { 'scorecard.pageSize': pageSize, 'scorecard.requestsPerHour': requestsPerHour } =
        Object.fromEntries(properties);
      assert.deepEqual([pageSize?.minimum, pageSize?.maximum], [1, 500]);
      assert.deepEqual([requestsPerHour?.minimum, requestsPerHour?.maximum], [1, 5000]);
    });
  });
});

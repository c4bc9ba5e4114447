/**
 * What each room of `src` may import, besides itself, kept here so that a wrong import is an error and not a matter of
 * taste. ARCHITECTURE.md draws it. `extension.ts` and `features.ts` may import all.
 */
const ground = ['base'];
const language = [...ground, 'vocabulary', 'files'];
/** What package.json declares, with its types. */
const manifest = ['contributions', 'commands'];
const page = [...language, 'engine', 'summary', 'protocol'];
const allowed = {
  base: [],
  vocabulary: ground,
  files: ground,
  known: language,
  engine: language,
  api: language,
  demo: [...ground, 'vocabulary'],
  summary: [...language, 'engine'],
  protocol: [...language, 'engine', 'summary'],
  webview: page,
  workbench: [...language, 'known', 'summary', 'protocol', ...manifest],
  service: [...language, 'api', 'demo', 'known', 'summary', 'protocol', 'workbench', ...manifest],
  viewer: [...page, 'known', 'workbench', ...manifest],
  links: [...page, 'api', 'known', 'workbench', 'service', 'viewer', ...manifest],
};
const rooms = [...Object.keys(allowed), 'kernel', ...manifest, 'extension', 'features'];

/** The rooms that run in a page, too: of the engine, they know what has no Node. */
const pageRooms = ['summary', 'protocol', 'webview'];

/** The folders inside a wing, from the lowest up: each imports those on lower floors only. */
const wings = {
  service: [['account'], ['lists'], ['findings'], ['collections', 'reports'], ['export', 'watch']],
  viewer: [['table'], ['compare']],
};

function noImports(names, message) {
  return { regex: `^(\\.\\./)+(${names.join('|')})(/|$)`, message };
}

/** Forbids files inside the engine: index.ts is its door, and page.ts the one for pages. */
const doors = [
  {
    group: ['**/engine/*', '**/engine/*/**', '!**/engine/page'],
    message: 'The engine has two doors: src/engine, and src/engine/page for what runs in a page.',
  },
];

function doorsFor(room) {
  const pageOnly = { regex: '/engine$', message: 'A page imports src/engine/page.' };
  return pageRooms.includes(room) ? [...doors, pageOnly] : doors;
}

/** Only files in a folder `ui`, in workbench, links, extension.ts and features.ts know VS Code. */
const noVSCode = {
  name: 'vscode',
  message: 'Only ui, workbench, links, extension.ts and features.ts import vscode.',
};
const noNode = { regex: '^node:', message: 'A page has no Node.' };
const noUi = {
  regex: '/ui/',
  message: 'A file outside ui must not import one in it, which imports vscode.',
};

function restrict(files, excludeFiles, paths, patterns) {
  return {
    files,
    excludeFiles,
    rules: { 'no-restricted-imports': ['error', { paths, patterns }] },
  };
}

/** Forbids the same imports in all files below a folder, and `vscode` where the folder has no place for it. */
function restrictFolder(folder, patterns) {
  const withVSCode = [`src/${folder}/ui/**`, 'src/workbench/**', 'src/links/**'];
  return [
    restrict([`src/${folder}/**/*.{ts,tsx}`], [], [], patterns),
    restrict([`src/${folder}/**/*.{ts,tsx}`], withVSCode, [noVSCode], [...patterns, noUi]),
  ];
}

/** Forbids all rooms but those that a room may import, and the engine but for its doors. */
function others(room) {
  const may = [room, ...allowed[room]];
  return [
    noImports(
      rooms.filter((name) => !may.includes(name)),
      `src/${room} must not import that folder: see the arrows in ARCHITECTURE.md.`,
    ),
    ...(room === 'engine' ? [] : doorsFor(room)),
  ];
}

const importDirections = [
  ...Object.keys(allowed)
    .filter((room) => !(room in wings))
    .flatMap((room) => restrictFolder(room, others(room))),
  ...Object.entries(wings).flatMap(([wing, floors]) =>
    floors.flatMap((floor, at) =>
      floor.flatMap((folder) => {
        const beside = floor.filter((other) => other !== folder);
        const upward = noImports(
          [...beside, ...floors.slice(at + 1).flat()],
          `src/${wing}/${folder} must not import that folder: see the arrows in ARCHITECTURE.md.`,
        );
        return restrictFolder(`${wing}/${folder}`, [...others(wing), upward]);
      }),
    ),
  ),
];

/**
 * The folders inside other rooms, in the same way, but one may have a place beside others. The files beside the folders
 * put them together.
 */
const engineFloors = [
  ['data'],
  ['threads'],
  ['values'],
  ['read'],
  ['columns'],
  ['query'],
  ['overview'],
  ['compare'],
];
/** The files beside these folders are on several floors: `client.ts` is the top, `types.ts` the ground. */
const apiFloors = [['http'], ['budget'], ['calls'], ['paging', 'download'], ['services']];
const pageFloors = [['dom'], ['state'], ['grid'], ['menus'], ['toolbar', 'views']];
const engineTop = ['index', 'page', 'openTable', 'tableCore', 'engineWorker'];
const apiTop = ['client'];
const pageTop = ['main', 'pageKeys', 'tableMain', 'tablePage'];

/** Forbids each folder of a room those on its floor and above, and the files that put the folders together. */
function restrictFloors(room, floors, top, patternsOf) {
  return floors.flatMap((floor, at) =>
    floor.map((folder) => {
      const above = [...floor.filter((other) => other !== folder), ...floors.slice(at + 1).flat()];
      return restrict(
        [`src/${room}/${folder}/**/*.{ts,tsx}`],
        [],
        [noVSCode],
        [
          ...patternsOf(folder),
          {
            regex: `^(\\.\\./)+(${top.join('|')})$`,
            message: `That file puts the folders of src/${room} together: none of them imports it.`,
          },
          ...above.map((other) => ({
            regex: `^(\\.\\./)+${other}/`,
            message: `src/${room}/${folder} must not import src/${room}/${other}.`,
          })),
        ],
      );
    }),
  );
}

/** The engine's folder of what its doors hand out is also in pages. */
function patternsOfEngine(folder) {
  return folder === 'data' ? [...others('engine'), noNode] : others('engine');
}

/** What code that may run in a page, which is a browser, does not import. */
function patternsOfPage(room) {
  return [...others(room), noNode];
}

/** What ESLint recommends, and equality without conversion. */
const mistakes = [
  'eqeqeq',
  'for-direction',
  'no-array-constructor',
  'no-async-promise-executor',
  'no-case-declarations',
  'no-compare-neg-zero',
  'no-cond-assign',
  'no-constant-binary-expression',
  'no-control-regex',
  'no-debugger',
  'no-delete-var',
  'no-dupe-else-if',
  'no-duplicate-case',
  'no-empty',
  'no-empty-character-class',
  'no-empty-function',
  'no-empty-pattern',
  'no-empty-static-block',
  'no-ex-assign',
  'no-extra-boolean-cast',
  'no-fallthrough',
  'no-global-assign',
  'no-invalid-regexp',
  'no-irregular-whitespace',
  'no-loss-of-precision',
  'no-misleading-character-class',
  'no-nonoctal-decimal-escape',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-self-assign',
  'no-shadow-restricted-names',
  'no-sparse-arrays',
  'no-unassigned-vars',
  'no-unexpected-multiline',
  'no-unsafe-finally',
  'no-unsafe-optional-chaining',
  'no-unused-expressions',
  'no-unused-labels',
  'no-unused-private-class-members',
  'no-useless-backreference',
  'no-useless-catch',
  'no-useless-constructor',
  'no-useless-escape',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'preserve-caught-error',
  'require-yield',
  'use-isnan',
  'valid-typeof',
];

/** typescript-eslint's `strict-type-checked` and `stylistic-type-checked`, and imports of types. */
const typed = [
  'adjacent-overload-signatures',
  'array-type',
  'await-thenable',
  'ban-tslint-comment',
  'class-literal-property-style',
  'consistent-generic-constructors',
  'consistent-indexed-object-style',
  'consistent-type-assertions',
  'consistent-type-definitions',
  'consistent-type-imports',
  'dot-notation',
  'no-array-delete',
  'no-base-to-string',
  'no-confusing-non-null-assertion',
  'no-confusing-void-expression',
  'no-deprecated',
  'no-duplicate-enum-values',
  'no-duplicate-type-constituents',
  'no-dynamic-delete',
  'no-empty-object-type',
  'no-explicit-any',
  'no-extra-non-null-assertion',
  'no-extraneous-class',
  'no-floating-promises',
  'no-for-in-array',
  'no-generated-empty-object-type',
  'no-implied-eval',
  'no-inferrable-types',
  'no-invalid-void-type',
  'no-meaningless-void-operator',
  'no-misused-new',
  'no-misused-promises',
  'no-misused-spread',
  'no-mixed-enums',
  'no-namespace',
  'no-non-null-asserted-nullish-coalescing',
  'no-non-null-asserted-optional-chain',
  'no-non-null-assertion',
  'no-redundant-type-constituents',
  'no-require-imports',
  'no-this-alias',
  'no-unnecessary-boolean-literal-compare',
  'no-unnecessary-condition',
  'no-unnecessary-template-expression',
  'no-unnecessary-type-arguments',
  'no-unnecessary-type-assertion',
  'no-unnecessary-type-constraint',
  'no-unnecessary-type-conversion',
  'no-unnecessary-type-parameters',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-declaration-merging',
  'no-unsafe-enum-assignment',
  'no-unsafe-enum-comparison',
  'no-unsafe-function-type',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'no-unsafe-unary-minus',
  'no-useless-default-assignment',
  'no-wrapper-object-types',
  'non-nullable-type-assertion-style',
  'only-throw-error',
  'prefer-as-const',
  'prefer-find',
  'prefer-for-of',
  'prefer-function-type',
  'prefer-includes',
  'prefer-literal-enum-member',
  'prefer-namespace-keyword',
  'prefer-nullish-coalescing',
  'prefer-optional-chain',
  'prefer-promise-reject-errors',
  'prefer-reduce-type-parameter',
  'prefer-regexp-exec',
  'prefer-return-this-type',
  'prefer-string-starts-ends-with',
  'related-getter-setter-pairs',
  'require-await',
  'triple-slash-reference',
  'unbound-method',
  'unified-signatures',
  'use-unknown-in-catch-callback-variable',
];

function errors(names, prefix) {
  return Object.fromEntries(names.map((name) => [`${prefix}${name}`, 'error']));
}

export default {
  plugins: ['typescript', 'import'],
  jsPlugins: ['./oxlint.files.mjs'],
  categories: { correctness: 'off' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  // The kernel is AssemblyScript and has a configuration of its own.
  ignorePatterns: ['dist/', 'out/', '.vscode-test/', 'node_modules/', 'src/kernel/'],
  rules: { ...errors(mistakes, ''), 'import/no-cycle': ['error', { ignoreTypes: false }] },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...errors(typed, 'typescript/'),
        'no-console': 'error',
        'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: true },
        ],
      },
    },
    {
      // What is not awaited says what becomes of its failure. In a thread and a page, one that does not ends the thread
      // or is shown.
      files: ['src/**/*.ts'],
      excludeFiles: ['src/engine/**', 'src/webview/**'],
      rules: {
        'no-void': 'error',
        'typescript/no-floating-promises': ['error', { ignoreVoid: false, checkThenables: true }],
      },
    },
    {
      files: ['src/**/*.{ts,tsx}'],
      excludeFiles: ['src/files/disk.ts', 'src/files/files.ts', 'src/files/syncDisk.ts'],
      rules: { 'files/one-place': 'error' },
    },
    {
      // The type of what a command returns is given, not inferred.
      files: ['src/commands.ts'],
      rules: { 'typescript/no-unnecessary-type-parameters': 'off' },
    },
    {
      // A handler is written where its button or its menu item is.
      files: ['**/*.tsx', 'src/webview/**/*.ts'],
      rules: {
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      },
    },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts', 'src/demo/main.ts'],
      rules: { 'no-console': 'off' },
    },
    ...importDirections,
    // The server for other agents runs without VS Code, and shares its answers with chat.
    restrict(['src/links/tools/{answers,mcp}/**/*.ts'], [], [noVSCode], [...others('links'), noUi]),
    restrict(['src/engine/*.ts'], [], [noVSCode], others('engine')),
    restrict(
      ['src/engine/page.ts'],
      [],
      [],
      [
        {
          regex: `^([^.]|\\.\\.|\\./([^/]*$|(${engineFloors.flat().slice(1).join('|')})/))`,
          message: 'A page gets only what is in src/engine/data.',
        },
      ],
    ),
    ...restrictFloors('api', apiFloors, apiTop, () => [...others('api'), noUi]),
    ...restrictFloors('engine', engineFloors, engineTop, patternsOfEngine),
    ...pageRooms.map((room) =>
      restrict([`src/${room}/**/*.{ts,tsx}`], [], [noVSCode], patternsOfPage(room)),
    ),
    ...restrictFloors('webview', pageFloors, pageTop, () => patternsOfPage('webview')),
    restrict(['src/*.ts', 'bench/**/*.ts'], [], [], doors),
    {
      // They also run where there is no page.
      files: ['src/summary/**/*.ts', 'src/protocol/**/*.ts'],
      rules: { 'no-restricted-globals': ['error', 'document', 'navigator', 'window'] },
    },
    {
      // Its inner loops index bytes and typed arrays, a billion times over; a check of each index that
      // is in range anyway would cost more than the work.
      files: ['src/engine/**/*.ts'],
      rules: { 'typescript/no-non-null-assertion': 'off' },
    },
  ],
};

import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The rooms of `src` from the lowest up, kept here so that a wrong import is an error and not a matter
 * of taste: a room imports those on lower floors, never one beside or above it.
 */
const floors = [
  ['base'],
  ['api', 'demo'],
  ['workbench'],
  ['account'],
  ['lists'],
  ['findings'],
  ['collections', 'reports'],
  ['export'],
  ['table'],
];
const rooms = floors.flat();

function noImports(names, message) {
  return { regex: `^(\\.\\./)+(${names.join('|')})(/|$)`, message };
}

/** Only files in a folder `ui`, in workbench and extension.ts know VS Code. */
const noVSCode = { name: 'vscode', message: 'Only ui, workbench and extension.ts know VS Code.' };
const noUi = { regex: '/ui/', message: 'What knows no VS Code must not import what does.' };

function restrict(files, ignores, paths, patterns) {
  return { files, ignores, rules: { 'no-restricted-imports': ['error', { paths, patterns }] } };
}

const importDirections = floors.flatMap((floor, at) =>
  floor.flatMap((room) => {
    const others = [...floor.filter((other) => other !== room), ...floors.slice(at + 1).flat()];
    const upward = noImports([...others, 'extension'], `${room} must not import that room.`);
    const withVSCode = [`src/${room}/ui/**`, 'src/workbench/**'];
    return [
      restrict([`src/${room}/**/*.ts`], [], [], [upward]),
      restrict([`src/${room}/**/*.ts`], withVSCode, [noVSCode], [upward, noUi]),
    ];
  }),
);

const baseAlone = noImports(
  [...rooms.filter((room) => room !== 'base' && room !== 'table'), 'contributions', 'extension'],
  'Here only base and the rest of the table are imported.',
);

export default tseslint.config(
  { ignores: ['dist/', 'out/', '.vscode-test/', 'node_modules/', 'test/host/node_modules/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'src/demo/main.ts'],
    rules: { 'no-console': 'off' },
  },
  ...importDirections,
  restrict(
    ['src/table/engine/**/*.ts'],
    [],
    [noVSCode],
    [baseAlone, noUi, { regex: '^(\\.\\./)+page/', message: 'The engine knows no page.' }],
  ),
  // The page runs in a browser.
  restrict(
    ['src/table/page/**/*.ts'],
    [],
    [noVSCode],
    [baseAlone, noUi, { regex: '^node:', message: 'A page has no Node.' }],
  ),
  {
    // Its inner loops index bytes and typed arrays, a billion times over; a check of each index that
    // is in range anyway would cost more than the work.
    files: ['src/table/engine/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
);

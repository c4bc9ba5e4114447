import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The direction of imports, kept here so that a wrong one is an error and not a matter of taste:
 * common <- api <- model <- ui <- extension.ts; demo and table stand on common alone. Only ui and
 * extension.ts know VS Code.
 */
const layers = {
  common: ['api', 'model', 'table', 'ui', 'demo'],
  api: ['model', 'table', 'ui', 'demo'],
  model: ['table', 'ui', 'demo'],
  table: ['api', 'model', 'ui', 'demo'],
  demo: ['model', 'table', 'ui'],
};

const importDirections = Object.entries(layers).map(([layer, forbidden]) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [{ name: 'vscode', message: `src/${layer} must run without VS Code.` }],
        patterns: [
          {
            regex: `(^|/)(${forbidden.join('|')})/|/(extension|contributions)(\\.js)?$`,
            message: `src/${layer} must not import from that layer.`,
          },
        ],
      },
    ],
  },
}));

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
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/ui/**', 'src/workbench/**', 'src/extension.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ['vscode'] }] },
  },
  ...importDirections,
  {
    // Its inner loops index bytes and typed arrays, a billion times over; a check of each index that
    // is in range anyway would cost more than the work.
    files: ['src/table/engine/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // The page runs in a browser: of the sources it shares what runs anywhere.
    files: ['media/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'vscode', message: 'A page has no VS Code.' }],
          patterns: [
            { regex: '^node:', message: 'A page has no Node.' },
            {
              regex: '/src/(?!common/|table/)',
              message: 'A page shares only src/common and src/table.',
            },
          ],
        },
      ],
    },
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

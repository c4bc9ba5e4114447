/**
 * Lint for AssemblyScript, whose types are not those of TypeScript: its compiler checks them. Its `==` converts
 * nothing, and its integers of 64 bits are exact, so that rules about both are left out.
 */
const rules = [
  'for-direction',
  'import/no-cycle',
  'import/no-self-import',
  'no-array-constructor',
  'no-case-declarations',
  'no-cond-assign',
  'no-const-assign',
  'no-constant-binary-expression',
  'no-debugger',
  'no-dupe-else-if',
  'no-duplicate-case',
  'no-duplicate-imports',
  'no-empty',
  'no-empty-pattern',
  'no-fallthrough',
  'no-global-assign',
  'no-irregular-whitespace',
  'no-redeclare',
  'no-self-assign',
  'no-shadow-restricted-names',
  'no-unreachable',
  'no-unsafe-negation',
  'no-unused-expressions',
  'no-unused-labels',
  'no-useless-rename',
  'no-var',
  'prefer-const',
  'typescript/consistent-type-definitions',
  'typescript/no-explicit-any',
  'typescript/no-inferrable-types',
  'typescript/no-namespace',
  'use-isnan',
];

/** Folders of the kernel, from the lowest up: each imports those on lower floors only. */
const floors = [['values'], ['json', 'columns'], ['lists', 'counts', 'compare']];

function restrict(files, patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

const outside = { regex: '^(\\.\\./){2}|^[^.]', message: 'The kernel imports only itself.' };
const top = { regex: '^\\.\\.?/index$', message: 'index.ts puts the kernel together.' };

const directions = floors.flatMap((floor, at) =>
  floor.map((folder) => {
    const above = [...floor, ...floors.slice(at + 1).flat()].filter((other) => other !== folder);
    return restrict(
      [`${folder}/*.ts`],
      [
        outside,
        top,
        {
          regex: `^\\.\\./(${above.join('|')})/`,
          message: `src/kernel/${folder} must not import that folder.`,
        },
      ],
    );
  }),
);

export default {
  plugins: ['import', 'typescript'],
  categories: { correctness: 'off' },
  options: { denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    ...Object.fromEntries(rules.map((rule) => [rule, 'error'])),
    'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  },
  overrides: [restrict(['*.ts'], [{ ...outside, regex: '^\\.\\./|^[^.]' }, top]), ...directions],
};

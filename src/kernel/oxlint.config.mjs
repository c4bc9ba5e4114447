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

export default {
  plugins: ['import', 'typescript'],
  categories: { correctness: 'off' },
  options: { denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    ...Object.fromEntries(rules.map((rule) => [rule, 'error'])),
    'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  },
};

/**
 * A rule of lint: `src/files` alone replaces, moves and removes files. On Windows each of these steps fails while any
 * program has the file open, and there it is tried again (`src/files/inUse.ts`).
 *
 * Rejected: `no-restricted-imports` refuses `import * as fs` as a whole, and `no-restricted-properties` does not see what
 * is imported by its name.
 */
const modules = /^(node:)?fs(\/promises)?$/;
const steps = /^(rename|rm|rmdir|unlink)(Sync)?$/;
const message =
  'Only src/files replaces, moves and removes: on Windows it waits for files that are in use.';

const onePlace = {
  create(context) {
    /** What the file calls the modules. */
    const names = new Set();
    const report = (node) => {
      context.report({ node, message });
    };
    return {
      ImportDeclaration({ source, specifiers }) {
        for (const specifier of modules.test(source.value) ? specifiers : []) {
          if (specifier.type !== 'ImportSpecifier' || specifier.imported.name === 'promises') {
            names.add(specifier.local.name);
          } else if (steps.test(specifier.imported.name)) {
            report(specifier);
          }
        }
      },
      MemberExpression(node) {
        const { object, property } = node;
        const owner = object.type === 'MemberExpression' ? object.object : object;
        if (owner.type === 'Identifier' && names.has(owner.name) && steps.test(property.name)) {
          report(node);
        }
      },
    };
  },
};

export default { meta: { name: 'files' }, rules: { 'one-place': onePlace } };

import type { NewExpression, Node, Program } from 'oxc-parser';
import { literalText, memberName, parseSource, visitNodes } from './sourceTree';

/** A text that users read, found in the source. */
export interface L10nText {
  readonly text: string;
  /** `src/workbench/format.ts:12`. */
  readonly place: string;
}

export interface L10nTexts {
  readonly texts: readonly L10nText[];
  /** Calls whose text cannot be determined, each with its place. */
  readonly problems: readonly string[];
}

/**
 * The texts of a source file that are translated: first arguments of `vscode.l10n.t(...)`, of `t(...)`
 * if the file has `const { t } = vscode.l10n`, and of `message(...)`. Every other use of `vscode.l10n` is a
 * problem, because its texts would be missed, except of `vscode.l10n.bundle`. Other problems are a first argument
 * that is not a literal, a placeholder without an argument (unless a `message` has none at all), and an error that is
 * shown with its own message if that was not created by `message(...)`.
 */
export function l10nTexts(file: string, source: string): L10nTexts {
  const { root, textOf, lineOf } = parseSource(file, source);
  const texts: L10nText[] = [];
  const problems: string[] = [];
  const placeOf = (node: Node) => `${file}:${lineOf(node)}`;
  const messages = new Set(importsOf(root, 'message'));
  const translators = new Set(messages);

  visitNodes(root, (node, around) => {
    if (isL10n(node, around)) {
      const use = useOf(around, textOf);
      if (use === 'destructured') {
        translators.add('t');
      } else if (use === 'unknown') {
        problems.push(`${placeOf(node)}: this use of vscode.l10n is not known here`);
      }
    }
    if (node.type === 'CallExpression' && isTranslation(node.callee, translators)) {
      const [first, ...args] = node.arguments;
      const text = literalText(first);
      if (text === undefined) {
        problems.push(`${placeOf(node)}: the text is no literal`);
      } else {
        texts.push({ text, place: placeOf(node) });
        // A message without arguments is a template: whoever shows it fills the placeholders in.
        const isTemplate = args.length === 0 && isMessage(node.callee, messages);
        const isOpen = isTemplate || args.some(({ type }) => type === 'SpreadElement');
        const missing = placeholdersOf(text).filter((index) => index >= args.length);
        if (!isOpen && missing.length > 0) {
          problems.push(`${placeOf(node)}: no argument for {${missing.join('}, {')}}`);
        }
      }
    }
    if (node.type === 'NewExpression' && isUntranslated(node)) {
      problems.push(`${placeOf(node)}: users read this error, and it is no message(...)`);
    }
  });
  return { texts, problems };
}

/** The numbers of the placeholders of a text, each once, in ascending order. */
export function placeholdersOf(text: string): number[] {
  const indexes = Array.from(text.matchAll(/\{(\d+)\}/g), ([, index]) => Number(index));
  return [...new Set(indexes)].sort((one, other) => one - other);
}

/** `vscode.l10n`, also as `import { l10n } from 'vscode'` and `const { l10n } = vscode`. */
function isL10n(node: Node, [parent]: readonly Node[]): boolean {
  const name =
    node.type === 'ImportSpecifier'
      ? node.imported
      : node.type === 'Property' && parent?.type === 'ObjectPattern'
        ? node.key
        : undefined;
  return memberName(node) === 'l10n' || (name?.type === 'Identifier' && name.name === 'l10n');
}

/** How `vscode.l10n` is used. @param around the nodes around it, the innermost first. */
function useOf(
  [parent, call]: readonly Node[],
  textOf: (node: Node) => string,
): 'called' | 'read' | 'destructured' | 'unknown' {
  if (parent && memberName(parent) === 'bundle') {
    return 'read';
  }
  if (parent && memberName(parent) === 't') {
    return call?.type === 'CallExpression' && call.callee === parent ? 'called' : 'unknown';
  }
  return parent?.type === 'VariableDeclarator' && textOf(parent.id) === '{ t }'
    ? 'destructured'
    : 'unknown';
}

function isTranslation(callee: Node, translators: ReadonlySet<string>): boolean {
  return callee.type === 'Identifier'
    ? translators.has(callee.name)
    : callee.type === 'MemberExpression' &&
        memberName(callee) === 't' &&
        isL10n(callee.object, [callee]);
}

function isMessage(callee: Node, messages: ReadonlySet<string>): boolean {
  return callee.type === 'Identifier' && messages.has(callee.name);
}

/** Errors that are always shown with their own message. */
const shownErrors = new Set(['ConfigError', 'ProtocolError', 'UserError']);

function isUntranslated({ callee, arguments: [text] }: NewExpression): boolean {
  return (
    callee.type === 'Identifier' &&
    shownErrors.has(callee.name) &&
    (literalText(text) !== undefined || text?.type === 'TemplateLiteral')
  );
}

/** The local names of what is imported by this name from `base/message`. */
function importsOf(root: Program, name: string): string[] {
  return root.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' && /(^|\/)message$/.test(statement.source.value)
      ? statement.specifiers.flatMap((each) =>
          each.type === 'ImportSpecifier' &&
          each.imported.type === 'Identifier' &&
          each.imported.name === name
            ? [each.local.name]
            : [],
        )
      : [],
  );
}

import ts from 'typescript';

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
 * problem, because its texts would be missed, except of `vscode.l10n.bundle`. Other problems are a first argument that is not a literal, a
 * placeholder without an argument (unless a `message` has none at all), and an error that is shown with its own message if that was not created
 * by `message(...)`.
 */
export function l10nTexts(file: string, source: string): L10nTexts {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const texts: L10nText[] = [];
  const problems: string[] = [];
  const placeOf = (node: ts.Node): string =>
    `${file}:${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const messages = new Set(importsOf(root, 'message'));
  const translators = new Set(messages);

  const visit = (node: ts.Node): void => {
    if (isL10n(node)) {
      const use = useOf(node);
      if (use === 'destructured') {
        translators.add('t');
      } else if (use === 'unknown') {
        problems.push(`${placeOf(node)}: this use of vscode.l10n is not known here`);
      }
    }
    if (ts.isCallExpression(node) && isTranslation(node.expression, translators)) {
      const [first, ...args] = node.arguments;
      if (first && ts.isStringLiteralLike(first)) {
        texts.push({ text: first.text, place: placeOf(node) });
        // A message without arguments is a template: whoever shows it fills the placeholders in.
        const isTemplate = args.length === 0 && isMessage(node.expression, messages);
        const isOpen = isTemplate || args.some((argument) => ts.isSpreadElement(argument));
        const missing = placeholdersOf(first.text).filter((index) => index >= args.length);
        if (!isOpen && missing.length > 0) {
          problems.push(`${placeOf(node)}: no argument for {${missing.join('}, {')}}`);
        }
      } else {
        problems.push(`${placeOf(node)}: the text is no literal`);
      }
    }
    if (ts.isNewExpression(node) && isUntranslated(node)) {
      problems.push(`${placeOf(node)}: users read this error, and it is no message(...)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return { texts, problems };
}

/** The numbers of the placeholders of a text, each once, in ascending order. */
export function placeholdersOf(text: string): number[] {
  const indexes = Array.from(text.matchAll(/\{(\d+)\}/g), ([, index]) => Number(index));
  return [...new Set(indexes)].sort((one, other) => one - other);
}

/** `vscode.l10n`. */
function isL10n(node: ts.Node): boolean {
  return ts.isPropertyAccessExpression(node)
    ? node.name.text === 'l10n'
    : // `import { l10n } from 'vscode'` and `const { l10n } = vscode`
      (ts.isImportSpecifier(node) || ts.isBindingElement(node)) &&
        (node.propertyName ?? node.name).getText() === 'l10n';
}

function useOf(l10n: ts.Node): 'called' | 'read' | 'destructured' | 'unknown' {
  const { parent } = l10n;
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'bundle') {
    return 'read';
  }
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === 't') {
    return ts.isCallExpression(parent.parent) && parent.parent.expression === parent
      ? 'called'
      : 'unknown';
  }
  return ts.isVariableDeclaration(parent) && parent.name.getText() === '{ t }'
    ? 'destructured'
    : 'unknown';
}

function isTranslation(callee: ts.Expression, translators: ReadonlySet<string>): boolean {
  return ts.isIdentifier(callee)
    ? translators.has(callee.text)
    : ts.isPropertyAccessExpression(callee) &&
        callee.name.text === 't' &&
        isL10n(callee.expression);
}

function isMessage(callee: ts.Expression, messages: ReadonlySet<string>): boolean {
  return ts.isIdentifier(callee) && messages.has(callee.text);
}

/** Errors that are always shown with their own message. */
const shownErrors = new Set(['ConfigError', 'ProtocolError', 'UserError']);

function isUntranslated({ expression, arguments: args }: ts.NewExpression): boolean {
  const text = args?.[0];
  return (
    ts.isIdentifier(expression) &&
    shownErrors.has(expression.text) &&
    text !== undefined &&
    (ts.isStringLiteralLike(text) || ts.isTemplateExpression(text))
  );
}

/** The local names of what is imported by this name from `common/message`. */
function importsOf(root: ts.SourceFile, name: string): string[] {
  return root.statements.flatMap((statement) => {
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : undefined;
    return ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      /(^|\/)message$/.test(statement.moduleSpecifier.text) &&
      bindings &&
      ts.isNamedImports(bindings)
      ? bindings.elements
          .filter((element) => (element.propertyName ?? element.name).text === name)
          .map((element) => element.name.text)
      : [];
  });
}

import ts from 'typescript';

/** What the table of names has. */
export interface NameTable {
  /** In snake case; those of nested members are joined by dots. */
  readonly names: ReadonlySet<string>;
  readonly meanings: ReadonlySet<string>;
}

/** The words that only names of fields of findings have in an expression. */
const tellingWords =
  /(?<![a-z])(sever|risk|criticality|status|cvss|cve|vulnerab|asset|seen|hostname|priorit|issue_|scorecard|finding_)/i;

/** Roles of columns are words of ours: a list of only these is no list of names. */
const roles = new Set(
  'change severity issueType scorecard factor status firstSeen asset id'.split(' '),
);

/** Reads the table from its source. */
export function parseNameTable(source: string): NameTable {
  const names = new Set<string>();
  const meanings = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node)) {
      textsIn(node).forEach((text) => names.add(text));
    }
    if (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer)) {
      meanings.add(node.name.getText());
    }
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer)
    ) {
      names.add(node.initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse('meanings.ts', source));
  return { names, meanings };
}

/**
 * What in a source file is a list or an expression of names of fields by their meaning: `place: what`.
 * @param maySayMeanings whether a list may have meanings, to ask the table about them.
 */
export function nameListsIn(
  file: string,
  source: string,
  { names, meanings }: NameTable,
  { maySayMeanings = false } = {},
): readonly string[] {
  const root = parse(file, source);
  const found: string[] = [];
  const report = (node: ts.Node) => {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 100)}`);
  };
  const areNames = (texts: readonly string[]): boolean => {
    const named = texts.filter((text) => names.has(keyOf(text)));
    const areMeanings = maySayMeanings && texts.every((text) => meanings.has(text));
    return (
      !areMeanings &&
      named.some((text) => !roles.has(text)) &&
      (named.length > 1 || named.some((text) => text.includes('_')))
    );
  };
  const areAlternatives = (expression: string): boolean => {
    const words = expression.replace(/\\./g, ' ').match(/[a-z]+(_\??[a-z]+)*/gi) ?? [];
    const named = words.filter((word) => names.has(keyOf(word.replaceAll('?', ''))));
    return tellingWords.test(expression) || new Set(named).size > 1;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isArrayLiteralExpression(node) && areNames(textsIn(node))) {
      report(node);
    } else if (ts.isRegularExpressionLiteral(node) && areAlternatives(node.text)) {
      report(node);
    } else if (isCallOf(node, 'split') && areNames(wordsSplitIn(node))) {
      report(node);
    } else if (isCallOf(node, 'RegExp') && areAlternatives(node.getText())) {
      report(node);
    } else if (ts.isStringLiteralLike(node) && isLongName(node.text) && !isInList(node)) {
      report(node);
    } else if (ts.isPropertyAccessExpression(node) && isLongName(node.name.text)) {
      report(node);
    }
    ts.forEachChild(node, visit);
  };
  const isLongName = (text: string) => /[a-z]_[a-z]/.test(text) && names.has(text);
  visit(root);
  return found;
}

function parse(file: string, source: string): ts.SourceFile {
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
}

function textsIn(list: ts.ArrayLiteralExpression): readonly string[] {
  return list.elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
}

function isInList({ parent }: ts.Node): boolean {
  return ts.isArrayLiteralExpression(parent);
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression | ts.NewExpression {
  return (
    (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
    node.expression.getText().split('.').at(-1) === name
  );
}

/** The words of `'a b c'.split(' ')`. */
function wordsSplitIn({ expression }: ts.CallExpression | ts.NewExpression): readonly string[] {
  return ts.isPropertyAccessExpression(expression) && ts.isStringLiteralLike(expression.expression)
    ? expression.expression.text.split(' ')
    : [];
}

/** As `memberKey`, of which a test must not depend on a copy that is changed with the source. */
function keyOf(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

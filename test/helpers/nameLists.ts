import type { ArrayExpression, Node } from 'oxc-parser';
import { literalText, memberName, parseSource, visitNodes } from './sourceTree';

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
  const { root, textOf } = parseSource('meanings.ts', source);
  visitNodes(root, (node) => {
    if (node.type === 'ArrayExpression') {
      textsIn(node).forEach((text) => names.add(text));
    }
    if (node.type === 'Property' && node.value.type === 'ObjectExpression') {
      meanings.add(textOf(node.key));
    }
    const named =
      node.type === 'VariableDeclarator' ? literalText(node.init ?? undefined) : undefined;
    if (named !== undefined) {
      names.add(named);
    }
  });
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
  const { root, textOf, lineOf } = parseSource(file, source);
  const found: string[] = [];
  const report = (node: Node) => {
    found.push(`${file}:${lineOf(node)}: ${textOf(node).replace(/\s+/g, ' ').slice(0, 100)}`);
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
  const isLongName = (text: string) => /[a-z]_[a-z]/.test(text) && names.has(text);
  const isCallOf = (node: Node, name: string) =>
    (node.type === 'CallExpression' || node.type === 'NewExpression') &&
    textOf(node.callee).split('.').at(-1) === name;
  const isNameList = (node: Node, [parent]: readonly Node[]) => {
    const text = literalText(node);
    const name = memberName(node);
    return (
      (node.type === 'ArrayExpression' && areNames(textsIn(node))) ||
      (node.type === 'Literal' && 'regex' in node && areAlternatives(textOf(node))) ||
      (isCallOf(node, 'split') && areNames(wordsSplitIn(node))) ||
      (isCallOf(node, 'RegExp') && areAlternatives(textOf(node))) ||
      (text !== undefined && isLongName(text) && parent?.type !== 'ArrayExpression') ||
      (name !== undefined && isLongName(name))
    );
  };
  visitNodes(root, (node, around) => {
    if (isNameList(node, around)) {
      report(node);
    }
  });
  return found;
}

function textsIn({ elements }: ArrayExpression): readonly string[] {
  return elements.flatMap((element) => literalText(element ?? undefined) ?? []);
}

/** The words of `'a b c'.split(' ')`. */
function wordsSplitIn(node: Node): readonly string[] {
  const callee = node.type === 'CallExpression' ? node.callee : undefined;
  const text = callee?.type === 'MemberExpression' ? literalText(callee.object) : undefined;
  return text?.split(' ') ?? [];
}

/** As `memberKey`, of which a test must not depend on a copy that is changed with the source. */
function keyOf(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

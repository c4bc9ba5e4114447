import { type Node, parseSync, type Program, visitorKeys } from 'oxc-parser';

/** A source file of TypeScript as a tree (ESTree with the nodes of TypeScript). */
export interface SourceTree {
  readonly root: Program;
  /** As it is written. */
  readonly textOf: (node: Node) => string;
  /** The line that a node begins in, counted from 1. */
  readonly lineOf: (node: Node) => number;
}

/** @throws Error if the source is no TypeScript: what is not read would not be checked. */
export function parseSource(file: string, source: string): SourceTree {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`);
  }
  return {
    root: program,
    textOf: ({ start, end }) => source.slice(start, end),
    lineOf: ({ start }) => source.slice(0, start).split('\n').length,
  };
}

/**
 * Visits a node and all below it.
 * @param visit gets a node with those around it, the innermost first.
 */
export function visitNodes(
  node: Node,
  visit: (node: Node, around: readonly Node[]) => void,
  around: readonly Node[] = [],
): void {
  visit(node, around);
  const members = node as unknown as Readonly<Record<string, Node | (Node | null)[] | null>>;
  const nextAround = [node, ...around];
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [members[key]].flat()) {
      if (child) {
        visitNodes(child, visit, nextAround);
      }
    }
  }
}

/** The text of a string, or of a template without expressions; `undefined` for other nodes. */
export function literalText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') {
    return node.value;
  }
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

/** The name of a member that is read by it, such as `b` of `a.b`; `undefined` for other nodes. */
export function memberName(node: Node): string | undefined {
  return node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier'
    ? node.property.name
    : undefined;
}

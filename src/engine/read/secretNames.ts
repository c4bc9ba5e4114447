import {
  fieldMeaning,
  findBesideSecret,
  isCodeOfResult,
  isMessage,
  isRuleOrTool,
  isSnippet,
  looksForSecrets,
  namesSecret,
  pathsOfRuleOrTool,
  quotesSecrets,
} from '../../vocabulary/secretFields';
import type { OuterList } from './detect/detect';
import type { ShapeNode } from './records/shape';

/*
 * Which other members of a record tell that a value is secret. Rows of a list within another one are in objects of which
 * they have the plain members, under names joined by dots, such as `results.check_id`: these tell it, too.
 */

/** A node whose text may name another value as secret, or is the rule or the tool that it was found by. */
export interface NameNode {
  readonly node: ShapeNode;
  /** Whether its text tells that the value is secret. */
  readonly tells: (text: string) => boolean;
}

/** An object that has a value, and the objects around it. */
interface Container {
  /** The name under which the next object has it; empty if that has none. */
  readonly title: string;
  readonly outer: Container | undefined;
  readonly members: readonly { readonly title: string; readonly node: ShapeNode }[];
  find(path: readonly string[]): ShapeNode | undefined;
}

/** A value in an object: the value of a node, or one around it. */
interface Level {
  readonly title: string;
  readonly container: Container;
}

/** Finds the members that tell of values of a shape, and looks at each object once. */
export class SecretNames {
  private readonly containers = new Map<ShapeNode | string, Container>();
  private readonly tools = new Map<Container, readonly NameNode[]>();

  /** @param lists those that the records are from, if they were copied. */
  constructor(
    private readonly top: ShapeNode,
    private readonly lists: readonly OuterList[],
  ) {}

  /** Whether the records have members of objects around them. */
  get haveParents(): boolean {
    return this.lists.some(({ names, isInArray }) => names.length > 1 || isInArray);
  }

  /** The members that may name the value of a node, or that of an object around it, as secret. */
  findNames(node: ShapeNode): NameNode[] {
    return this.findWays(node).flatMap((levels) => {
      let isInSnippet = false;
      return levels.flatMap(({ title, container }) => {
        isInSnippet ||= isSnippet(title);
        const { outer } = container;
        return [
          ...(fieldMeaning(title) === 'value' ? namesIn(container) : []),
          ...(isCodeOfResult(title, container.title) && outer ? this.toolsIn(outer) : []),
          ...(isInSnippet ? this.toolsIn(container) : []),
          ...(isMessage(title, container.title) && outer
            ? this.toolsIn(outer).map(({ node: rule }) => ({ node: rule, tells: quotesSecrets }))
            : []),
        ];
      });
    });
  }

  /** The members that tell whether a value is of a result of a rule or a tool that looks for secrets. */
  findTools(node: ShapeNode): NameNode[] {
    return this.findWays(node).flatMap((levels) =>
      levels.flatMap(({ container }) => this.toolsIn(container)),
    );
  }

  /**
   * The groups of members that only together tell that a node, or an object around it, has the code around a secret. Each
   * member is there if one of its nodes has a value.
   */
  findBeside(node: ShapeNode): ShapeNode[][][] {
    return this.findWays(node).flatMap((levels) =>
      levels.flatMap(({ title, container: { members } }) =>
        findBesideSecret(title).flatMap((names) => {
          const beside = names.map((name) => members.filter((member) => member.title === name));
          return beside.every((found) => found.length > 0)
            ? [beside.map((found) => found.flatMap((member) => withMembers(member.node)))]
            : [];
        }),
      ),
    );
  }

  /** The rule and the tool that an object names. */
  private toolsIn(container: Container): readonly NameNode[] {
    const known = this.tools.get(container);
    if (known) {
      return known;
    }
    const own = container.members.flatMap(({ title, node }) => (isRuleOrTool(title) ? node : []));
    const inObjects = pathsOfRuleOrTool.flatMap((path) => container.find(path) ?? []);
    const found = [...own, ...inObjects].map((node) => ({ node, tells: looksForSecrets }));
    this.tools.set(container, found);
    return found;
  }

  /** Where a value is, from its own object outwards: in one way, or in one for each of several lists that were joined. */
  private findWays(node: ShapeNode): Level[][] {
    const own: Level[] = [];
    let each = node;
    for (; each.parent?.parent; each = each.parent) {
      own.push({ title: each.title, container: this.containerOf(each.parent) });
    }
    const { title } = each;
    if (each === this.top) {
      return [];
    }
    const ofRow = [...own, { title, container: this.containerOf(this.top) }];
    return this.lists.length === 0
      ? [ofRow]
      : this.lists.map((list) => {
          const { names } = list;
          const isOfParent = names.length > 1 && title.startsWith(`${names[0]}.`);
          return isOfParent
            ? [...own, ...this.levelsAround(title.split('.'), list)]
            : [...ofRow, ...this.levelsAround(names, list)];
        });
  }

  /** A path of names in a document, from its end, of the objects of which a row has plain members. */
  private levelsAround(names: readonly string[], list: OuterList): Level[] {
    return names
      .map((title, at) => ({ title, container: this.containerAround(names.slice(0, at), list) }))
      .reverse();
  }

  private containerOf(node: ShapeNode): Container {
    const known = this.containers.get(node);
    if (known) {
      return known;
    }
    const container = {
      title: node.title,
      outer: node.parent && this.containerOf(node.parent),
      members: node.members.map((member) => ({ title: member.title, node: member })),
      find: (path: readonly string[]) =>
        path.reduce<ShapeNode | undefined>((found, name) => found?.byKey.get(name), node),
    };
    this.containers.set(node, container);
    return container;
  }

  private containerAround(names: readonly string[], list: OuterList): Container {
    const { top } = this;
    const key = JSON.stringify([names, list.isInArray]);
    const known = this.containers.get(key);
    if (known) {
      return known;
    }
    const prefix = names.map((name) => `${name}.`).join('');
    const isRow = names.length === 0;
    // A document that is an array has objects around the list, whose members have their own names.
    const members = isRow && !list.isInArray ? [] : top.members;
    const container = {
      title: names.at(-1) ?? '',
      outer: isRow ? undefined : this.containerAround(names.slice(0, -1), list),
      members: members
        .filter(({ title }) => title.startsWith(prefix))
        .map((node) => ({ title: node.title.slice(prefix.length), node })),
      find: (path: readonly string[]) =>
        members.length > 0 ? top.byKey.get(prefix + path.join('.')) : undefined,
    };
    this.containers.set(key, container);
    return container;
  }
}

function namesIn({ members }: Container): NameNode[] {
  return members
    .filter(({ title }) => fieldMeaning(title) === 'name')
    .map(({ node }) => ({ node, tells: namesSecret }));
}

/** A node with all that is in it: an object has no value of its own where its members are columns. */
function withMembers(node: ShapeNode): ShapeNode[] {
  return [node, ...node.members.flatMap(withMembers)];
}

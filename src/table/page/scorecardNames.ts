import type { Filter } from '../engine/types';

/** Scorecards whose name is like what was typed, at most: each becomes a condition of the query. */
const mostFound = 50;
const uuidLength = 36;

type TextFilter = Extract<Filter, { op: 'contains' | 'equals' | 'startsWith' | 'endsWith' }>;

/**
 * The names of the scorecards that the host knows, for people: files have only their UUIDs, and filters
 * and copies keep these.
 */
export class ScorecardNames {
  private byId: ReadonlyMap<string, string>;

  /** @param names by UUIDs in lower case. */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.byId = new Map(Object.entries(names));
  }

  set(names: Readonly<Record<string, string>>): void {
    this.byId = new Map(Object.entries(names));
  }

  /** The name of the scorecard that a text is the UUID of, in any case. */
  of(text: string): string | undefined {
    return text.length === uuidLength ? this.byId.get(text.toLowerCase()) : undefined;
  }

  /** A text with names in the place of UUIDs. */
  inText(text: string): string {
    return this.byId.size === 0
      ? text
      : text.replace(/[\da-f-]{36}/gi, (uuid) => this.of(uuid) ?? uuid);
  }

  /** The filter that a person typed for a column of ids, which finds scorecards by their names as well. */
  filterOf(typed: Filter): Filter {
    switch (typed.op) {
      case 'not':
        return { ...typed, of: this.filterOf(typed.of) };
      case 'contains':
      case 'equals':
      case 'startsWith':
      case 'endsWith': {
        const { column } = typed;
        const found = [...this.byId].filter(([, name]) => isLike(name, typed)).slice(0, mostFound);
        const ids = found.map(([id]) => ({ op: 'equals', column, text: id }) as const);
        return ids.length > 0 ? { op: 'or', of: [typed, ...ids] } : typed;
      }
      default:
        return typed;
    }
  }
}

function isLike(name: string, { op, text, matchCase }: TextFilter): boolean {
  const [whole, part] = matchCase ? [name, text] : [name.toLowerCase(), text.toLowerCase()];
  switch (op) {
    case 'equals':
      return whole === part;
    case 'contains':
      return whole.includes(part);
    case 'startsWith':
      return whole.startsWith(part);
    case 'endsWith':
      return whole.endsWith(part);
  }
}

import { type Criteria, filtersWhere, withChosen } from './criteria';

/** The criteria, and the text to find. */
export interface TypedTexts {
  readonly criteria: Criteria;
  readonly find: string;
}

/**
 * What was there before secret values were shown: what was typed or chosen since may contain one, in any column. It
 * is neither saved, because VS Code writes the state to disk, nor shown after masking.
 */
export function withoutSecrets(typed: TypedTexts, before: TypedTexts | undefined): TypedTexts {
  if (!before) {
    return typed;
  }
  const { criteria, find } = typed;
  const { filters, openedGroup, overviewFilter } = before.criteria;
  return {
    criteria: {
      ...withChosen(criteria, (one) => one === openedGroup || one === overviewFilter),
      filters: filtersWhere(criteria, (id, text) => filters[id] === text),
    },
    find: find === before.find ? find : '',
  };
}

import { type Criteria, filtersWhere, withChosen } from './criteria';

/** What there was before secret values were shown. */
export interface BeforeSecrets {
  readonly criteria: Criteria;
  /** The text to find. */
  readonly find: string;
}

/*
 * What was typed while secret values are shown may contain one. It is neither saved, because VS Code writes the
 * state to disk, nor shown after masking.
 */

/**
 * The criteria without new filters, groups and choices: a secret value can be typed into the filter of any
 * column.
 */
export function criteriaWithoutSecrets(
  criteria: Criteria,
  before: BeforeSecrets | undefined,
): Criteria {
  if (!before) {
    return criteria;
  }
  const { filters, openedGroup, overviewFilter } = before.criteria;
  return {
    ...withChosen(criteria, (one) => one === openedGroup || one === overviewFilter),
    filters: filtersWhere(criteria, (id, text) => filters[id] === text),
  };
}

/** The text to find, if it was there before. */
export function findWithoutSecrets(find: string, before: BeforeSecrets | undefined): string {
  return before === undefined || before.find === find ? find : '';
}

import type { ProblemsState } from '../../protocol/tableProtocol';
import type { Texts } from '../../summary/texts';

/** How many findings are listed in Problems; `undefined` while that is not known. What is not listed is said beside it. */
export function problemsOutcome(state: ProblemsState, texts: Texts): string | undefined {
  const { listed, hasMore = false } = state;
  if (listed === undefined) {
    return undefined;
  }
  const [one, more] = hasMore
    ? (['oneWorstInProblems', 'worstInProblems'] as const)
    : (['oneInProblems', 'inProblems'] as const);
  if (listed > 0) {
    return texts.get(listed === 1 ? one : more, listed);
  }
  // Else all are in excluded paths.
  return state.excluded === undefined ? texts.get('noneInProblems') : undefined;
}

/** How many rows the table showed when their findings were listed; `undefined` if all. */
export function filteredText({ filtered }: ProblemsState, texts: Texts): string | undefined {
  return (
    filtered &&
    texts.get(filtered.of === 1 ? 'filteredOfOneRow' : 'filteredRows', filtered.rows, filtered.of)
  );
}

/** How many findings have files in excluded paths; `undefined` if none has. */
export function excludedText(
  { excluded, areExcludedListed }: ProblemsState,
  texts: Texts,
): string | undefined {
  const [one, more] = areExcludedListed
    ? (['oneListedExcluded', 'listedExcluded'] as const)
    : (['oneExcluded', 'excluded'] as const);
  return excluded === undefined ? undefined : texts.get(excluded === 1 ? one : more, excluded);
}

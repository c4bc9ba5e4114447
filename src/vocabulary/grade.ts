import { createScale } from './scale';

/** From best to worst, like school grades. */
export const gradeScale = createScale(['a', 'b', 'c', 'd', 'e', 'f'], { worstFirst: false });

/** The lowest score of each grade, as SecurityScorecard gives them. */
export const gradeBands = [
  ['A', 90],
  ['B', 80],
  ['C', 70],
  ['D', 60],
  ['F', 0],
] as const;

/** The grade of a score from 0 to 100. */
export function gradeOfScore(score: number): string {
  return gradeBands.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
}

/** How a company is rated: by a score from 0 to 100, and a letter. */
export interface Rating {
  readonly score?: number | undefined;
  readonly grade?: string | undefined;
}

/** By the UUID of the scorecard, in lower case. */
export type Ratings = Readonly<Record<string, Rating>>;

/** For sorting companies: the worst grade first, of the same grade the lowest score; those that are not rated last. */
export function compareRatings(one: Rating | undefined, other: Rating | undefined): number {
  const [first, second] = [placeOf(one), placeOf(other)];
  return second[0] - first[0] || first[1] - second[1];
}

/** The rated scorecards, the worst first. */
export function worstRated(ratings: Ratings): string[] {
  return Object.entries(ratings)
    .filter(([, rating]) => placeOf(rating)[0] >= 0)
    .toSorted(([, one], [, other]) => compareRatings(one, other))
    .map(([id]) => id);
}

/** The position of the grade, -1 without one, and the score, of which the highest stands for none. */
function placeOf({ score, grade }: Rating = {}): readonly [grade: number, score: number] {
  const known = grade === undefined ? undefined : gradeScale.positionOf(grade);
  const given = score === undefined ? undefined : gradeScale.positionOf(gradeOfScore(score));
  return [known ?? given ?? -1, score ?? 100];
}

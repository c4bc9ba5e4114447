import { NotFoundError } from '../api/http/errors';

/** A list has nothing under a number. */
export class NoSuchFindingError extends NotFoundError {
  constructor(
    readonly number: number,
    /** How many findings the list has, as the service counts them. */
    readonly total: number | undefined,
  ) {
    super(
      `The list has no finding ${number}${total === undefined ? '' : `: it has ${total}`}; it may have become shorter.`,
    );
  }
}

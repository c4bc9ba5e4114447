import { ApiError } from '../../api/http/errors';

/**
 * Why an archive is not unpacked: it cannot be read (`damaged`), not by this product (`unsupported`),
 * is not the packed form of one file (`entries`), or is what somebody would send to do harm.
 */
export type UnpackReason =
  'damaged' | 'unsupported' | 'entries' | 'encrypted' | 'path' | 'link' | 'ratio' | 'tooLarge';

/** An archive that is not unpacked; nothing of it is left on disk. */
export class UnpackError extends ApiError {
  override readonly name = 'UnpackError';
  override readonly code = 'download';

  constructor(readonly reason: UnpackReason) {
    super(`The archive is not unpacked: ${reason}.`);
  }
}

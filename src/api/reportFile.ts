import type { Clock } from '../common/clock';
import { saveDownload } from './download';
import { CancelledError, DownloadError } from './errors';
import { reportFileName } from './fileName';
import type { HttpResponse } from './httpResponse';
import { onAbort } from './onAbort';
import type { ReportFile, SaveOptions } from './types';

/** A report on the wire; see ReportFile for what its members promise. */
export class ResponseFile implements ReportFile {
  readonly fileName: string;
  readonly total: number | undefined;
  private taken = false;

  /**
   * @param response the answer whose body is the report.
   * @param chunks the body from its first byte; some of it may have been looked at already.
   * @param maxBytes the most bytes that are taken.
   */
  constructor(
    private readonly response: HttpResponse,
    private readonly chunks: AsyncIterable<Buffer>,
    private readonly clock: Clock,
    private readonly maxBytes: number,
  ) {
    this.fileName = reportFileName(response.headers.get('content-disposition'), response.mediaType);
    this.total = response.declaredLength;
  }

  async saveTo(path: string, options: SaveOptions = {}): Promise<number> {
    if (this.taken) {
      throw new DownloadError('io', 'The body of this report has been read or given up already.');
    }
    this.taken = true;
    const unlink =
      options.signal &&
      onAbort(options.signal, () => {
        this.response.cancel();
      });
    try {
      if (options.signal?.aborted) {
        throw new CancelledError();
      }
      return await saveDownload(path, {
        chunks: this.chunks,
        total: this.total,
        maxBytes: this.maxBytes,
        clock: this.clock,
        replacePart: options.replacePart ?? false,
        onProgress: options.onProgress,
      });
    } finally {
      unlink?.();
      // Of a body that was read to its end nothing is left to close.
      this.response.cancel();
    }
  }

  discard(): void {
    this.taken = true;
    this.response.cancel();
  }
}

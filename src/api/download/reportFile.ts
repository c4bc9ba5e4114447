import { message } from '../../base/message';
import { saveDownload, type SaveContext } from './download';
import { CancelledError, DownloadError } from '../http/errors';
import { reportFileName } from './fileName';
import type { HttpResponse } from '../http/httpResponse';
import { onAbort } from '../http/onAbort';
import { type Extent, strongValidator } from './resume';
import type { ReportFile, ReportVersion, SaveOptions } from '../types';

/** A report on the wire; see ReportFile for what its members promise. */
export class ResponseFile implements ReportFile {
  readonly total: number | undefined;
  readonly resumedAt: number;
  readonly version: ReportVersion | undefined;
  private taken = false;

  /**
   * The report in a response. The code that reads its file name is loaded only when there is a
   * report to save.
   *
   * @param response the response whose body is the report or the rest of it.
   * @param batches the body from its first byte; some of it may have been read already.
   * @param extent which part of the report the body is; where absent, all of it.
   */
  static async of(
    response: HttpResponse,
    batches: AsyncIterable<Buffer[]>,
    context: SaveContext & { redact: (text: string) => string },
    extent?: Extent,
  ): Promise<ResponseFile> {
    const { parse } = await import('content-disposition');
    const disposition = response.headers.get('content-disposition');
    const fileName = reportFileName(disposition, response.mediaType, parse, context.redact);
    const { declaredLength } = response;
    const whole = { start: 0, end: declaredLength, total: declaredLength };
    return new ResponseFile(response, batches, context, extent ?? whole, fileName);
  }

  private constructor(
    private readonly response: HttpResponse,
    private readonly batches: AsyncIterable<Buffer[]>,
    private readonly context: SaveContext,
    private readonly extent: Extent,
    readonly fileName: string,
  ) {
    this.total = this.extent.total;
    this.resumedAt = this.extent.start;
    const validator = strongValidator(response);
    this.version = validator === undefined ? undefined : versionOf(validator, this.total);
  }

  async saveTo(path: string, options: SaveOptions = {}): Promise<number> {
    if (this.taken) {
      throw new DownloadError(
        'io',
        message('The body of this report was already read or discarded.'),
      );
    }
    this.taken = true;
    const throwIfCancelled = () => {
      if (options.signal?.aborted) {
        throw new CancelledError();
      }
    };
    const unlink =
      options.signal &&
      onAbort(options.signal, () => {
        this.response.cancel();
      });
    try {
      throwIfCancelled();
      return await saveDownload(path, {
        context: this.context,
        // A 416 means that nothing is left; its body is an error message.
        batches: this.response.status === 416 ? nothing() : this.batches,
        extent: this.extent,
        part: options.part ?? `${path}.part`,
        keepPart: options.keepPart === true && this.version !== undefined,
        onProgress: options.onProgress,
        beforeMove: () => {
          throwIfCancelled();
          options.beforeMove?.();
        },
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

function versionOf(validator: string, total: number | undefined): ReportVersion {
  return total === undefined ? { validator } : { validator, total };
}

async function* nothing(): AsyncGenerator<Buffer[], void, undefined> {
  // No piece.
}

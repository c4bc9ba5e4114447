import * as fs from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

const maps = new Map<string, SourceMap | undefined>();

/**
 * Makes the stacks of an error and of its causes name the source, not the bundle. Node can do that for every
 * error that is created, but then each browser call pays for it: a tenth of the time of a test with many calls.
 */
export function nameSources(error: unknown): void {
  for (let each = error; each instanceof Error; each = each.cause) {
    each.stack = (each.stack ?? '').replace(
      /((?:[A-Z]:)?[^\s():]+\.js):(\d+):(\d+)/g,
      (place, file: string, line: string, column: string) => {
        const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
        return origin && 'fileName' in origin
          ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
          : place;
      },
    );
  }
}

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) {
    const file = `${bundle}.map`;
    maps.set(
      bundle,
      fs.existsSync(file)
        ? new SourceMap(JSON.parse(fs.readFileSync(file, 'utf8')) as SourceMapPayload)
        : undefined,
    );
  }
  return maps.get(bundle);
}

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { localDisk } from '../../files/disk';
import { removeFile } from '../../files/files';
import { putAll, writeWhole } from '../../files/wholeFile';
import { demoAccountId, type Demo } from '../account/account';
import { schemaVersion, type StoredReport } from './storedReport';
import type { ReportStore } from './reportStore';

/**
 * Adds a full report from a week ago to the reports of the demo, unless it is already there.
 * Without it, the demo would have nothing to compare a report with.
 * @param title the title of a full report of all findings.
 * @returns whether it was added; not if the demo has none.
 * @throws an error of the network or the file system.
 */
export async function addEarlierDemoReport(
  demo: Demo,
  store: ReportStore,
  title: string,
): Promise<boolean> {
  const earlier = demo.earlierReport?.();
  const at = new Date(earlier?.madeAt ?? 0).toISOString();
  const id = `demo-${at.replace(/\W/g, '-')}`;
  if (!earlier || store.has(id)) {
    return false;
  }
  const response = await fetch(demo.baseUrl + earlier.address, {
    headers: { Authorization: `Token ${demo.apiKey}` },
  });
  if (!response.ok || !response.body) {
    throw new Error(`The demo answered ${response.status}.`);
  }
  // An entry whose name starts with a dot is not a report; a draft left behind is removed later.
  const draft = store.folderOf(`.${randomUUID()}`);
  const file = `${draft}.file`;
  try {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const body = response.body as unknown as AsyncIterable<Uint8Array>;
    await writeWhole(localDisk, { path: file, replace: false }, (put) => putAll(put, body));
    const report: StoredReport = {
      schemaVersion,
      jobs: 0,
      id,
      kind: 'full',
      accountId: demoAccountId,
      title,
      origin: new URL(demo.baseUrl).origin,
      state: 'ready',
      requestedAt: at,
      finishedAt: at,
      path: path.join(store.fileFolderOf(id), `full-report-${at.slice(0, 10)}.ndjson`),
      bytes: (await fs.stat(file)).size,
    };
    // Adds the report and its file in one step, so that none is `ready` without a file.
    await store.create(report, { file, draft: `${draft}.new` });
    store.markSeen([id]);
    return true;
  } catch (error) {
    if (store.has(id)) {
      // Another window was faster.
      return false;
    }
    throw error;
  } finally {
    await removeFile(file);
  }
}

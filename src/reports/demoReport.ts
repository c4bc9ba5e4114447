import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { demoAccountId, type Demo } from '../account/account';
import { madeAt, schemaVersion, type StoredReport } from './reportRecord';
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
  if (!earlier) {
    return false;
  }
  const { address, madeAt: earlierMadeAt } = earlier;
  const isThere = store
    .list()
    .some(
      (report) =>
        report.accountId === demoAccountId &&
        report.kind === 'full' &&
        madeAt(report) === earlierMadeAt,
    );
  if (isThere) {
    return false;
  }
  const id = randomUUID();
  const response = await fetch(demo.baseUrl + address, {
    headers: { Authorization: `Token ${demo.apiKey}` },
  });
  if (!response.ok || !response.body) {
    throw new Error(`The demo answered ${response.status}.`);
  }
  // An entry whose name starts with a dot is not a report; a draft left behind is removed later.
  const draft = `${store.folderOf(`.${id}`)}.file`;
  const name = `full-report-${new Date(earlierMadeAt).toISOString().slice(0, 10)}.ndjson`;
  try {
    await fs.mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
    const body = response.body as unknown as AsyncIterable<Uint8Array>;
    await fs.writeFile(draft, body, { flag: 'wx', mode: 0o600 });
    const at = new Date(earlierMadeAt).toISOString();
    const report: StoredReport = {
      schemaVersion,
      run: 0,
      id,
      kind: 'full',
      accountId: demoAccountId,
      title,
      origin: new URL(demo.baseUrl).origin,
      state: 'ready',
      requestedAt: at,
      finishedAt: at,
      path: path.join(store.fileFolderOf(id), name),
      bytes: (await fs.stat(draft)).size,
    };
    // Adds the record and its file in one step, so that no record is `ready` without a file.
    store.create(report, { file: draft });
    store.markSeen(id);
    return true;
  } finally {
    await fs.rm(draft, { force: true });
  }
}

import { createReadStream, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { runChild, sendResult } from '../child';
import { time } from '../measure';

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: unknown[]): void; all(): unknown[] };
  close(): void;
}

/* What a program in Node would do without its own index, in a separate process. */
runChild(async ([file = '']) => {
  const result: Record<string, number> = {};
  let high = 0;
  result['JSON.parse'] = await time(async () => {
    for await (const row of rowsOf(file)) {
      high += row.severity === 'high' ? 1 : 0;
    }
  });
  const sqlite = loadSqlite();
  if (sqlite) {
    const path = `${file}.db`;
    const database = new sqlite.DatabaseSync(path);
    try {
      result.sqliteLoad = await time(() => load(database, file));
      const all = (sql: string) => time(() => Promise.resolve(database.prepare(sql).all()));
      result.sqliteFilter = await all("select count(*) from rows where severity = 'high'");
      result.sqliteSort = await all(
        'select domain from rows order by domain limit 200 offset 2000000',
      );
      result.sqliteGroup = await all('select issue_type, count(*) from rows group by issue_type');
    } finally {
      database.close();
      rmSync(path, { force: true });
    }
  }
  sendResult({ ...result, high });
});

async function* rowsOf(file: string): AsyncGenerator<Record<string, unknown>> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    yield JSON.parse(line) as Record<string, unknown>;
  }
}

/** Loads SQLite, which Node has since 22.5. */
function loadSqlite(): { DatabaseSync: new (path: string) => Database } | undefined {
  try {
    return createRequire(__filename)('node:sqlite') as {
      DatabaseSync: new (path: string) => Database;
    };
  } catch {
    return undefined;
  }
}

async function load(database: Database, file: string): Promise<void> {
  database.exec(
    'pragma journal_mode = off; pragma synchronous = off; create table rows (severity, domain, issue_type, row); begin',
  );
  const insert = database.prepare('insert into rows values (?, ?, ?, ?)');
  for await (const row of rowsOf(file)) {
    insert.run(row.severity, row.domain, row.issue_type, JSON.stringify(row));
  }
  database.exec('commit');
}

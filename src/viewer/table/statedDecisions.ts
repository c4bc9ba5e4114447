import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type { DecidableFinding, Decision } from '../../known/decision';
import { findStatement, readVexStatements, type VexStatements } from '../../known/vexStatements';
import { decide } from './knownFindings';

/** A finding with the package that it is in, if its file says that. */
export type StatedFinding = DecidableFinding & { readonly purl?: string };

/** What a document beside a file of findings decides about them, if its user wants that. */
export interface StatedDecisions {
  readonly name: string;
  readonly decisions: readonly Decision[];
}

const maxFiles = 20;
const maxBytes = 16 * 1024 ** 2;
/** Documents of so many bytes in all stay in memory; others are read again each time. */
const maxKeptBytes = 16 * 1024 ** 2;

interface ReadDocument {
  readonly size: number;
  readonly mtimeMs: number;
  readonly statements: VexStatements;
}

const noStatements: VexStatements = new Map();

/** The documents of OpenVEX beside files of findings. The small ones of the last folder are kept as they were read. */
export class StatedDocuments {
  private kept: ReadonlyMap<string, ReadDocument> = new Map();

  /** @param maxKept bytes */
  constructor(private readonly maxKept = maxKeptBytes) {}

  /** What the documents beside a file state about its findings. Never rejects: what cannot be read states nothing. */
  async find(
    file: string,
    findings: readonly StatedFinding[],
  ): Promise<readonly StatedDecisions[]> {
    const documents = await this.read(file);
    return Array.from(documents, ({ name, statements }) => ({
      name,
      decisions: decideAsStated(name, statements, findings),
    })).filter(({ decisions }) => decisions.length > 0);
  }

  /** The names of the vulnerabilities that they state something about, as files may write them. Never rejects. */
  async readNames(file: string): Promise<readonly string[]> {
    const documents = await this.read(file);
    const names = documents.flatMap(({ statements }) => [...statements.keys()]);
    return [...new Set(names.flatMap(writtenNames))];
  }

  private async read(
    file: string,
  ): Promise<readonly { readonly name: string; readonly statements: VexStatements }[]> {
    const folder = path.dirname(file);
    const names = (await fs.readdir(folder).catch(() => []))
      .filter((name) => /\.(open)?vex\.json$/i.test(name) && name !== path.basename(file))
      .sort()
      .slice(0, maxFiles);
    const documents = await Promise.all(
      names.map(async (name) => {
        const document = path.join(folder, name);
        return [document, await this.readDocument(document).catch(() => undefined)] as const;
      }),
    );
    const all = documents.flatMap(([document, read]) => (read ? [[document, read] as const] : []));
    let left = this.maxKept;
    this.kept = new Map(all.filter(([, { size }]) => (left -= size) >= 0));
    return Array.from(all, ([document, { statements }]) => ({
      name: path.basename(document),
      statements,
    }));
  }

  private async readDocument(file: string): Promise<ReadDocument | undefined> {
    const stat = await fs.stat(file);
    // A pipe with such a name would be read forever.
    if (!stat.isFile() || stat.size > maxBytes) {
      return undefined;
    }
    const { size, mtimeMs } = stat;
    const before = this.kept.get(file);
    if (before?.size === size && before.mtimeMs === mtimeMs) {
      return before;
    }
    const statements = readVexStatements(await fs.readFile(file, 'utf8')) ?? noStatements;
    return { size, mtimeMs, statements };
  }
}

/** GitHub writes its names with small letters after the prefix. */
function writtenNames(name: string): string[] {
  const small = name.toLowerCase();
  return [name, small, small.replace(/^ghsa-/, 'GHSA-')];
}

function decideAsStated(
  name: string,
  statements: VexStatements,
  findings: readonly StatedFinding[],
): Decision[] {
  return findings.flatMap((finding) => {
    const statement = findStatement(statements, finding);
    return statement
      ? decide(finding, { reason: statement.reason, comment: `${name}: ${statement.why}` })
      : [];
  });
}

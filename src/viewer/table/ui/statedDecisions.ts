import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { DecidableFinding, Decision } from '../../../known/decision';
import { findStatement, readVexStatements } from '../../../known/vexStatements';
import { localPath } from '../../../workbench/storedFiles';
import { decide } from '../knownFindings';

/** A finding with the package that it is in, if its file says that. */
export type StatedFinding = DecidableFinding & { readonly purl?: string };

/** What a document beside a file of findings decides about them, if its user wants that. */
export interface StatedDecisions {
  readonly name: string;
  readonly decisions: readonly Decision[];
}

const maxFiles = 20;
const maxBytes = 16 * 1024 ** 2;

/**
 * What documents of OpenVEX beside a file state about its findings. In a workspace that is not trusted, none is read.
 */
export async function findStatedDecisions(
  uri: vscode.Uri,
  findings: readonly StatedFinding[],
): Promise<readonly StatedDecisions[]> {
  const file = localPath(uri);
  if (file === undefined || !vscode.workspace.isTrusted) {
    return [];
  }
  const folder = path.dirname(file);
  const names = (await fs.readdir(folder).catch(() => []))
    .filter((name) => /\.(open)?vex\.json$/i.test(name) && name !== path.basename(file))
    .sort();
  const stated = await Promise.all(
    names.slice(0, maxFiles).map(async (name) => {
      const text = await readSmall(path.join(folder, name)).catch(() => '');
      const statements = readVexStatements(text) ?? [];
      const decisions = findings.flatMap((finding) => {
        const statement = findStatement(statements, finding);
        const comment = `${name}: ${statement?.why}`;
        return statement ? [decide(finding, { reason: statement.reason, comment })] : [];
      });
      return { name, decisions };
    }),
  );
  return stated.filter(({ decisions }) => decisions.length > 0);
}

async function readSmall(file: string): Promise<string> {
  const { size } = await fs.stat(file);
  return size > maxBytes ? '' : fs.readFile(file, 'utf8');
}

import * as vscode from 'vscode';
import { findIssueType } from '../../../vocabulary/issueTypes';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { plainText } from '../../../base/text/plainText';
import { present } from '../../../base/text/present';
import { createTextMarkdown, TreeNode } from '../../../workbench/views';
import type { FindingsList } from '../findingsList';
import type { IssueCounts } from '../issueCounts';
import {
  countTypes,
  type RowDeps,
  type ScorecardNode,
  servedNote,
  severityIcon,
  worstPhrase,
} from './findingItems';
import { fitTitle } from './fitTitle';
import { scoreTexts } from './scoreTexts';
import type { WorstSeverity } from '../../../vocabulary/worstSeverity';

const { t } = vscode.l10n;

/** One of the groups of issue types that a scorecard is graded by. */
export class FactorNode extends TreeNode {
  readonly id: string;

  /** @param factor its key; empty for issue types whose factor is unknown. */
  constructor(
    readonly parent: ScorecardNode,
    readonly factor: string,
    private readonly deps: Pick<RowDeps, 'counts' | 'names' | 'known'>,
    readonly lists: () => readonly FindingsList[],
    readonly worst: () => WorstSeverity | undefined,
  ) {
    super();
    this.id = `factor:${parent.scorecard.id}/${factor}`;
  }

  draw(): vscode.TreeItem {
    const { counts, names } = this.deps;
    const title = factorTitle(this.factor, names);
    const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
    const worst = this.worst();
    const company = counts.companies.of(this.parent.scorecard.id);
    const score = scoreTexts(company?.factors.find(({ name }) => name === this.factor));
    const severity = worst && worstPhrase(worst);
    item.iconPath = severityIcon(worst?.position) ?? new vscode.ThemeIcon('layers');
    const numbers = present(score?.brief, severity);
    item.label = fitTitle(title, numbers, 2);
    item.description = numbers.join(' \u00b7 ');
    const lines = present(title, score?.full, severity, countTypes(this.lists().length));
    item.accessibilityInformation = { label: lines.join(', ') };
    const note = worst && servedNote(this.deps.known);
    item.tooltip = createTextMarkdown(...present(...lines, note));
    return item;
  }
}

/** The key of the factor of an issue type; empty if it is unknown. */
export function findFactor({ scorecardId, issueType }: FindingsList, counts: IssueCounts): string {
  return (
    counts.companies.issueType(scorecardId, issueType)?.factor ??
    findIssueType(issueType)?.factor ??
    ''
  );
}

export function factorTitle(factor: string, names: ShownNames): string {
  return factor === '' ? t('Other issue types') : plainText(names.title(factor), 100);
}

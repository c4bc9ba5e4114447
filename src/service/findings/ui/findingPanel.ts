import * as vscode from 'vscode';
import type { Event } from '../../../base/events/emitter';
import { defined } from '../../../base/defined';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { maskSecrets } from '../../../vocabulary/secretFields';
import { localizedLabel } from '../../../workbench/describe';
import { describeDecision } from '../../../workbench/describeDecision';
import { knownFacts, maxShownComment } from '../../../summary/knownFacts';
import type { ShownRecord } from '../../../summary/shownRecord';
import type { Texts } from '../../../summary/texts';
import { formatNumber } from '../../../workbench/format';
import type { WorkspaceActions } from '../../../workbench/recordActions';
import { hasWorkspace } from '../../../workbench/workspaceFiles';
import { findWorkspaceLinks, shownLinks } from '../../../workbench/workspaceLinks';
import { findingRecord, findingTitle } from '../../../vocabulary/findingSummary';
import { shownFinding } from '../shownFinding';
import { DocumentPanel } from './documentPanel';
import { findDecision } from './findingItems';
import type { FindingsFeature } from './findingsFeature';
import { findSeverity } from './listFacts';
import { severityOfType } from './severityOfType';

const { t } = vscode.l10n;

export interface FindingPanelDeps extends FindingsFeature {
  readonly bundles: vscode.Uri;
  readonly workspace: WorkspaceActions;
}

/** Shows a finding of the service as a record. */
export class FindingPanel extends DocumentPanel {
  constructor(
    uri: vscode.Uri,
    panel: vscode.WebviewPanel,
    private readonly deps: FindingPanelDeps,
  ) {
    const { bundles, documents, names, reported, known } = deps;
    const onDidChange: Event<void> = (listener) => {
      const changed = () => {
        listener();
      };
      return vscode.Disposable.from(reported.onDidChange(changed), known.onChange(changed));
    };
    super(uri, panel, { bundles, documents, names, onDidChange });
  }

  protected override run(action: keyof WorkspaceActions): PromiseLike<unknown> {
    return this.deps.workspace[action](this.uri);
  }

  protected override async *records(entry: JsonObject, texts: Texts): AsyncGenerator<ShownRecord> {
    const { documents, meanings, counts } = this.deps;
    const links = hasWorkspace() ? shownLinks(await findWorkspaceLinks(maskSecrets(entry))) : {};
    const { issueType } = documents.find(this.uri).list;
    const meaning = await meanings.of(issueType);
    const record = (): ShownRecord => ({
      ...this.shownRecord(entry, texts),
      ...defined({ meaning }),
      links,
    });
    yield record();
    // A request: the finding does not wait for it.
    const recommendation = await counts.companies.recommendation(issueType);
    if (recommendation !== undefined) {
      yield { ...record(), recommendation };
    }
  }

  private shownRecord(unmasked: JsonObject, texts: Texts): ShownRecord {
    const { documents, scorecards, names } = this.deps;
    const { uri } = this;
    const { list, number } = documents.find(uri);
    const entry = documents.maskUnlessShown(uri, unmasked);
    const { title, ...facts } = findingRecord(entry, number);
    const scorecard = scorecards.nameOf(list.scorecardId);
    const ofType = findSeverity(this.deps, list);
    const decision = findDecision(this.deps.known, unmasked);
    const { facts: said, ...shown } = shownFinding(
      entry,
      facts,
      texts,
      ofType && severityOfType(ofType, texts),
    );
    return {
      title: findingTitle(names.title(list.issueType), localizedLabel(title)),
      subtitle: t('Finding {0} of {1}', formatNumber(number), plainText(scorecard, 100)),
      ...shown,
      facts: [
        ...(decision
          ? knownFacts(
              {
                known: describeDecision(decision),
                comment: decision.comment && plainText(decision.comment, maxShownComment),
              },
              texts,
            )
          : []),
        ...said,
      ],
      secrets: documents.stateOf(uri),
    };
  }
}

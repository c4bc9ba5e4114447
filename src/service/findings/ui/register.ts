import type * as vscode from 'vscode';
import type { Session } from '../../account/session';
import { largestPage } from '../../../api/types';
import { systemClock } from '../../../base/events/clock';
import type { AddDisposable } from '../../../base/events/disposable';
import { findingRecordId, findingScheme } from '../../../contributions';
import type { KnownIssues } from '../../../known/knownIssues';
import type { KnownSnapshot } from '../../../known/knownSnapshot';
import type { ShownNames } from '../../../vocabulary/shownNames';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { Registry } from '../../../workbench/registry';
import { numberSetting, setting, writeSetting, listSetting } from '../../../workbench/settings';
import { findCompanyName } from '../companyName';
import { Findings } from '../findings';
import { IssueCounts } from '../issueCounts';
import { ReportSeverities } from '../severity';
import { Scorecards } from '../scorecards';
import { FindingDocuments } from './findingDocuments';
import type { FindingsFeature, LargeListActions } from './findingsFeature';
import { IssueTypeMeanings } from './issueTypeMeanings';
import { FindingsView } from './findingsView';
import { RecordEditor } from './recordEditor';
import type { WorkspaceActions } from '../../../workbench/recordActions';

export function registerFindings(
  add: AddDisposable,
  deps: {
    registry: Registry;
    runner: CommandRunner;
    session: Session;
    started: Promise<void>;
    globalState: vscode.Memento;
    bundles: vscode.Uri;
    names: ShownNames;
    known: KnownSnapshot;
    knownIssues: Pick<KnownIssues, 'noteTold'>;
    /** What leads from a finding into the workspace. */
    workspace: WorkspaceActions;
    refreshOthers: () => Promise<void>;
    largeLists: LargeListActions;
  },
): FindingsFeature {
  const { registry, runner, session, started, names } = deps;
  const store = {
    ...listSetting('scorecards'),
    write: (value: unknown[]) => writeSetting('scorecards', value),
  };
  const scorecards = add(
    new Scorecards(store, session, (id) => findCompanyName(id, counts.companies, findings)),
  );
  const pageSize = () => numberSetting('pageSize', { min: 1, max: largestPage, fallback: 100 });
  const findings: Findings = add(new Findings({ session, scorecards, pageSize }));
  add(
    scorecards.onDidChange(() => {
      findings.followSettings();
    }),
  );
  const counts: IssueCounts = add(
    new IssueCounts({ session, scorecards, findings, names, now: () => systemClock.now() }),
  );
  const reported = add(new ReportSeverities(session, deps.globalState));
  const view = add(
    new FindingsView(registry, {
      session,
      scorecards,
      findings,
      counts,
      showCounts: () => setting('showCounts'),
      showFactors: () => setting('showFactors'),
      reported,
      names,
      known: deps.known,
      sortBy: () => (setting('sortFindingsBy') === 'name' ? 'name' : 'severity'),
    }),
  );
  const documents = add(new FindingDocuments(findings, names, session, started));
  registry.register(findingScheme, documents);
  const meanings = new IssueTypeMeanings(deps.bundles);
  const feature = {
    session,
    scorecards,
    findings,
    counts,
    documents,
    meanings,
    view,
    reported,
    names,
    known: deps.known,
    knownIssues: deps.knownIssues,
    refreshOthers: deps.refreshOthers,
    largeLists: deps.largeLists,
  };
  registry.register(
    findingRecordId,
    new RecordEditor(documents, async (uri, panel) => {
      const { FindingPanel } = await import('./findingPanel');
      const { bundles, workspace } = deps;
      return new FindingPanel(uri, panel, { ...feature, bundles, workspace });
    }),
  );
  runner.registerGroup('findings', async () =>
    (await import('./findingsCommands')).findingsCommands(feature),
  );
  return feature;
}

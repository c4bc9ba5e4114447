import * as assert from 'node:assert/strict';
import { silentLogger } from '../../../../src/base/logger';
import { Emitter } from '../../../../src/base/events/emitter';
import type { ReportEnd, Reports } from '../../../../src/service/reports/reports';
import type { StoredReport } from '../../../../src/service/reports/storedReport';
import { type ReportNews, ReportNotices } from '../../../../src/service/reports/ui/reportNotices';
import { storedReport } from '../../../helpers/storedReport';
import { isolate } from '../../helpers';
import { closeLater } from '../../services';
import { until } from '../../until';
import { buttonsOf, told } from '../../window';

const report = storedReport({ title: 'Full report', bytes: 8 });
const ready = '"Full report: All findings" is ready (8 B).';
const changed: ReportNews = { text: '3 new since 15 Nov', hasChanges: true };

describe('The notification of a report', () => {
  isolate({ settings: { 'reports.openWhenReady': false } });

  /** Lets a report end whose news come when the test says so. */
  function endReport() {
    const ended = new Emitter<ReportEnd>();
    let all: StoredReport[] = [report];
    const reports = {
      onDidEnd: ended.event,
      list: () => all,
      isQuiet: () => false,
      claimNotice: () => true,
    } as unknown as Reports;
    let come: (news: ReportNews | undefined) => void = () => undefined;
    const news = new Promise<ReportNews | undefined>((resolve) => {
      come = resolve;
    });
    const notices = new ReportNotices(
      reports,
      () => Promise.resolve(false),
      () => news,
      silentLogger,
    );
    closeLater(() => {
      notices.dispose();
      return Promise.resolve();
    });
    ended.fire({ report, ranHere: true });
    return {
      come,
      remove: () => {
        all = [];
      },
    };
  }

  const texts = () => told('showInformationMessage');

  it('The notification of a report says at once how it differs, where that is known soon', async () => {
    endReport().come(changed);
    await until('it is told', () => texts().length > 0);
    assert.deepEqual(texts(), [`${ready} 3 new since 15 Nov.`]);
    assert.deepEqual(buttonsOf('showInformationMessage', /is ready/), [
      'Open Report',
      'Show Changes',
      'Reveal',
    ]);
  });

  it('The notification of a report does not wait for a long comparison, whose changes follow', async () => {
    const { come } = endReport();
    await until('it is told', () => texts().length > 0);
    assert.deepEqual(texts(), [ready]);
    assert.deepEqual(buttonsOf('showInformationMessage', /is ready/), ['Open Report', 'Reveal']);
    come(changed);
    await until('the changes are told', () => texts().length > 1);
    assert.equal(texts()[1], '"Full report: All findings": 3 new since 15 Nov');
    assert.deepEqual(buttonsOf('showInformationMessage', /3 new/), ['Show Changes']);
  });

  it('The notification of a report is the only one when a long comparison finds nothing, or the report is removed', async () => {
    for (const news of [undefined, { text: 'No changes since 15 Nov', hasChanges: false }]) {
      const { come } = endReport();
      const before = texts().length;
      await until('it is told', () => texts().length > before);
      come(news);
    }
    const { come, remove } = endReport();
    await until('it is told', () => texts().length > 2);
    remove();
    come(changed);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(texts(), [ready, ready, ready]);
  });
});

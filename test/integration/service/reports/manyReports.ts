import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { sendJson, type ReceivedRequest, type TestServer } from '../../../helpers/testServer';
import { command, failure } from '../../helpers';
import { server, signIn } from '../../services';
import { quietReports } from './reportService';
import type { Report } from '../../../../src/commands';

/** The settings of a suite whose reports run at once: each is about a scorecard of its own. */
export const manyReports = {
  ...quietReports,
  showCounts: false,
  'reports.detailedBody': { scorecard: '${scorecardId}' },
} as const;

/** The answer to the request of one report, or to one poll of it. */
export type Answer = (request: ReceivedRequest, response: ServerResponse, number: number) => void;

/** How a service answers about one report. */
export interface Case {
  /** The answer to the POST; `number` counts from 1. Default: a record with an address. */
  readonly post?: Answer;
  /** The answer to the GET of the address; `number` counts from 1. */
  readonly poll?: Answer;
}

/** A record of a report that failed, and the message of the call. */
type FailedReport = Report & { readonly message: string };

/** A service of many reports, and the requests about each. */
export interface ManyReports {
  readonly service: TestServer;
  /** Starts the report of a case. */
  readonly start: (name: string) => Promise<Report | undefined>;
  /** The requests about a report, in their order. */
  readonly requestsOf: (name: string, method?: 'GET' | 'POST') => ReceivedRequest[];
  /** The newest record about a report. */
  readonly recordOf: (name: string) => Promise<Report>;
  /** Expects a call to fail, and its report not to be ready. @returns the record and the error. */
  readonly failed: (name: string, call: Promise<unknown>, code: string) => Promise<FailedReport>;
}

/** Signs in to a service that answers about each report as its case says. */
export async function reportCases(cases: Readonly<Record<string, Case>>): Promise<ManyReports> {
  const names = Object.keys(cases);
  const idOf = (name: string) =>
    `00000000-0000-4000-8000-${String(names.indexOf(name)).padStart(12, '0')}`;
  const nameOf = ({ method, path, body }: ReceivedRequest) =>
    names.find((name) =>
      method === 'POST' ? body.includes(idOf(name)) : path.startsWith(`/made/${idOf(name)}`),
    );
  const service: TestServer = await server((request, response) => {
    const name = nameOf(request) ?? '';
    const { method } = request;
    const number = requestsOf(name, method as 'GET' | 'POST').length;
    const answer = method === 'POST' ? cases[name]?.post : cases[name]?.poll;
    if (answer) {
      answer(request, response, number);
    } else {
      sendJson(response, 200, { report_url: `/made/${idOf(name)}`, status: 'processing' });
    }
  });
  const requestsOf: ManyReports['requestsOf'] = (name, method) =>
    service.requests.filter(
      (request) => nameOf(request) === name && (method === undefined || request.method === method),
    );
  await signIn(service);
  const recordOf = async (name: string) => {
    const records = await command('scorecard.listReports');
    const record = records.find(({ scorecardId }) => scorecardId === idOf(name));
    assert.ok(record, name);
    return record;
  };
  return {
    service,
    start: (name) => command('scorecard.startDetailedReport', { scorecardId: idOf(name) }),
    requestsOf,
    recordOf,
    failed: async (name, call, code) => {
      const error = await failure(call, code);
      const record = await recordOf(name);
      assert.deepEqual([record.state, record.path], ['failed', undefined], name);
      assert.deepEqual(record.error, { code, message: error.message }, name);
      return { ...record, message: error.message };
    },
  };
}

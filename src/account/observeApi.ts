import type { Api } from '../api/types';

/**
 * The same interface, which reports how each call ended.
 * @param onEnd gets the error, or `undefined` after success.
 */
export function observeApi(api: Api, onEnd: (failure: unknown) => void): Api {
  const observed = async <T>(call: Promise<T>, isRelevant?: (result: T) => boolean): Promise<T> => {
    try {
      const result = await call;
      if (isRelevant?.(result) !== false) {
        onEnd(undefined);
      }
      return result;
    } catch (error) {
      onEnd(error);
      throw error;
    }
  };
  return {
    findingsPage: (query, options) => observed(api.findingsPage(query, options)),
    collectionPage: (query, options) => observed(api.collectionPage(query, options)),
    // A file shows nothing: it may be anything, such as the login page of a network.
    requestReport: (kind, body, options) =>
      observed(api.requestReport(kind, body, options), ({ type }) => type === 'record'),
    // Another host may serve a report, and its answers show nothing about the key.
    fetchReport: (reportUrl, options) => api.fetchReport(reportUrl, options),
    budget: () => api.budget(),
  };
}

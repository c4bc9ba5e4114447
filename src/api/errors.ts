/**
 * One class per way a call can fail, each with a `code` for programs. The message is English, one
 * plain line, fit for a log; sentences for people are written elsewhere from code and data.
 */
export type ErrorCode =
  | 'auth'
  | 'forbidden'
  | 'notFound'
  | 'badRequest'
  | 'rateLimited'
  | 'server'
  | 'network'
  | 'timeout'
  | 'cancelled'
  | 'protocol'
  | 'config'
  | 'download';

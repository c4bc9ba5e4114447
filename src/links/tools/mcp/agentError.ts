/** A failure that an agent is told of: what is wrong with its question, and what to do. In English, as no person reads it. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}

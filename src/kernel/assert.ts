/** A broken promise inside our own code: never a caller's mistake (those are `failure`s). */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/**
 * Stops when a fact that this code relies on does not hold. The message is for us, never for a caller; where a price
 * asserts it many times, it is a function, because putting a text together costs more than looking at the fact.
 */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantError(typeof message === 'string' ? message : message());
}

/** A violated invariant of our own code, never an error of the caller (those are `failure`s). */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/**
 * Throws unless a fact that the code relies on holds. The message is for developers, never for callers; in hot code it
 * is a function, because building the text costs more than the check.
 */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantError(typeof message === 'string' ? message : message());
}

/** A broken promise inside our own code: never a caller's mistake (those are `failure`s). */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/** Stops when a fact that this code relies on does not hold. The message is for us, never for a caller. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Marks a place that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`unreachable: ${String(value)}`);
}

import type { AnyEndpoint } from './endpoint.ts';

/** Runs a function whose reads may be answered by a standby. */
interface Reads {
  fromStandby<Result>(work: () => Result): Result;
}

/** Operations that are declared so (`readsFrom`) read from a standby, if there is one. */
export function readingFromStandby<Operation extends AnyEndpoint>(
  reads: Reads,
  endpoints: readonly Operation[],
): Operation[] {
  return endpoints.map((endpoint) =>
    endpoint.readsFrom === 'standby'
      ? { ...endpoint, handle: (request: never) => reads.fromStandby(() => endpoint.handle(request)) }
      : endpoint,
  );
}

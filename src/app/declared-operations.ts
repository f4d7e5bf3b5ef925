import type { Endpoint, StaffEndpoint } from '../platform/http/endpoint.ts';
import { allEndpoints, allStaffEndpoints } from './app.ts';

/** Stands for whatever a handler would need. */
const nothing: never = new Proxy((() => nothing) as never, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
});

/** The operations of staff, for what they declare: no handler can be called. */
export function declaredStaffOperations(): StaffEndpoint[] {
  const access = { sessions: nothing, environment: 'production', publicUrl: undefined } as const;
  return allStaffEndpoints(nothing, access, nothing, nothing, nothing);
}

/** The operations of integrators, for what they declare: no handler can be called. */
export function declaredOperations(): Endpoint[] {
  return allEndpoints(nothing, nothing, nothing);
}

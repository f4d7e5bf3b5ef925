import { type Failure, failure } from '../kernel/failure.ts';

/** The body of `/healthz`: the process answers. */
export const aliveBody = '{"data":{"status":"alive"}}';

/** The body of `/readyz`: it can do its work. */
export const readyBody = '{"data":{"status":"ready"}}';

/** The reply of `/readyz` otherwise. */
export function notReady(): Failure {
  return failure('SERVICE_UNAVAILABLE', 'The service is starting, shutting down or without its database.');
}

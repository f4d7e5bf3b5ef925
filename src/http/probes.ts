import { concerns } from '../kernel/concerns.ts';
import { type Failure, failure } from '../kernel/failure.ts';
import { readyDetails } from '../kernel/ready-details.ts';

/** The body of `/healthz`: the process answers. */
export const aliveBody = '{"data":{"status":"alive"}}';

/** The body of `/readyz`: it can do its work. Concerns, if there are any, are for people: a balancer ignores them. */
export function readyBody(): string {
  const { words } = concerns;
  const details = Object.fromEntries([...readyDetails].map(([name, words]) => [name, words()]));
  return JSON.stringify({
    data: { status: 'ready', ...details, ...(words.length > 0 && { concerns: words }) },
  });
}

/** The reply of `/readyz` otherwise. */
export function notReady(): Failure {
  return failure('SERVICE_UNAVAILABLE', 'The service is starting, shutting down or without its database.');
}

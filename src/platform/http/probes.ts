import { concerns } from '../../kernel/concerns.ts';
import { type Failure, failure } from '../../kernel/failure.ts';
import { readyDetails } from '../../kernel/ready-details.ts';

let identity: { readonly service?: string } = {};

/** Has the probes tell which service answers. */
export function identifyService(service: string): void {
  identity = { service };
}

/** The body of `/healthz`: the process answers. */
export function aliveBody(): string {
  return JSON.stringify({ data: { status: 'alive', ...identity } });
}

/** The body of `/readyz`: it can do its work. Concerns, if there are any, are for people: a balancer ignores them. */
export function readyBody(): string {
  const { words } = concerns;
  const details = Object.fromEntries([...readyDetails].map(([name, words]) => [name, words()]));
  return JSON.stringify({
    data: { status: 'ready', ...identity, ...details, ...(words.length > 0 && { concerns: words }) },
  });
}

/** The reply of `/readyz` otherwise. */
export function notReady(): Failure {
  return failure('SERVICE_UNAVAILABLE', 'The service is starting, shutting down or without its database.');
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readDemoFile } from '../seed/seed-demo.ts';
import type { RemoteConfig } from './command.ts';
import { UsageError } from './usage-error.ts';

/** The address of a service, and an integrator's keys. */
export interface Access {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly clientKey: string;
}

/** Those of the environment, else those of the demo's sandbox. Fails with a UsageError. */
export function sandboxAccess(
  { dataDir, mirrored }: RemoteConfig,
  { url: asked }: Readonly<Record<string, string>>,
): Access {
  const { consumerKey, clientKey } = mirrored;
  const url = asked ?? mirrored.url;
  if (consumerKey !== '' || clientKey !== '') {
    const missing = [
      ...(consumerKey ? [] : ['DISPENSARY_CONSUMER_KEY']),
      ...(clientKey ? [] : ['DISPENSARY_CLIENT_KEY']),
      ...(url ? [] : ['--url or DISPENSARY_URL']),
    ];
    if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
    return { baseUrl: url!.replace(/\/+$/, ''), consumerKey, clientKey };
  }
  const demo = existsSync(join(dataDir, 'demo.json')) ? readDemoFile(dataDir) : null;
  if (demo?.sandbox === undefined) {
    throw new UsageError(
      `no keys: set DISPENSARY_CONSUMER_KEY and DISPENSARY_CLIENT_KEY. There is no demo with a sandbox in ${dataDir} either.`,
    );
  }
  return { ...demo.sandbox, baseUrl: (url ?? demo.baseUrl).replace(/\/+$/, '') };
}

/** A refusal of the service. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly code: string;
  /** Seconds to wait, if the service named them. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, retryAfterSeconds: number | null) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends one request; resolves to `data`. Fails with Refused, or with what the network says. */
export async function ask<Data>(
  access: Access,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Data> {
  return (await askPage<Data, unknown>(access, method, path, sent)).data;
}

/** The same with what stands beside `data`. */
export async function askPage<Data, Meta>(
  { baseUrl, consumerKey, clientKey }: Access,
  method: string,
  path: string,
  { body, headers, signal }: Sent,
): Promise<{ readonly data: Data; readonly meta: Meta }> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...headers,
      'x-consumer-key': consumerKey,
      'x-client-key': clientKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  // A proxy may answer in its own words.
  const reply = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
  if (response.ok && 'data' in reply) return reply;
  const { code = 'NO_JSON', message = 'The answer is not one of this service.' } = reply.error ?? {};
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new Refused(response.status, code, message, Number.isFinite(after) ? after : null);
}

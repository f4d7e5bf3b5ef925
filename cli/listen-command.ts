import { hkdfSync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../src/kernel/clock.ts';
import { messageBody, signedHeaders } from '../src/shop/webhooks/webhooks.ts';
import { type Command, optional, type RemoteCaller, type RemoteConfig, type Result } from './command.ts';
import type { Screen } from './progress-bar.ts';
import { type Access, ask, askPage, Refused, sandboxAccess } from './sandbox-client.ts';
import { UsageError } from './usage-error.ts';

/** An event as `GET /api/v1/changes` shows it. */
interface ChangeEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly resource: { readonly type: string; readonly id: string };
}

const waitSeconds = 25;
const pauseMsMin = 500;
const pauseMsMax = 10_000;
const answerMsMax = 30_000;

/** Prints and forwards the events of a shop, without a public address. */
export const listenCommands: Readonly<Record<string, Command>> = {
  listen: {
    summary:
      'print the events of a sandbox or shop as they happen, and forward them, over HTTP; with --json one on each line',
    options: {
      'forward-to': optional('where to POST them, signed as webhooks are: localhost:3000/hooks'),
      types: optional('only these types, such as order.*,product.updated'),
      after: optional('the cursor to continue after; by default from now on'),
      url: optional('the address of the service; DISPENSARY_URL, or that of demo.json'),
    },
    runRemote: (config, options, caller) => listen(config, options, caller),
  },
};

interface Listening {
  readonly access: Access;
  readonly forwardTo: string | undefined;
  readonly secret: Buffer;
  readonly screen: Screen;
  /** Each event as a line of JSON; undefined: as text on `screen`. */
  readonly lines: Screen | undefined;
  readonly signal: AbortSignal;
}

async function listen(
  config: RemoteConfig,
  options: Readonly<Record<string, string>>,
  caller: RemoteCaller,
): Promise<Result> {
  const access = sandboxAccess(config, options);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  caller.stop?.addEventListener('abort', stop);
  // The same for the same key, so a receiver that knows it needs no change at the next start.
  const secret = Buffer.from(hkdfSync('sha256', access.clientKey, '', 'dispensary listen', 32));
  const listening: Listening = {
    access,
    forwardTo: forwardAddress(options['forward-to']),
    secret,
    screen: caller.stderr,
    lines: caller.asJson === true ? caller.stdout : undefined,
    signal: stopped.signal,
  };
  try {
    const last = await follow(listening, options);
    return { lines: [`Stopped. Continue with --after ${last}`], data: { after: last } };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    caller.stop?.removeEventListener('abort', stop);
  }
}

function forwardAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address))
    throw new UsageError('--forward-to must be an address such as localhost:3000/hooks');
  return address;
}

/** Follows the feed until it is stopped. Resolves to the last cursor. */
async function follow(
  listening: Listening,
  { types, after }: Readonly<Record<string, string>>,
): Promise<string> {
  const { access, forwardTo, secret, screen, signal } = listening;
  let cursor = after ?? (await begin(listening));
  screen.write(`Listening to ${access.baseUrl}; stop with Ctrl+C.\n`);
  if (forwardTo !== undefined) {
    screen.write(`Forwarding to ${forwardTo}, signed with whsec_${secret.toString('base64')}\n`);
  }
  let pauseMs = pauseMsMin;
  while (!signal.aborted) {
    try {
      const query = new URLSearchParams({
        after: cursor,
        wait: String(waitSeconds),
        ...(types && { types }),
      });
      const path = `/api/v1/changes?${query}`;
      const { data: events, meta } = await askPage<ChangeEvent[], { cursor: string }>(access, 'GET', path, {
        signal,
      });
      pauseMs = pauseMsMin;
      for (const event of events) {
        await deliver(listening, event);
        if (signal.aborted) return cursor;
        cursor = event.id;
      }
      // Behind the events that are not asked for: a page reads a bounded number of these, and would be asked for again and again.
      cursor = meta.cursor;
    } catch (error) {
      if (signal.aborted) break;
      if (isLostPlace(error)) {
        cursor = await begin(listening);
        screen.write('The place in the feed is gone, as after a reset: continuing from now on.\n');
        continue;
      }
      if (!isPassing(error)) throw error;
      screen.write(`${reasonOf(error)}; trying again\n`);
      await pause(
        error instanceof Refused && error.retryAfterSeconds !== null
          ? error.retryAfterSeconds * 1_000
          : pauseMs,
        signal,
      );
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  }
  return cursor;
}

/** The end of the feed; waits for a service that cannot be reached. */
async function begin({ access, screen, signal }: Listening): Promise<string> {
  for (;;) {
    try {
      return (await ask<{ cursor: string }>(access, 'GET', '/api/v1/changes/latest', { signal })).cursor;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      screen.write(`${reasonOf(error)}; trying again\n`);
      await pause(pauseMsMin, signal);
    }
  }
}

/** Prints an event and forwards it, again and again until the receiver can be reached. */
async function deliver(listening: Listening, event: ChangeEvent): Promise<void> {
  const { forwardTo, secret, screen, lines, signal } = listening;
  lines?.write(`${JSON.stringify(event)}\n`);
  const line = `${event.at}  ${event.type}  ${event.resource.type} ${event.resource.id}`;
  if (forwardTo === undefined) {
    if (lines === undefined) screen.write(`${line}\n`);
    return;
  }
  const body = messageBody(event.type, Date.parse(event.at), JSON.stringify(event));
  let pauseMs = pauseMsMin;
  while (!signal.aborted) {
    try {
      const response = await fetch(forwardTo, {
        method: 'POST',
        headers: signedHeaders([secret], event.id, systemClock.now(), body),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
      });
      await response.arrayBuffer();
      screen.write(`${line}  → ${response.status}\n`);
      return;
    } catch (error) {
      if (signal.aborted) return;
      screen.write(`${line}  → ${reasonOf(error)}; trying again\n`);
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  }
}

function isLostPlace(error: unknown): boolean {
  return error instanceof Refused && ['CURSOR_EXPIRED', 'INVALID_CURSOR'].includes(error.code);
}

/** What goes away by itself: the service restarts, is overloaded, or counts the requests. */
function isPassing(error: unknown): boolean {
  return !(error instanceof Refused) || error.status >= 500 || error.status === 429;
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? (error as Error).message;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

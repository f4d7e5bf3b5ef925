import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../generated/staff-schema.ts';
import { ApiFailure, failureOf } from './api-failure.ts';
import { WriteKeys } from './write-keys.ts';

/** The named schemas of `contract/staff.json`: `Schema['StaffOrder']`. */
export type Schema = components['schemas'];

/** The operations of `contract/staff.json`, by path and method. */
export type StaffPaths = paths;

export type StaffClient = Client<paths>;

const keyHeader = 'Idempotency-Key';

/** With these a request is refused before its key is looked at: they say nothing of an earlier try, which may have been done. */
const notAdmitted: ReadonlySet<number> = new Set([401, 403, 429]);

interface StaffClientOptions {
  /** The address of the service; by default the page's own origin. */
  readonly baseUrl?: string;
  /** A session token for programs; browsers have a cookie. */
  readonly token?: string;
  /** Sends a request. A thrown `ApiFailure` is passed on; any other error becomes NO_CONNECTION. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the staff operations. `contract/staff.json` types its paths, parameters and bodies. An unsuccessful reply and a
 * missing reply throw `ApiFailure`; an aborted request throws `AbortError`.
 *
 * Every write has an `Idempotency-Key` (D63): the caller's, or the key of the same write if it got no answer in the last ten
 * minutes, or a new key. So an unchanged write can be sent again and is done once.
 */
export function createStaffClient({
  baseUrl,
  token,
  fetch = globalThis.fetch,
}: StaffClientOptions = {}): StaffClient {
  const keys = new WriteKeys();
  const send = async (request: Request): Promise<Response> => {
    try {
      return await fetch(request);
    } catch (error) {
      if (request.signal.aborted || error instanceof ApiFailure) throw error;
      throw new ApiFailure({ message: 'The service cannot be reached.', code: 'NO_CONNECTION', status: 0 });
    }
  };
  const sendOnce = async (given: Request): Promise<Response> => {
    const body = await given.arrayBuffer();
    const what = `${given.method} ${given.url} ${new TextDecoder().decode(body)}`;
    const key = keys.take(what);
    // A new request: a body can be read only once.
    const request = body.byteLength === 0 ? given : new Request(given, { body });
    request.headers.set(keyHeader, key);
    let isLost = true;
    try {
      const response = await send(request);
      const { status } = response;
      // A server error does not say whether the write was done.
      isLost = status >= 500;
      if (!isLost && !notAdmitted.has(status)) keys.answered(what);
      return response;
    } finally {
      if (isLost) keys.leftUnanswered(what, key);
    }
  };
  const client = createClient<paths>({
    ...(baseUrl !== undefined && { baseUrl }),
    credentials: 'same-origin',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: (request) =>
      request.method === 'GET' || request.headers.has(keyHeader) ? send(request) : sendOnce(request),
  });
  client.use({
    onResponse: async ({ response }) => {
      if (response.ok) return;
      throw failureOf(response, await response.json().catch(() => null));
    },
  });
  return client;
}

/** The `data` of a reply: `await dataOf(api.GET('/staff/v1/me'))`. Throws what the request throws. */
export async function dataOf<Data>(reply: Promise<{ data?: { data: Data } | undefined }>): Promise<Data> {
  const { data } = await reply;
  if (data === undefined)
    throw new ApiFailure({ message: 'The reply was empty.', code: 'INTERNAL_ERROR', status: 0 });
  return data.data;
}

/** `If-Match` for an edit: the service answers STALE_EDIT if the record changed after `updatedAt`. */
export function ifUnchanged(updatedAt: string): { 'If-Match': string } {
  return { 'If-Match': `"${updatedAt}"` };
}

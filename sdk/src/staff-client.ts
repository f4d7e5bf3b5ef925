import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../generated/staff-schema.ts';
import { ApiFailure, failureOf } from './api-failure.ts';

/** The named schemas of `contract/staff.json`: `Schema['StaffOrder']`. */
export type Schema = components['schemas'];

/** The operations of `contract/staff.json`, by path and method. */
export type StaffPaths = paths;

export type StaffClient = Client<paths>;

interface StaffClientOptions {
  /** Where the service is; by default the page's own origin. */
  readonly baseUrl?: string;
  /** A session for programs; browsers have a cookie. */
  readonly token?: string;
  /** An `ApiFailure` that it throws is thrown on; anything else is NO_CONNECTION. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the staff operations. Paths, parameters and bodies are typed by `contract/staff.json`. A reply that is no
 * success, and a request that gets no reply, throw `ApiFailure`; a request that was given up throws `AbortError`.
 */
export function createStaffClient({
  baseUrl,
  token,
  fetch = globalThis.fetch,
}: StaffClientOptions = {}): StaffClient {
  const client = createClient<paths>({
    ...(baseUrl !== undefined && { baseUrl }),
    credentials: 'same-origin',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: async (request) => {
      try {
        return await fetch(request);
      } catch (error) {
        if (request.signal.aborted || error instanceof ApiFailure) throw error;
        throw new ApiFailure({ message: 'The service cannot be reached.', code: 'NO_CONNECTION', status: 0 });
      }
    },
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

/** `If-Match` for an edit of what was last changed at `updatedAt`: the service refuses it with STALE_EDIT since a change. */
export function ifUnchanged(updatedAt: string): { 'If-Match': string } {
  return { 'If-Match': `"${updatedAt}"` };
}

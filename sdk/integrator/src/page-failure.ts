import type { ClientOptions } from './client-options.ts';
import { CommerceError, type ErrorParts } from './commerce-error.ts';

/**
 * Why a request of a web page failed, if the service can be reached: a browser hides the reply to a page of another origin, and
 * says nothing more than that the request failed. Null: not in a page of another origin, or the service does not answer.
 */
export async function failureOfPage(
  { baseUrl, publishableKey, fetch = globalThis.fetch }: ClientOptions,
  facts: Omit<ErrorParts, 'code'>,
): Promise<CommerceError | null> {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
  if (origin === undefined || origin === new URL(baseUrl).origin) return null;
  try {
    // A browser sends this one whatever the origin is, and shows nothing of the reply.
    await fetch(`${baseUrl.replace(/\/+$/, '')}/healthz`, { mode: 'no-cors' });
  } catch {
    return null;
  }
  const likely =
    publishableKey === undefined
      ? 'browsers do not send the secret keys of a server. Use a publishable key.'
      : `the publishable key does not list ${origin} among its origins, or pages may not call this operation.`;
  return new CommerceError(`The service answers, but not to this page: most likely ${likely}`, {
    ...{ ...facts, code: 'ORIGIN_NOT_ALLOWED', status: 403 },
  });
}

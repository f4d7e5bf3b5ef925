import { ApiFailure } from '../../../sdk/src/api-failure.ts';
import { isCardText } from '../scanner/license-text.ts';
import { t } from '../words/words.ts';
import { isAnswer, onOffline, suspectConnection } from './connection.ts';
import { noteServiceTime } from './shop-now.ts';

/** No operation takes this long. */
const answerMs = 60_000;
const fileMs = 300_000;

/** Writes without an answer yet. */
const waits = new Set<AbortController>();

/**
 * Stops waiting for all pending writes. They fail as unanswered: their outcome is unknown, and the caller decides whether to
 * send them again.
 */
export function stopWaiting(): void {
  for (const wait of waits) wait.abort();
}

onOffline(stopWaiting);

/**
 * Like `fetch`, for the console's requests; a search for the text of an ID card is not sent. It always ends: with a complete reply, a failure, or after a minute. An unanswered
 * request triggers a connection check. OFFLINE: the browser had no network, nothing was sent.
 */
export async function watchedFetch(request: Request): Promise<Response> {
  refuseCardText(request);
  const wasOffline = !navigator.onLine;
  const wait = new AbortController();
  const giveUp = () => wait.abort();
  const type = request.headers.get('content-type');
  const isFile = type !== null && !type.includes('json');
  const timer = setTimeout(giveUp, isFile ? fileMs : answerMs);
  request.signal.addEventListener('abort', giveUp);
  if (request.signal.aborted) giveUp();
  if (request.method !== 'GET') waits.add(wait);
  try {
    const response = await withFullBody(await fetch(request, { signal: wait.signal }));
    if (isAnswer(response.status)) noteServiceTime(response.headers.get('date'));
    else suspectConnection();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    suspectConnection();
    if (!wasOffline) throw error;
    throw new ApiFailure({ message: t`The browser is offline.`, code: 'OFFLINE', status: 0 });
  } finally {
    clearTimeout(timer);
    waits.delete(wait);
    request.signal.removeEventListener('abort', giveUp);
  }
}

/** What an ID card says is not searched for: a search would send it, whole or in part. */
function refuseCardText({ url }: Request): void {
  const sought = new URL(url).searchParams.get('search');
  if (sought === null || !isCardText(sought)) return;
  throw new ApiFailure({
    message: t`This is the text of an ID. Scan the card again, or type the name.`,
    code: 'INVALID_PARAMS',
    status: 400,
  });
}

/** A body can be lost too, so it is read in full; files are streamed. */
async function withFullBody(response: Response): Promise<Response> {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.text(), { status, statusText, headers });
}

import { ApiFailure } from '../../../sdk/src/api-failure.ts';
import { isAnswer, onOffline, suspectConnection } from './connection.ts';

/** No operation takes as long. */
const answerMs = 60_000;
const fileMs = 300_000;

/** Writes that have no answer yet. */
const waits = new Set<AbortController>();

/**
 * Ends the wait for every write that is under way, which then fails as one without an answer: whether it was done is not
 * known, and the caller decides whether to send it again.
 */
export function stopWaiting(): void {
  for (const wait of waits) wait.abort();
}

onOffline(stopWaiting);

/**
 * As `fetch`, for what the console asks the service. It ends: by an answer with its whole body, or a failure, after a minute at
 * the latest. What gets no answer has the connection looked at. OFFLINE: the browser had no network, nothing was sent.
 */
export async function watchedFetch(request: Request): Promise<Response> {
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
    const response = await inFull(await fetch(request, { signal: wait.signal }));
    if (!isAnswer(response.status)) suspectConnection();
    return response;
  } catch (error) {
    if (request.signal.aborted) throw error;
    suspectConnection();
    if (!wasOffline) throw error;
    throw new ApiFailure({ message: 'The browser is offline.', code: 'OFFLINE', status: 0 });
  } finally {
    clearTimeout(timer);
    waits.delete(wait);
    request.signal.removeEventListener('abort', giveUp);
  }
}

/** A body can be lost on the way too; files are read as they come. */
async function inFull(response: Response): Promise<Response> {
  if (!(response.headers.get('content-type') ?? '').includes('json')) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.text(), { status, statusText, headers });
}

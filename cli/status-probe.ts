import { readMetrics, type Sample } from './prometheus-text.ts';
import type { Answer } from './status-report.ts';

const answerWithinMs = 5_000;
const bytesMax = 5_000_000;

/** Asks one address of the service. Never fails: no answer is an answer here. */
export async function probe(url: string): Promise<Answer> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs), redirect: 'manual' });
    const text = (await reply.text()).slice(0, bytesMax);
    return { url, status: reply.status, milliseconds: took(), ...saidIn(text) };
  } catch (error) {
    return { url, status: null, milliseconds: took(), says: [reasonOf(error)], service: null };
  }
}

/** The samples of a metrics page; null if it does not answer with one. */
export async function scrape(url: string): Promise<Sample[] | null> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs), redirect: 'manual' });
    return reply.ok ? readMetrics((await reply.text()).slice(0, bytesMax)) : null;
  } catch {
    return null;
  }
}

/** Concerns of `/readyz`, or the message of an error; and which service answers. */
function saidIn(text: string): Pick<Answer, 'says' | 'service'> {
  try {
    const { data, error } = JSON.parse(text) as {
      data?: { concerns?: readonly string[]; service?: unknown };
      error?: { message?: string };
    };
    const service = typeof data?.service === 'string' ? data.service : null;
    return { says: error?.message === undefined ? (data?.concerns ?? []) : [error.message], service };
  } catch {
    return { says: [], service: null };
  }
}

/** The reason of a failed fetch: its own message says only that it failed. */
function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `nothing within ${answerWithinMs / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}

import { memberOf, textMember } from './json-members.ts';

/** What came back from the state's interface. */
export type StateAnswer =
  | {
      readonly arrived: true;
      readonly status: number;
      /** As it came; it may be a page for people. */
      readonly text: string;
      readonly retryAfter: string | null;
    }
  /** Nothing came back. `isUnsent`: the call cannot have reached it. */
  | { readonly arrived: false; readonly isUnsent: boolean; readonly words: string };

/** What an answer to a write means. Only `done` and `refused` are certain. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly ids: readonly number[] }
  /** The state has looked at it and says no. */
  | { readonly kind: 'refused'; readonly words: string }
  /** Not carried out: keys, rights or the route. */
  | { readonly kind: 'locked-out'; readonly words: string }
  /** Not carried out: too many calls, or the state cannot be reached. */
  | { readonly kind: 'later'; readonly words: string; readonly afterMs: number | null }
  /** It may have been carried out. */
  | { readonly kind: 'unsure'; readonly words: string }
  /** The state said that it is done, and shows that it is not. */
  | { readonly kind: 'without-effect'; readonly words: string };

/** No more is shown of a text that the state sends. */
const wordsMax = 300;

/**
 * Reads the answer to a write, by all shapes that were seen. A 400 counts as a refusal only in the form of rows or of texts:
 * with a single message it has been an internal fault of the state. A page for people is never an answer, whatever its
 * status.
 */
export function readWriteAnswer(answer: StateAnswer, nowMs: number): WriteOutcome {
  if (!answer.arrived) {
    if (answer.isUnsent) return { kind: 'later', words: answer.words, afterMs: null };
    return { kind: 'unsure', words: answer.words };
  }
  const { status, text } = answer;
  const body = jsonOf(text);
  if (status === 200 && (text.trim() === '' || (body !== undefined && !Array.isArray(body)))) {
    return { kind: 'done', ids: idsOf(body) };
  }
  if (status === 400 && Array.isArray(body) && body.length > 0) {
    return { kind: 'refused', words: shortened(body.map(messageOf).join(' ')) };
  }
  const said = shortened(textMember(body, 'Message') ?? (looksLikePage(text) ? '' : text.trim()));
  const words = said === '' ? `The state answered with status ${status}.` : said;
  if (status === 429) return { kind: 'later', words, afterMs: retryAfterMs(answer.retryAfter, nowMs) };
  if (status === 401 || status === 403 || status === 404 || status === 405) {
    return { kind: 'locked-out', words };
  }
  return { kind: 'unsure', words };
}

/** What an answer to a read means. */
export type ReadOutcome =
  | { readonly kind: 'found'; readonly body: unknown }
  /** Also where the caller has no right: a control call tells the two apart. */
  | { readonly kind: 'absent'; readonly words: string }
  | { readonly kind: 'failed'; readonly words: string; readonly afterMs: number | null };

/** Reads the answer to a read. */
export function readReadAnswer(answer: StateAnswer, nowMs: number): ReadOutcome {
  if (!answer.arrived) return { kind: 'failed', words: answer.words, afterMs: null };
  const body = jsonOf(answer.text);
  if (answer.status === 200 && body !== undefined) return { kind: 'found', body };
  const said = textMember(body, 'Message');
  const words = said === null ? `The state answered with status ${answer.status}.` : shortened(said);
  if (answer.status === 401 || answer.status === 404) return { kind: 'absent', words };
  const afterMs = answer.status === 429 ? retryAfterMs(answer.retryAfter, nowMs) : null;
  return { kind: 'failed', words, afterMs };
}

/** The rows of a list in either form: an envelope, or bare. Null: it is no list. */
export function rowsOf(
  body: unknown,
): { readonly rows: readonly unknown[]; readonly pages: number | null } | null {
  if (Array.isArray(body)) return { rows: body, pages: null };
  const rows = memberOf(body, 'Data');
  if (!Array.isArray(rows)) return null;
  const pages = memberOf(body, 'TotalPages');
  return { rows, pages: typeof pages === 'number' ? pages : null };
}

/** Milliseconds from seconds or a date; null: neither. */
export function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function idsOf(body: unknown): number[] {
  const ids = memberOf(body, 'Ids');
  return Array.isArray(ids)
    ? ids.filter((id): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0)
    : [];
}

function messageOf(row: unknown): string {
  return typeof row === 'string' ? row : (textMember(row, 'message') ?? textMember(row, 'Message') ?? '');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function looksLikePage(text: string): boolean {
  return /^\s*</.test(text);
}

function shortened(text: string): string {
  return text.length > wordsMax ? `${text.slice(0, wordsMax - 1)}…` : text;
}

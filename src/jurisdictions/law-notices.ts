import type { Law } from './law-book.ts';

/** How long owners are notified of an import. */
export const lawNoticeMs = 30 * 24 * 3_600_000;

/** The size of one warning; the page of the law has the rest. */
const changesMax = 5;
const wordsMax = 900;

/**
 * The changes by imports of the last 30 days for organizations of a state, for people: one warning for each
 * import.
 */
export function warningsOnImports({ notices }: Pick<Law, 'notices'>, state: string, nowMs: number): string[] {
  return notices.flatMap(({ edition, importedAtMs, changes }) => {
    const words = changes[state] ?? [];
    if (words.length === 0 || importedAtMs + lawNoticeMs <= nowMs) return [];
    const day = new Date(importedAtMs).toISOString().slice(0, 10);
    const opening = `The facts about the law of ${state} changed on ${day} (edition ${edition}): `;
    const told: string[] = [];
    for (const each of words.slice(0, changesMax)) {
      if (opening.length + told.join(' ').length + each.length > wordsMax) break;
      told.push(each);
    }
    const left = words.length - told.length;
    return [`${opening}${told.join(' ')}${left > 0 ? ` And ${left} more.` : ''}`];
  });
}

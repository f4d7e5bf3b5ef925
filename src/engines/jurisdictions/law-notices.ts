import type { Law } from './law-book.ts';

/** How long owners are notified of an import or a release. */
export const lawNoticeMs = 30 * 24 * 3_600_000;

type NoticedLaw = Pick<Law, 'notices' | 'edition'>;

/** The size of one warning; the page of the law has the rest. */
const changesMax = 5;
const wordsMax = 900;

/**
 * The changes by imports and releases of the last 30 days for organizations of a state, for people: one warning for
 * each import and release.
 */
export function warningsOnEditions(
  { notices, edition: inUse }: NoticedLaw,
  state: string,
  nowMs: number,
): string[] {
  return notices.flatMap(({ edition, toldAtMs, inForce, changes }) => {
    const words = changes[state] ?? [];
    if (words.length === 0 || toldAtMs + lawNoticeMs <= nowMs) return [];
    const day = new Date(toldAtMs).toISOString().slice(0, 10);
    const opening = inForce
      ? `The facts about the law of ${state} changed on ${day} (edition ${edition}): `
      : `The program that was installed on ${day} knows changes of the law of ${state} (edition ${edition}) that are not in ` +
        `force here, because the operator's edition ${inUse.edition} is later: `;
    const told: string[] = [];
    for (const each of words.slice(0, changesMax)) {
      if (opening.length + told.join(' ').length + each.length > wordsMax) break;
      told.push(each);
    }
    const left = words.length - told.length;
    return [`${opening}${told.join(' ')}${left > 0 ? ` And ${left} more.` : ''}`];
  });
}

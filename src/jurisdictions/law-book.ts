import type { Jurisdiction } from './jurisdiction.ts';
import type { LawEdition } from './law-edition.ts';
import { shippedEdition } from './shipped-edition.ts';

/** How an edition came to be in force: with the program, or by an import of the operator. */
export type LawOrigin =
  | { readonly kind: 'shipped' }
  | { readonly kind: 'imported'; readonly importedAtMs: number };

/** What an import changed for the organizations of each state. */
export interface LawNotice {
  readonly edition: string;
  readonly importedAtMs: number;
  /** By state: each change in words, with its first day. States without a change are left out. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
}

/** One edition as a process goes by it. Never changes: who has it in hand has all of one edition. */
export interface Law {
  readonly edition: LawEdition;
  readonly origin: LawOrigin;
  /** The imports that owners may still have to be told of, newest first. */
  readonly notices: readonly LawNotice[];
  /** What this process went by before; null: nothing else. */
  readonly former: LawEdition | null;
  /** What is known of a state (two capitals); null when nothing is. */
  find(state: string): Jurisdiction | null;
}

/** What looks a state up. */
export type StateLaw = Pick<Law, 'find'>;

function lawOf(
  edition: LawEdition,
  origin: LawOrigin,
  notices: readonly LawNotice[],
  former: LawEdition | null,
): Law {
  const byState = new Map(edition.jurisdictions.map((jurisdiction) => [jurisdiction.state, jurisdiction]));
  return { edition, origin, notices, former, find: (state) => byState.get(state) ?? null };
}

/** The law as this release knows it. */
export const shippedLaw: Law = lawOf(shippedEdition, { kind: 'shipped' }, [], null);

/**
 * The edition that a process goes by: the shipped one, until another is taken up. A request takes `current` once, before
 * it reads anything, and decides by that to its end.
 */
export class LawBook {
  #current = shippedLaw;

  get current(): Law {
    return this.#current;
  }

  /** Of the edition of this moment. */
  find(state: string): Jurisdiction | null {
    return this.#current.find(state);
  }

  /** Replaces the edition as a whole. */
  takeUp(edition: LawEdition, origin: LawOrigin, notices: readonly LawNotice[]): void {
    this.#current = lawOf(edition, origin, notices, this.#current.edition);
  }
}

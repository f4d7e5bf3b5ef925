import type { Jurisdiction } from './jurisdiction.ts';
import type { LawEdition } from './law-edition.ts';
import { shippedEdition } from './shipped-edition.ts';

/** The origin of an edition: shipped with the program, or imported by the operator. */
export type LawOrigin =
  | { readonly kind: 'shipped' }
  | { readonly kind: 'imported'; readonly importedAtMs: number };

/** The changes by an import or a release for the organizations of each state. */
interface LawNotice {
  readonly edition: string;
  readonly toldAtMs: number;
  /** False: a release knows the changes, and an edition that the operator imported stays in force. */
  readonly inForce: boolean;
  /** By state: each change in words, with its first day. States without a change have no entry. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
}

/** The edition that a process uses. It never changes: a caller that holds it has one consistent edition. */
export interface Law {
  readonly edition: LawEdition;
  readonly origin: LawOrigin;
  /** Recent imports and releases that owners are still notified of, newest first. */
  readonly notices: readonly LawNotice[];
  /** The edition that this process used before; null: none. */
  readonly former: LawEdition | null;
  /** The facts of a state (two capitals); null when it is unknown. */
  find(state: string): Jurisdiction | null;
}

/** Looks up states. */
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

/** The law of this release. */
export const shippedLaw: Law = lawOf(shippedEdition, { kind: 'shipped' }, [], null);

/**
 * The edition that a process uses: the shipped one, until another replaces it. A request takes `current` once,
 * before it reads anything, and uses that edition to its end.
 */
export class LawBook {
  #current = shippedLaw;

  get current(): Law {
    return this.#current;
  }

  /** Looks up states in the current edition. */
  find(state: string): Jurisdiction | null {
    return this.#current.find(state);
  }

  /** Replaces the edition as a whole. */
  takeUp(edition: LawEdition, origin: LawOrigin, notices: readonly LawNotice[]): void {
    this.#current = lawOf(edition, origin, notices, this.#current.edition);
  }
}

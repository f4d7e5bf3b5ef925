import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Database } from '../database/database.ts';
import { chainStart, nextHash } from './audit-chain-hash.ts';
import {
  type LinkedEntryRow,
  selectAuditChain,
  selectLinksAfter,
  selectLostEntries,
  selectUnlinkedEntries,
} from './audit-chain-queries.ts';

/** What was written down of a chain outside of the database (D73). */
export interface AuditAnchor {
  readonly organizationId: number;
  /** ISO time. */
  readonly at: string;
  /** The number of the last link then. */
  readonly entries: number;
  /** Its hash, in hexadecimal. */
  readonly hash: string;
}

/** A place where the audit log is not what was linked. */
interface AuditFault {
  /** The id of the entry; null: the fault is of no single entry. */
  readonly entryId: number | null;
  /** The number of its link. */
  readonly number: number | null;
  readonly kind: 'changed' | 'removed' | 'inserted' | 'links-missing' | 'rewritten';
  /** For people. */
  readonly words: string;
}

export interface AuditProof {
  /** Links that were looked at. */
  readonly entries: number;
  /** False: the service has not begun the chain yet, and there is nothing to prove. */
  readonly isBegun: boolean;
  /** All of them, also those that are not listed. */
  readonly faultCount: number;
  /** The first `faultsListedMax`. */
  readonly faults: readonly AuditFault[];
}

const faultsListedMax = 100;

/**
 * Proves the audit log of an organization on one snapshot: each entry follows from the one before it, none is missing, none was put
 * between, and the chain has what its anchors have. Reads a thousand entries at a time.
 */
export async function proveAuditChain(
  { database }: { readonly database: Pick<Database, 'read'> },
  organization: OrganizationId,
  anchors: readonly AuditAnchor[] = [],
  onEntries: (count: number) => void = () => {},
): Promise<AuditProof> {
  const faults = new FaultList();
  const [[chain]] = await database.read(organization, selectAuditChain({}));
  const anchored = anchors.toSorted((a, b) => a.entries - b.entries);
  const links = new ChainReading(chain?.began_as ?? organization, anchored, faults);
  for (;;) {
    const [rows] = await database.read(organization, selectLinksAfter({ after: links.number }));
    if (rows.length === 0) break;
    links.read(rows);
    onEntries(links.number);
  }
  links.end(chain);
  if (chain !== undefined) {
    const [unlinked, lost] = await database.read(
      organization,
      selectUnlinkedEntries({}),
      selectLostEntries({}),
    );
    for (const { id, action, created_at: at } of unlinked) {
      faults.add({
        ...{ entryId: id, number: null, kind: 'inserted' },
        words: `entry ${id} (${action}, ${isoTimestamp(at)}) was inserted: it has no link`,
      });
    }
    for (const { id, type, created_at: at } of lost)
      faults.add(removed(id, null, `${type}, ${isoTimestamp(at)}`));
  }
  return {
    entries: links.number,
    isBegun: chain !== undefined,
    faultCount: faults.count,
    faults: faults.listed,
  };
}

function removed(id: number, number: number | null, facts = ''): AuditFault {
  return {
    ...{ entryId: id, number, kind: 'removed' },
    words: `entry ${id}${facts && ` (${facts})`} was removed${number === null ? ' before it was linked' : `: link ${number} names it`}`,
  };
}

class FaultList {
  readonly listed: AuditFault[] = [];
  count = 0;

  add(fault: AuditFault): void {
    this.count += 1;
    if (this.listed.length < faultsListedMax) this.listed.push(fault);
  }
}

/** Follows the links from the first one on, and compares them with the anchors that it passes. */
class ChainReading {
  readonly #anchors: readonly AuditAnchor[];
  readonly #faults: FaultList;
  #nextAnchor = 0;
  /** The last anchor that the chain has. */
  #held: AuditAnchor | undefined;
  /** The number of the last link that was read. */
  number = 0;
  /** Its hash as it is stored, so that the links behind a wrong one are judged by themselves; null: its link is missing. */
  #hash: Uint8Array | null;
  #lastId: number | null = null;

  constructor(beganAs: number, anchors: readonly AuditAnchor[], faults: FaultList) {
    this.#hash = chainStart(beganAs);
    this.#anchors = anchors;
    this.#faults = faults;
  }

  read(rows: readonly LinkedEntryRow[]): void {
    for (const row of rows) {
      if (row.number !== this.number + 1) {
        this.#missing(this.number + 1, row.number - 1);
        this.#hash = null;
      }
      this.#compare(row);
      this.number = row.number;
      this.#hash = row.hash;
      this.#lastId = row.id;
      this.#passAnchors();
    }
  }

  #compare({ id, number, text, hash }: LinkedEntryRow): void {
    if (text === null) {
      this.#faults.add(removed(id, number));
      return;
    }
    if (this.#hash === null || nextHash(this.#hash, text).equals(hash)) return;
    const or = this.#lastId === null ? '' : `, or entry ${this.#lastId} before it was changed with its link`;
    this.#faults.add({
      ...{ entryId: id, number, kind: 'changed' },
      words: `entry ${id} is not what link ${number} was made of: it was changed${or}`,
    });
  }

  #missing(first: number, last: number): void {
    const words = first === last ? `link ${first} is missing` : `links ${first} to ${last} are missing`;
    this.#faults.add({ entryId: null, number: first, kind: 'links-missing', words });
  }

  #passAnchors(): void {
    for (; ; this.#nextAnchor += 1) {
      const anchor = this.#anchors[this.#nextAnchor];
      if (anchor === undefined || anchor.entries > this.number) return;
      const isHeld = anchor.entries === this.number && hexOf(this.#hash) === anchor.hash;
      if (isHeld) this.#held = anchor;
      else this.#rewritten(anchor);
    }
  }

  #rewritten({ at, entries }: AuditAnchor): void {
    const since = this.#held === undefined ? 'the first one' : `link ${this.#held.entries}`;
    this.#faults.add({
      ...{ entryId: null, number: entries, kind: 'rewritten' },
      words: `link ${entries} is not that of the anchor of ${at}: the chain was rewritten behind ${since}`,
    });
  }

  /** After the last link. */
  end(chain: { readonly entries: number; readonly head: Uint8Array } | undefined): void {
    if (chain === undefined) {
      if (this.number > 0 || this.#anchors.length > 0)
        this.#missing(1, Math.max(this.number, this.#anchors.at(-1)?.entries ?? 1));
      return;
    }
    if (chain.entries > this.number) this.#missing(this.number + 1, chain.entries);
    else if (hexOf(this.#hash) !== hexOf(chain.head) && this.#hash !== null) {
      this.#faults.add({
        ...{ entryId: this.#lastId, number: this.number, kind: 'rewritten' },
        words: `the last link is ${this.number}, and the chain was to end with another one`,
      });
    }
    for (const { at, entries } of this.#anchors.slice(this.#nextAnchor)) {
      this.#faults.add({
        ...{ entryId: null, number: entries, kind: 'links-missing' },
        words: `the anchor of ${at} has ${entries} links, the chain ${this.number}: the others were removed, or the database is an older copy`,
      });
    }
  }
}

function hexOf(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('hex');
}

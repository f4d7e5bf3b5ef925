import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// Outside this repository: from '@dispensary-commerce/integrator-sdk' and '…/mirror'.
import type { CommerceClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import {
  type Mirror,
  mirror,
  openSqliteStore,
  type SqliteStore,
} from '../../sdk/integrator/src/mirror/mirror-sdk.ts';
import { ContactNotes, replaceFile } from './contact-notes.ts';
import { contactsWithConsent, mailingListCsv } from './mailing-list.ts';

/** What a sync changed in the own system. */
export interface CrmReport {
  readonly changedRecords: number;
  readonly contacts: number;
  readonly forgotten: number;
  readonly merged: number;
}

/** Whether anything of a person is left here. */
export interface ForgottenProof {
  /** Where a trace was found; empty: nowhere. */
  readonly found: readonly { readonly file: string; readonly trace: string }[];
  readonly filesSearched: number;
  /** Whether the copy is, by checksums, what the shop has now: an erasure there has arrived here. */
  readonly isExact: boolean;
}

/** A customer system beside a shop: a copy of its customers and orders, own notes, and a mailing list. All in one folder. */
export class Crm {
  readonly notes: ContactNotes;
  readonly #folder: string;
  readonly #store: SqliteStore;
  readonly #mirror: Mirror;

  private constructor(folder: string, client: CommerceClient, store: SqliteStore) {
    this.#folder = folder;
    this.#store = store;
    this.#mirror = mirror({ client, store, collections: ['customers', 'orders'] });
    this.notes = new ContactNotes(join(folder, 'notes.json'));
  }

  static async open(folder: string, client: CommerceClient): Promise<Crm> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Crm(folder, client, await openSqliteStore(join(folder, 'copy.db')));
  }

  /** Brings copy, notes and mailing list up to date. A run that was interrupted is done again: the result is the same. */
  async sync(signal?: AbortSignal): Promise<CrmReport> {
    const { changed } = await this.#mirror.sync(signal);
    return this.#apply(changed);
  }

  /** Stays up to date until the signal: a withdrawn consent or an erasure is carried out within moments. */
  async follow(signal: AbortSignal, onReport: (report: CrmReport) => void): Promise<void> {
    let applied = Promise.resolve();
    await this.#mirror.follow(signal, ({ changed }) => {
      applied = applied.then(async () => onReport(await this.#apply(changed)));
    });
    await applied;
  }

  async #apply(changedRecords: number): Promise<CrmReport> {
    // Notes first: if the next step fails, no note of an erased customer is left.
    const { forgotten, merged } = this.notes.follow(await this.#store.ended());
    const contacts = await contactsWithConsent(this.#store);
    replaceFile(join(this.#folder, 'mailing-list.csv'), mailingListCsv(contacts));
    return { changedRecords, contacts: contacts.length, forgotten, merged };
  }

  /**
   * Proves that a person is forgotten: searches every byte of every file for traces (an address, a phone number, a name), and
   * compares the copy with the shop. Ask the person for the traces: keeping them for this would be keeping the person.
   */
  async prove(traces: readonly string[], signal?: AbortSignal): Promise<ForgottenProof> {
    await this.sync(signal);
    const { isExact } = await this.#mirror.verify(signal);
    const files = readdirSync(this.#folder);
    const found = files.flatMap((file) => {
      const text = readFileSync(join(this.#folder, file)).toString('latin1').toLowerCase();
      return traces
        .filter((trace) => text.includes(Buffer.from(trace.toLowerCase()).toString('latin1')))
        .map((trace) => ({ file, trace }));
    });
    return { found, filesSearched: files.length, isExact };
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}

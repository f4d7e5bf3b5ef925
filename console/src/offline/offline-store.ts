import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { OfflineSale } from '../../../src/engines/offline-pricing/offline-sale.ts';
import { type OfflineTerms, offlineTermsFormat } from '../../../src/engines/offline-pricing/offline-terms.ts';
import { type Kept, keptQueue, queueStore } from './kept-queue.ts';

/** The terms of this device's register, and who may sell on them. */
export interface KeptTerms {
  readonly organizationId: number;
  readonly registerId: number;
  readonly staffId: number;
  readonly staffName: string;
  readonly shopName: string;
  /** Its address and license, as receipts say them. */
  readonly shopLines: readonly string[];
  readonly version: string;
  readonly issuedAt: string;
  readonly validUntil: string;
  readonly keyName: string;
  readonly saleMax: number;
  readonly outageMax: number;
  /** `OfflineTerms` as JSON text. */
  readonly terms: string;
  /** Signs, and cannot be read. */
  readonly key: CryptoKey;
}

export type SignedSale = OfflineSale & { readonly signature: string };

/** A sale that the service does not have yet. */
interface QueuedSale extends Kept {
  readonly registerId: number;
  readonly sale: SignedSale;
}

interface Counters {
  /** The number of the next sale. */
  readonly next: number;
  /** Tells devices of one register apart. */
  readonly device: string;
  readonly outageKey: string;
}

interface OfflineDb extends DBSchema {
  terms: { key: string; value: KeptTerms };
  queue: { key: number; value: QueuedSale };
  counters: { key: string; value: Counters };
}

let opened: Promise<IDBPDatabase<OfflineDb>> | null = null;

function database(): Promise<IDBPDatabase<OfflineDb>> {
  opened ??= openDB<OfflineDb>('offline-sales', 1, {
    upgrade: (created) => {
      created.createObjectStore('terms');
      created.createObjectStore(queueStore, { autoIncrement: true });
      created.createObjectStore('counters');
    },
  });
  return opened;
}

let nextNumber = 1;

/** The number of this device's next sale, as the disk has it once the terms were read. */
export const nextSaleNumber = (): number => nextNumber;

export async function keptTerms(): Promise<KeptTerms | null> {
  const db = await database();
  const [terms, counters] = await Promise.all([db.get('terms', 'own'), db.get('counters', 'own')]);
  nextNumber = counters?.next ?? 1;
  if (terms === undefined) return null;
  const { format } = JSON.parse(terms.terms) as Partial<OfflineTerms>;
  return format === offlineTermsFormat ? terms : null;
}

/** Resolves once the terms are on the disk. Null: this device does not sell offline. */
export async function keepTerms(terms: KeptTerms | null): Promise<void> {
  const transaction = (await database()).transaction('terms', 'readwrite', { durability: 'strict' });
  if (terms === null) await transaction.store.delete('own');
  else await transaction.store.put(terms, 'own');
  await transaction.done;
}

/** The waiting sales: what is in it is sold. */
export const saleQueue = keptQueue<QueuedSale>(async () => (await database()) as unknown as IDBPDatabase);

/** A number of this device for the next sale, and the outage that it belongs to. A number is never given twice. */
export async function takeNumber(isFirst: boolean, freshId: () => string): Promise<Counters> {
  const transaction = (await database()).transaction('counters', 'readwrite', { durability: 'strict' });
  const before = await transaction.store.get('own');
  const device = before?.device ?? freshId().slice(0, 4).toUpperCase();
  const outageKey = before === undefined || isFirst ? freshId() : before.outageKey;
  const taken = { next: before?.next ?? 1, device, outageKey };
  await transaction.store.put({ ...taken, next: taken.next + 1 }, 'own');
  await transaction.done;
  nextNumber = taken.next + 1;
  return taken;
}

import {
  chargedOf,
  type OfflineSale,
  signedText,
} from '../../../src/engines/offline-pricing/offline-sale.ts';
import type { OfflineCartLine, OfflinePrice } from '../../../src/engines/offline-pricing/price-offline.ts';
import { type KeptTerms, type SignedSale, saleQueue, takeNumber } from './offline-store.ts';
import { tellOfQueue } from './waiting-sales.ts';

/** What is sold, to whom, and how it is paid. */
export interface SaleHere {
  readonly lines: readonly OfflineCartLine[];
  readonly customerId: number | null;
  readonly birthday: string | null;
  /** How the ID was seen; null: it was not. */
  readonly idCheck: 'scan' | 'eye' | null;
  /** The name of a walk-in; null: none. */
  readonly name: string | null;
  /** By payment: the cash received (null: not counted), and what rounding adds. */
  readonly tendered: readonly (number | null)[];
  readonly rounding: readonly number[];
}

/** Signs a sale and puts it into the queue. Resolves once it is on the disk. */
export async function makeSale(
  kept: KeptTerms,
  { lines, customerId, birthday, idCheck, name, tendered, rounding }: SaleHere,
  { priced }: OfflinePrice,
  nowMs: number,
): Promise<OfflineSale> {
  const isFirst = (await saleQueue.all()).length === 0;
  const { next, device, outageKey } = await takeNumber(isFirst, () => crypto.randomUUID());
  const { version, issuedAt, validUntil, keyName } = kept;
  const weights = lines.flatMap(({ productOptionId, weight, packages }) =>
    weight === undefined ? [] : ([[productOptionId, { weight, ...(packages && { packages }) }]] as const),
  );
  const sale: OfflineSale = {
    saleKey: crypto.randomUUID(),
    number: `R${kept.registerId}-${device}-${next}`,
    soldAt: new Date(nowMs).toISOString(),
    ...{ staffId: kept.staffId, outageKey, terms: { version, issuedAt, validUntil, keyName } },
    buyer: { customerId, birthday, name },
    ...(idCheck !== null && { idCheck }),
    discountIds: [],
    ...chargedOf(priced, tendered, rounding, new Map(weights)),
  };
  const signature = await crypto.subtle.sign('HMAC', kept.key, new TextEncoder().encode(signedText(sale)));
  const signed: SignedSale = { ...sale, signature: btoa(String.fromCharCode(...new Uint8Array(signature))) };
  const { organizationId, registerId } = kept;
  await saleQueue.add({ organizationId, registerId, sale: signed, refusal: null });
  await tellOfQueue();
  return sale;
}

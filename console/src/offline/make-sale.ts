import {
  chargedOf,
  type OfflineSale,
  signedText,
} from '../../../src/engines/offline-pricing/offline-sale.ts';
import type { OfflineTerms } from '../../../src/engines/offline-pricing/offline-terms.ts';
import { type OfflinePrice, priceOffline } from '../../../src/engines/offline-pricing/price-offline.ts';
import { t } from '../words/words.ts';
import { type KeptTerms, type SignedSale, saleQueue, takeNumber } from './offline-store.ts';
import { tellOfQueue } from './waiting-sales.ts';

export interface OfflineLine {
  readonly productOptionId: number;
  readonly quantity: number;
}

/** A cart as it stands at the counter. */
export interface OfflineSaleCart {
  readonly lines: readonly OfflineLine[];
  readonly birthday: string | null;
  readonly customerId: number | null;
  readonly isMedical: boolean;
  readonly paymentTypeId: number | null;
}

/** Options that the terms do not have are left out. */
export function priceHere(terms: OfflineTerms, cart: OfflineSaleCart, nowMs: number): OfflinePrice {
  const known = new Set(terms.options.map(({ id }) => id));
  return priceOffline(
    terms,
    {
      lines: cart.lines.filter(({ productOptionId }) => known.has(productOptionId)),
      ...{ discountIds: [], birthday: cart.birthday, audience: cart.isMedical ? 'medical' : 'adult-use' },
      payments:
        cart.paymentTypeId === null
          ? []
          : [{ paymentTypeId: cart.paymentTypeId, amountCents: 'remaining' as const }],
    },
    nowMs,
  );
}

/** Why this sale cannot be made here, in words; null: it can. */
export function obstacleOffline(
  kept: KeptTerms,
  { priced, purchaseLimits, isUnderage }: OfflinePrice,
  waitingCents: number,
  nowMs: number,
): string | null {
  const total = priced.customerGrandTotalCents;
  const [over] = purchaseLimits.overages;
  if (priced.lines.length === 0) return t`The cart is empty.`;
  if (nowMs > Date.parse(kept.validUntil)) return t`Offline selling has timed out. Reconnect to sell.`;
  if (isUnderage) return t`The customer is underage.`;
  if (over) return t`${over.rule.name}: ${over.total} of ${over.limit} ${over.rule.limit.unit}.`;
  if (total > kept.saleMax) return t`This sale is over the limit for one offline sale.`;
  if (waitingCents + total > kept.outageMax) return t`Sales during this outage are over the limit.`;
  return null;
}

/** Signs a sale and puts it into the queue. Resolves once it is on the disk. */
export async function makeSale(
  kept: KeptTerms,
  cart: OfflineSaleCart,
  { priced }: OfflinePrice,
  { tendered, roundingCents }: { readonly tendered: number | null; readonly roundingCents: number },
  nowMs: number,
): Promise<OfflineSale> {
  const isFirst = (await saleQueue.all()).length === 0;
  const { next, device, outageKey } = await takeNumber(isFirst, () => crypto.randomUUID());
  const { version, issuedAt, validUntil, keyName } = kept;
  const sale: OfflineSale = {
    saleKey: crypto.randomUUID(),
    number: `R${kept.registerId}-${device}-${next}`,
    soldAt: new Date(nowMs).toISOString(),
    ...{ staffId: kept.staffId, outageKey, terms: { version, issuedAt, validUntil, keyName } },
    buyer: { customerId: cart.customerId, birthday: cart.birthday, name: null },
    discountIds: [],
    ...chargedOf(priced, [tendered], [roundingCents]),
  };
  const signature = await crypto.subtle.sign('HMAC', kept.key, new TextEncoder().encode(signedText(sale)));
  const signed: SignedSale = { ...sale, signature: btoa(String.fromCharCode(...new Uint8Array(signature))) };
  const { organizationId, registerId } = kept;
  await saleQueue.add({ organizationId, registerId, sale: signed, refusal: null });
  await tellOfQueue();
  return sale;
}

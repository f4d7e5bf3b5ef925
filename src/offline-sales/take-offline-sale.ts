import { createHash } from 'node:crypto';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { type OfflineSale, signedText } from '../offline-pricing/offline-sale.ts';
import { type OfflineDoubt, placeOfflineSale, placingGuards } from '../orders/orders.ts';
import {
  recordOfflineTakings,
  registerNotFound,
  selectDrawerOpener,
  selectRegister,
} from '../registers/registers.ts';
import type { MasterKeys } from '../storage/master-keys.ts';
import { selectOfflineLimits } from './offline-limit-queries.ts';
import {
  insertOfflineSales,
  lockOfflineSale,
  selectOutage,
  selectPlacedOfflineSale,
} from './offline-sale-queries.ts';
import { isSigned } from './register-keys.ts';
import { limitsAt, type OfflineLimits } from './set-offline-limits.ts';

/** A sale as it was sent. */
export interface SentSale {
  readonly sale: OfflineSale;
  readonly signature: string;
}

/** Clocks of tablets go wrong by a little. */
const clockSlackMs = 5 * 60_000;

/**
 * Places a sale that a register made alone, once (D75): sent again, it is the same sale. Resolves to its id. Fails with
 * REGISTER_NOT_FOUND, OFFLINE_SALE_DIFFERS for another sale of the same id, and OFFLINE_SALE_NOT_SIGNED, unless the caller opened
 * the drawer of that time: then it is placed, for review.
 */
export async function takeOfflineSale(
  context: Context,
  keys: MasterKeys,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  registerId: number,
  { sale, signature }: SentSale,
): Promise<{ readonly id: number; readonly replayed: boolean }> {
  const masters = await keys.load((count) => context.randomBytes(count));
  const signed = isSigned(masters, organization, registerId, sale, signature);
  const digest = createHash('sha256').update(signedText(sale)).digest();
  return context.database.write(
    organization,
    async (tx) => {
      const { saleKey, outageKey, number } = sale;
      const [, [placed], [register], [drawer], limitRows, [outage]] = await tx.run(
        lockOfflineSale({ saleKey }),
        selectPlacedOfflineSale({ saleKey }),
        selectRegister({ id: registerId }),
        selectDrawerOpener({ registerId, at: sale.soldAt }),
        selectOfflineLimits({}),
        selectOutage({ registerId, outageKey, number }),
      );
      if (register === undefined) throw registerNotFound();
      if (!signed && drawer?.opened_by_staff_id !== staffId) {
        throw failure('OFFLINE_SALE_NOT_SIGNED', 'The register has not signed this sale on these terms.');
      }
      if (placed !== undefined) {
        if (Buffer.compare(placed.digest, digest) === 0) return { id: placed.id, replayed: true };
        throw failure('OFFLINE_SALE_DIFFERS', `The sale ${saleKey} was placed with other content.`);
      }
      const nowMs = context.clock.now();
      const limits = limitsAt(limitRows, register.inventory_location_id);
      const doubts = [
        ...(signed ? [] : [doubt('not-signed', 'The signature is not that of the register.')]),
        ...(register.archived_at === null ? [] : [doubt('register-archived', 'The register is archived.')]),
        ...(outage!.is_number_used ? [doubt('number-used', `${number} is the number of another sale.`)] : []),
        ...timeDoubts(sale, nowMs),
        ...limitDoubts(sale, limits, outage!.total_cents),
      ];
      return {
        id: await place(tx, context, origin, organization, staffId, register, sale, {
          digest,
          doubts,
          nowMs,
        }),
        replayed: false,
      };
    },
    { retryOnConstraints: placingGuards },
  );
}

async function place(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  staffId: number,
  register: { readonly id: number; readonly inventory_location_id: number },
  sale: OfflineSale,
  before: { readonly digest: Uint8Array; readonly doubts: readonly OfflineDoubt[]; readonly nowMs: number },
): Promise<number> {
  const placed = await placeOfflineSale(tx, context, origin, organization, sale, {
    locationId: register.inventory_location_id,
    sentBy: staffId,
  });
  const isCounted = await recordOfflineTakings(tx, context, {
    ...{ registerId: register.id, kind: 'sale', orderId: placed.orderId, orderReturnId: null },
    ...{ staffId: placed.sellerId, atMs: Date.parse(sale.soldAt) },
    payments: sale.tenders.map(({ paymentTypeId, amount, fee }) => ({
      paymentTypeId,
      amountCents: amount + fee,
    })),
  });
  const counted = doubt(
    'drawer-closed',
    'The drawer of that time is closed: the money is outside its count.',
  );
  const doubts = [...before.doubts, ...placed.doubts, ...(isCounted ? [counted] : [])];
  const reasons = [...new Set(doubts.map(({ reason }) => reason))];
  const id = await context.ids.takeOne();
  tx.queue(
    ...insertOfflineSales([
      {
        ...{
          id,
          saleKey: sale.saleKey,
          registerId: register.id,
          number: sale.number,
          outageKey: sale.outageKey,
        },
        ...{ orderId: placed.orderId, orderNumber: placed.orderNumber, sentByStaffId: staffId },
        ...{ soldAt: sale.soldAt, receivedAt: isoTimestamp(before.nowMs), totalCents: sale.total },
        ...{ digest: before.digest, reasons, details: JSON.stringify(doubts) },
      },
    ]),
  );
  await announce(tx, context, origin, before.nowMs, {
    event: 'offline_sale.placed',
    subjectType: 'offline_sale',
    subjectId: id,
    payload: { offlineSaleId: id, orderId: placed.orderId, registerId: register.id, reasons },
    details: { number: sale.number, orderId: placed.orderId, total: sale.total, reasons },
  });
  return id;
}

function timeDoubts({ soldAt, terms }: OfflineSale, nowMs: number): OfflineDoubt[] {
  const soldAtMs = Date.parse(soldAt);
  if (soldAtMs > nowMs + clockSlackMs || soldAtMs < Date.parse(terms.issuedAt) - clockSlackMs) {
    return [doubt('clock', 'The time of the sale is before its terms, or in the future: check the clock.')];
  }
  if (soldAtMs <= Date.parse(terms.validUntil)) return [];
  return [doubt('terms-expired', `Sold after ${terms.validUntil}, when its terms had ended.`)];
}

function limitDoubts({ total }: OfflineSale, limits: OfflineLimits, earlierCents: number): OfflineDoubt[] {
  if (!limits.isOn) return [doubt('offline-off', 'Offline sales are off by now.')];
  return [
    ...(total > limits.saleMax
      ? [doubt('sale-limit', `${total} cents; a sale may come to ${limits.saleMax}.`)]
      : []),
    ...(earlierCents + total > limits.outageMax
      ? [doubt('outage-limit', `${earlierCents + total} cents in this outage, of ${limits.outageMax}.`)]
      : []),
  ];
}

function doubt(reason: OfflineDoubt['reason'], words: string): OfflineDoubt {
  return { reason, words };
}

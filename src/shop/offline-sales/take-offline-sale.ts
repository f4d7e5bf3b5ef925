import { createHash } from 'node:crypto';
import { type OfflineSale, signedText } from '../../engines/offline-pricing/offline-sale.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import type { OfflineDoubt } from '../orders/offline-doubts.ts';
import { placeOfflineSale, placingGuards } from '../orders/orders.ts';
import {
  recordOfflineTakings,
  registers,
  selectDrawerOpener,
  selectRegister,
} from '../registers/registers.ts';
import { selectOfflineLimits } from './offline-limit-queries.ts';
import {
  insertOfflineSales,
  lockOfflineRegister,
  lockOfflineSale,
  selectOutage,
  selectPlacedOfflineSale,
} from './offline-sale-queries.ts';
import { isSignedBySeller } from './register-keys.ts';
import { limitsAt, type OfflineLimits } from './set-offline-limits.ts';

/** A sale as it was sent. Without a signature it is as one with a wrong signature. */
interface SentSale {
  readonly sale: OfflineSale;
  readonly signature: string | undefined;
}

/** Clocks of tablets go wrong by a little. */
const clockSlackMs = 5 * 60_000;
/**
 * Terms last three days at most, and a device is back within some more. A later sale could be dated into a month whose taxes are
 * filed, by a key that was kept.
 */
const arrivalMsMax = 7 * 86_400_000;

/**
 * Places a sale that a register made alone, once (D75): sent again, it is the same sale. Resolves to its id. Where its time is
 * doubted it is booked at its arrival, and its own time is kept. Fails with REGISTER_NOT_FOUND, OFFLINE_SALE_DIFFERS for another sale
 * of the same id, and OFFLINE_SALE_NOT_SIGNED, unless the caller opened the drawer of that time: then it is placed, for review.
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
  const isSigned =
    signature !== undefined && isSignedBySeller(masters, organization, registerId, sale, signature);
  const digest = createHash('sha256').update(signedText(sale)).digest();
  return context.database.write(
    organization,
    async (tx) => {
      const { saleKey, outageKey, number } = sale;
      const [, , [placed], [register], [drawer], limitRows, [outage]] = await tx.run(
        lockOfflineSale({ saleKey }),
        // Sales that are sent at once are counted one after the other.
        lockOfflineRegister({ registerId }),
        selectPlacedOfflineSale({ saleKey }),
        selectRegister({ id: registerId }),
        selectDrawerOpener({ registerId, at: sale.soldAt }),
        selectOfflineLimits({}),
        selectOutage({ registerId, outageKey, number, termsIssuedAt: sale.terms.issuedAt }),
      );
      if (register === undefined) throw registers.writes.notFound();
      if (!isSigned && drawer?.opened_by_staff_id !== staffId) {
        throw failure(
          'OFFLINE_SALE_NOT_SIGNED',
          'This sale is not signed by the person who sold, on these terms of the register.',
        );
      }
      if (placed !== undefined) {
        if (Buffer.compare(placed.digest, digest) === 0) return { id: placed.id, replayed: true };
        throw failure('OFFLINE_SALE_DIFFERS', `The sale ${saleKey} was placed with other content.`);
      }
      const nowMs = context.clock.now();
      const time = bookedTime(sale, nowMs);
      const limits = limitsAt(limitRows, register.inventoryLocationId);
      const doubts = [
        ...(isSigned ? [] : [doubt('not-signed', 'The signature is not that of the person who sold.')]),
        ...(sale.staffId === staffId
          ? []
          : [doubt('seller-is-not-sender', 'Another member of staff sent this sale than the one who sold.')]),
        ...(register.archivedAt === null ? [] : [doubt('register-archived', 'The register is archived.')]),
        ...(outage!.is_number_used ? [doubt('number-used', `${number} is the number of another sale.`)] : []),
        ...time.doubts,
        ...limitDoubts(sale, limits, outage!.total_cents),
      ];
      return {
        id: await place(tx, context, origin, organization, staffId, register, sale, {
          ...{ digest, doubts, nowMs, bookedAt: isoTimestamp(time.atMs) },
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
  register: { readonly id: number; readonly inventoryLocationId: number },
  sale: OfflineSale,
  before: {
    readonly digest: Uint8Array;
    readonly doubts: readonly OfflineDoubt[];
    readonly nowMs: number;
    readonly bookedAt: string;
  },
): Promise<number> {
  const booked = { ...sale, soldAt: before.bookedAt };
  const placed = await placeOfflineSale(tx, context, origin, organization, booked, {
    locationId: register.inventoryLocationId,
    sentBy: staffId,
  });
  const isCounted = await recordOfflineTakings(tx, context, {
    ...{ registerId: register.id, kind: 'sale', orderId: placed.orderId, orderReturnId: null },
    ...{ staffId: placed.sellerId, atMs: Date.parse(booked.soldAt) },
    payments: sale.tenders.map(({ paymentTypeId, amount, fee, rounding = 0 }) => ({
      paymentTypeId,
      amountCents: amount + fee + rounding,
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
        ...{ sellerStaffId: placed.sellerId, termsIssuedAt: sale.terms.issuedAt },
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

/** When the sale is booked: at its own time, or at its arrival if that time is doubted. It is never booked in the future. */
function bookedTime(
  { soldAt, terms }: OfflineSale,
  nowMs: number,
): { readonly atMs: number; readonly doubts: OfflineDoubt[] } {
  const soldAtMs = Date.parse(soldAt);
  const why =
    soldAtMs > nowMs + clockSlackMs || soldAtMs < Date.parse(terms.issuedAt) - clockSlackMs
      ? 'is before its terms, or in the future: check the clock'
      : soldAtMs < nowMs - arrivalMsMax
        ? 'is more than seven days before its arrival'
        : null;
  if (why !== null) {
    const words = `The time of the sale, ${soldAt}, ${why}. It is booked at its arrival.`;
    return { atMs: nowMs, doubts: [doubt('clock', words)] };
  }
  const ended = doubt('terms-expired', `Sold after ${terms.validUntil}, when its terms had ended.`);
  return {
    atMs: Math.min(soldAtMs, nowMs),
    doubts: soldAtMs <= Date.parse(terms.validUntil) ? [] : [ended],
  };
}

function limitDoubts({ total }: OfflineSale, limits: OfflineLimits, earlierCents: number): OfflineDoubt[] {
  if (!limits.isOn) return [doubt('offline-off', 'Offline sales are off by now.')];
  return [
    ...(total > limits.saleMax
      ? [doubt('sale-limit', `${total} cents; a sale may come to ${limits.saleMax}.`)]
      : []),
    ...(earlierCents + total > limits.outageMax
      ? [
          doubt(
            'outage-limit',
            `${earlierCents + total} cents in this outage, or on these terms, of ${limits.outageMax}.`,
          ),
        ]
      : []),
  ];
}

function doubt(reason: OfflineDoubt['reason'], words: string): OfflineDoubt {
  return { reason, words };
}

import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { codeDigest, readCode } from './gift-card-code.ts';
import {
  type EntryKind,
  type EntryRow,
  insertEntries,
  lockGiftCards,
  moveBalance,
  selectEntriesOfOrder,
  selectGiftCardOfCode,
} from './gift-card-queries.ts';

/** Value that moves from or to a card. */
export interface CardMovement {
  readonly giftCardId: number;
  readonly kind: EntryKind;
  /** Onto the card is positive. */
  readonly amountCents: number;
  readonly orderId: string | null;
  readonly orderReturnId: number | null;
  readonly paymentTypeId: number | null;
  readonly staffId: number;
}

/** Moves value under the locks of its cards. Fails with GIFT_CARD_BALANCE for what a card does not have. */
export async function moveCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  movements: readonly CardMovement[],
  nowMs: number,
): Promise<void> {
  if (movements.length === 0) return;
  const [cards] = await tx.run(lockGiftCards({ ids: [...new Set(movements.map((it) => it.giftCardId))] }));
  const left = new Map(cards.map(({ id, balanceCents }) => [id, balanceCents]));
  for (const { giftCardId, amountCents } of movements) {
    const before = left.get(giftCardId) ?? 0;
    if (before + amountCents < 0) {
      throw failure('GIFT_CARD_BALANCE', `The gift card has ${before} cents, not ${-amountCents}.`, {
        balance: before,
      });
    }
    left.set(giftCardId, before + amountCents);
  }
  const at = isoTimestamp(nowMs);
  const ids = await context.ids.take(movements.length);
  tx.queue(
    ...movements.map(({ giftCardId: id, amountCents: cents }) => moveBalance({ id, cents, at })),
    ...insertEntries(movements.map((it, index) => ({ ...it, id: ids[index]!, createdAt: at }))),
  );
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...movements.map(({ giftCardId, kind, amountCents }) => ({
      event: 'gift_card.changed' as const,
      subjectType: 'gift_card' as const,
      subjectId: giftCardId,
      payload: { giftCardId, kind },
      details: { giftCardId, kind, amount: amountCents },
    })),
  );
}

/** What an order pays with cards, in the transaction that pays it. */
export async function spendGiftCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  spent: {
    readonly orderId: string;
    readonly staffId: number;
    readonly atMs: number;
    readonly payments: readonly {
      readonly code: string;
      readonly paymentTypeId: number;
      readonly amountCents: number;
    }[];
  },
): Promise<void> {
  const { orderId, staffId, payments, atMs } = spent;
  const movements: CardMovement[] = [];
  for (const { code, paymentTypeId, amountCents } of payments) {
    const giftCardId = await cardOf(tx, code);
    const moved = { kind: 'spent', amountCents: -amountCents, orderReturnId: null } as const;
    movements.push({ ...moved, giftCardId, orderId, paymentTypeId, staffId });
  }
  await moveCards(tx, context, origin, movements, atMs);
}

/** Gives all that a voided order took back to the same cards. */
export async function giveBackToCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  { orderId, staffId, atMs }: { readonly orderId: string; readonly staffId: number; readonly atMs: number },
): Promise<void> {
  const [entries] = await tx.run(selectEntriesOfOrder({ orderId }));
  const back = heldByCard(entries).map(({ giftCardId, cents }) => ({
    ...{ giftCardId, kind: 'given-back' as const, amountCents: cents, orderId, orderReturnId: null },
    ...{ paymentTypeId: null, staffId },
  }));
  await moveCards(tx, context, origin, back, atMs);
}

/**
 * Gives a refund to the cards that the order was paid with, newest first, or onto another card that the customer shows. Fails with
 * GIFT_CARD_NOT_FOUND, and with REFUND_EXCEEDS_PAYMENT where the order's cards did not pay so much and no card is shown.
 */
export async function refundToCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  refund: {
    readonly orderId: string;
    readonly orderReturnId: number;
    readonly paymentTypeId: number;
    readonly amountCents: number;
    readonly staffId: number;
    readonly atMs: number;
    readonly code: string | null;
  },
): Promise<void> {
  const { orderId, orderReturnId, paymentTypeId, staffId, code } = refund;
  const row = { kind: 'refunded', orderId, orderReturnId, paymentTypeId, staffId } as const;
  const [entries] = await tx.run(selectEntriesOfOrder({ orderId }));
  const movements: CardMovement[] = [];
  let leftCents = refund.amountCents;
  for (const { giftCardId, cents } of heldByCard(entries).toReversed()) {
    const amountCents = Math.min(leftCents, cents);
    if (amountCents <= 0) continue;
    leftCents -= amountCents;
    movements.push({ ...row, giftCardId, amountCents });
  }
  if (leftCents > 0) {
    if (code === null) {
      const paid = refund.amountCents - leftCents;
      throw failure(
        'REFUND_EXCEEDS_PAYMENT',
        `Gift cards have paid ${paid} cents of what is refunded: give the code of a card for the rest.`,
      );
    }
    movements.push({ ...row, giftCardId: await cardOf(tx, code), amountCents: leftCents });
  }
  await moveCards(tx, context, origin, movements, refund.atMs);
}

/** Takes what a voided return has given to cards off them again. Fails with GIFT_CARD_BALANCE once it is spent. */
export async function takeRefundFromCards(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  of: {
    readonly orderId: string;
    readonly orderReturnId: number;
    readonly staffId: number;
    readonly atMs: number;
  },
): Promise<void> {
  const [entries] = await tx.run(selectEntriesOfOrder({ orderId: of.orderId }));
  const given = entries.filter((it) => it.kind === 'refunded' && it.orderReturnId === of.orderReturnId);
  const taken = given.map(({ giftCardId, amountCents }) => ({
    ...{ giftCardId, kind: 'refund-voided' as const, amountCents: -amountCents, orderId: of.orderId },
    ...{ orderReturnId: of.orderReturnId, paymentTypeId: null, staffId: of.staffId },
  }));
  await moveCards(tx, context, origin, taken, of.atMs);
}

/** The id of the card of a code. Fails with GIFT_CARD_NOT_FOUND. */
export async function cardOf(tx: TenantTransaction, code: string): Promise<number> {
  const [[card]] = await tx.run(selectGiftCardOfCode({ codeDigest: codeDigest(readCode(code, 'giftCard')) }));
  if (card === undefined) throw failure('GIFT_CARD_NOT_FOUND', 'There is no gift card with this code.');
  return card.id;
}

/** What the order still has of each card's value, in the order in which it took it. */
function heldByCard(
  entries: readonly EntryRow[],
): readonly { readonly giftCardId: number; readonly cents: number }[] {
  const sums = new Map<number, number>();
  for (const { giftCardId, amountCents } of entries) {
    sums.set(giftCardId, (sums.get(giftCardId) ?? 0) - amountCents);
  }
  return [...sums].filter(([, cents]) => cents > 0).map(([giftCardId, cents]) => ({ giftCardId, cents }));
}

import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { recordCardMoney } from '../registers/registers.ts';
import { codeDigest, newCode, readCode } from './gift-card-code.ts';
import {
  type GiftCardRow,
  insertGiftCards,
  oneCardOfCode,
  selectCardTypes,
  selectGiftCard,
  selectGiftCardOfCode,
} from './gift-card-queries.ts';
import { moveCards } from './spend-gift-cards.ts';

/** Money that a customer pays onto a card. */
export interface PaidOntoCard {
  readonly amountCents: number;
  readonly paymentTypeId: number;
  readonly registerId: number;
  readonly staffId: number;
}

/**
 * Sells a card: its value is what was paid, never more. `code` null: a new one is made, and told this once. Fails with GIFT_CARD_EXISTS,
 * PAYMENT_TYPE_NOT_FOUND, INVALID_PARAMS for a payment type that cannot pay for cards, and as a payment at the register does.
 */
export async function issueGiftCard(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  asked: PaidOntoCard & { readonly code: string | null },
): Promise<{ readonly card: GiftCardRow; readonly code: string }> {
  const code = asked.code === null ? newCode((count) => context.randomBytes(count)) : readCode(asked.code);
  const digest = codeDigest(code);
  const id = await context.database.write(
    organization,
    async (tx) => {
      const [[known]] = await tx.run(selectGiftCardOfCode({ codeDigest: digest }));
      if (known !== undefined)
        throw failure('GIFT_CARD_EXISTS', 'A gift card has this code already: load it.');
      const cardId = await context.ids.takeOne();
      const nowMs = context.clock.now();
      const at = isoTimestamp(nowMs);
      const row = { id: cardId, codeDigest: digest, lastFour: code.slice(-4), createdAt: at, updatedAt: at };
      await tx.run(...insertGiftCards([row]));
      await pay(tx, context, origin, cardId, { ...asked, kind: 'issued' }, nowMs);
      return cardId;
    },
    { retryOnConstraints: [oneCardOfCode] },
  );
  return { card: await readCard(context, organization, id), code };
}

/** Pays more onto a card. Fails with GIFT_CARD_NOT_FOUND and like `issueGiftCard`. */
export async function loadGiftCard(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  asked: PaidOntoCard,
): Promise<GiftCardRow> {
  await context.database.write(organization, async (tx) => {
    const [[card]] = await tx.run(selectGiftCard({ id }));
    if (card === undefined) throw failure('GIFT_CARD_NOT_FOUND', 'There is no such gift card.');
    await pay(tx, context, origin, id, { ...asked, kind: 'loaded' }, context.clock.now());
  });
  return readCard(context, organization, id);
}

async function pay(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  giftCardId: number,
  paid: PaidOntoCard & { readonly kind: 'issued' | 'loaded' },
  nowMs: number,
): Promise<void> {
  const { amountCents, paymentTypeId, registerId, staffId, kind } = paid;
  const [[type]] = await tx.run(selectCardTypes({ ids: [paymentTypeId] }));
  if (type === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
  if (type.takesGiftCards || type.isConnected) {
    throw failure(
      'INVALID_PARAMS',
      'paymentTypeId must be a type that staff take themselves: no gift card pays for one, and a connected type needs an order',
    );
  }
  await recordCardMoney(tx, context, { registerId, paymentTypeId, amountCents, staffId, atMs: nowMs });
  const moved = { giftCardId, kind, amountCents, orderId: null, orderReturnId: null, paymentTypeId, staffId };
  await moveCards(tx, context, origin, [moved], nowMs);
}

/**
 * Pays the whole rest of a card out in cash, as the law of some states has it for small rests. Fails with GIFT_CARD_BALANCE for a card
 * without value.
 */
export async function cashOutGiftCard(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { registerId, paymentTypeId, staffId }: Omit<PaidOntoCard, 'amountCents'>,
): Promise<GiftCardRow> {
  await context.database.write(organization, async (tx) => {
    const [[card], [type]] = await tx.run(selectGiftCard({ id }), selectCardTypes({ ids: [paymentTypeId] }));
    if (card === undefined) throw failure('GIFT_CARD_NOT_FOUND', 'There is no such gift card.');
    if (type?.method !== 'cash') throw failure('INVALID_PARAMS', 'paymentTypeId must be a type of cash');
    if (card.balanceCents === 0) {
      throw failure('GIFT_CARD_BALANCE', 'The gift card has no value left.', { balance: 0 });
    }
    const nowMs = context.clock.now();
    const amountCents = -card.balanceCents;
    await recordCardMoney(tx, context, { registerId, paymentTypeId, amountCents, staffId, atMs: nowMs });
    const moved = { giftCardId: id, kind: 'cashed-out', amountCents, orderId: null } as const;
    await moveCards(tx, context, origin, [{ ...moved, orderReturnId: null, paymentTypeId, staffId }], nowMs);
  });
  return readCard(context, organization, id);
}

/** The card as it is; fails with GIFT_CARD_NOT_FOUND. */
export async function readCard(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  id: number,
): Promise<GiftCardRow> {
  const [[card]] = await database.read(organization, selectGiftCard({ id }));
  if (card === undefined) throw failure('GIFT_CARD_NOT_FOUND', 'There is no such gift card.');
  return card;
}

import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on gift cards. */

export const entryKinds = [
  'issued',
  'loaded',
  'spent',
  'given-back',
  'refunded',
  'refund-voided',
  'cashed-out',
] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface GiftCardRow {
  id: number;
  lastFour: string;
  balanceCents: number;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, last_four as "lastFour", balance_cents as "balanceCents", created_at as "createdAt", updated_at as "updatedAt"`;

/** The constraint that refuses a second card of one code. */
export const oneCardOfCode = 'gift_cards_one_of_code';

export const insertGiftCards = insertMany<{
  id: number;
  codeDigest: string;
  lastFour: string;
  createdAt: string;
  updatedAt: string;
}>('gift_cards', {
  id: 'id',
  codeDigest: 'code_digest',
  lastFour: 'last_four',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const selectGiftCardOfCode = statement<{ codeDigest: string }, GiftCardRow>(
  'select_gift_card_of_code',
  `select ${columns} from gift_cards where organization_id = :organizationId and code_digest = :codeDigest`,
);

export const selectGiftCard = statement<{ id: number }, GiftCardRow>(
  'select_gift_card',
  `select ${columns} from gift_cards where organization_id = :organizationId and id = :id`,
);

/** Cards that move in one transaction, in the order of their ids. */
export const lockGiftCards = statement<{ ids: readonly number[] }, GiftCardRow>(
  'lock_gift_cards',
  `select ${columns} from gift_cards where organization_id = :organizationId and id = any(:ids) order by id for update`,
);

/** The row is locked: what it has was read. */
export const moveBalance = statement<{ id: number; cents: number; at: string }, never>(
  'move_gift_card_balance',
  `update gift_cards set balance_cents = balance_cents + :cents, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const insertEntries = insertMany<{
  id: number;
  giftCardId: number;
  kind: EntryKind;
  amountCents: number;
  orderId: string | null;
  orderReturnId: number | null;
  paymentTypeId: number | null;
  staffId: number;
  createdAt: string;
}>('gift_card_entries', {
  id: 'id',
  giftCardId: 'gift_card_id',
  kind: 'kind',
  amountCents: 'amount_cents',
  orderId: 'order_id',
  orderReturnId: 'order_return_id',
  paymentTypeId: 'payment_type_id',
  staffId: 'staff_id',
  createdAt: 'created_at',
});

export interface EntryRow {
  id: number;
  giftCardId: number;
  kind: EntryKind;
  amountCents: number;
  orderId: string | null;
  orderReturnId: number | null;
  createdAt: number;
}

const entryColumns = `id, gift_card_id as "giftCardId", kind, amount_cents as "amountCents", order_id as "orderId",
          order_return_id as "orderReturnId", created_at as "createdAt"`;

/** What an order has taken from cards and given back to them, first entries first. */
export const selectEntriesOfOrder = statement<{ orderId: string }, EntryRow>(
  'select_gift_card_entries_of_order',
  `select ${entryColumns} from gift_card_entries where organization_id = :organizationId and order_id = :orderId order by id`,
);

export const selectEntriesOfCard = statement<{ id: number; limit: number }, EntryRow>(
  'select_gift_card_entries',
  `select ${entryColumns} from gift_card_entries where organization_id = :organizationId and gift_card_id = :id
    order by id desc limit :limit`,
);

/** What moved in a period by kind, and what was owed before it. */
export const sumEntries = statement<
  { from: string; until: string },
  { kind: EntryKind; cents: number; before_cents: number }
>(
  'sum_gift_card_entries',
  `select kind, coalesce(sum(amount_cents) filter (where created_at >= :from), 0)::bigint as cents,
          coalesce(sum(amount_cents) filter (where created_at < :from), 0)::bigint as before_cents
     from gift_card_entries where organization_id = :organizationId and created_at < :until group by kind`,
);

export const selectCardTypes = statement<
  { ids: readonly number[] },
  { id: number; method: string; takesGiftCards: boolean; isConnected: boolean }
>(
  'select_payment_types_of_gift_cards',
  `select t.id, t.method, t.takes_gift_cards as "takesGiftCards",
          exists (select from payment_connections c where c.organization_id = :organizationId and c.payment_type_id = t.id
                     and c.archived_at is null) as "isConnected"
     from payment_types t where t.organization_id = :organizationId and t.id = any(:ids) and t.archived_at is null`,
);

import { decimal, decimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';
import { insertCustomerCredits, movePoints } from '../promotions/promotions.ts';

/* What a customer brings along from another till: the number there, and points and credit, which are owed here from then on. */

/** An account at the former till. */
export interface FormerAccount {
  readonly till: string;
  /** The customer's number there; null: it is not known, and the account belongs to a profile that is new here. */
  readonly formerId: string | null;
  /** Decimal text, not below 0. */
  readonly points: string;
  readonly creditCents: number;
}

const insertFormerCustomers = insertMany<{
  till: string;
  formerId: string;
  userId: number;
  points: string;
  creditCents: number;
  importedAt: string;
}>('former_customers', {
  till: 'till',
  formerId: 'former_id',
  userId: 'user_id',
  points: 'points',
  creditCents: 'credit_cents',
  importedAt: 'imported_at',
});

/** The customers that came from another till by these numbers. */
export const selectFormerCustomers = statement<
  { tills: readonly string[]; formerIds: readonly string[] },
  { till: string; former_id: string; user_id: number; points: string; credit_cents: number }
>(
  'select_former_customers',
  `select f.till, f.former_id, f.user_id, f.points::text as points, f.credit_cents
     from unnest(:tills::text[], :formerIds::text[]) as asked(till, former_id)
     join former_customers f on f.organization_id = :organizationId
      and f.till = asked.till and f.former_id = asked.former_id`,
);

/** The buyers of sales of another till: by their number there, else by email, whose `till` is blank. */
export const selectBuyersOfFormerSales = statement<
  { tills: readonly string[]; formerIds: readonly string[]; emails: readonly string[] },
  { till: string; sought: string; user_id: number }
>(
  'select_buyers_of_former_sales',
  `select f.till, f.former_id as sought, f.user_id
     from unnest(:tills::text[], :formerIds::text[]) as asked(till, former_id)
     join former_customers f on f.organization_id = :organizationId
      and f.till = asked.till and f.former_id = asked.former_id
    union all
   select '', email_normalized, id from customers
    where organization_id = :organizationId and email_normalized = any(:emails)`,
);

export const moveFormerCustomers = statement<{ fromId: number; intoId: number }, never>(
  'move_former_customers',
  'update former_customers set user_id = :intoId where organization_id = :organizationId and user_id = :fromId',
);

export const eraseFormerCustomers = statement<{ userId: number }, never>(
  'erase_former_customers',
  'delete from former_customers where organization_id = :organizationId and user_id = :userId',
);

/** The numbers that a customer had elsewhere, with what was brought along. */
export const selectFormerCustomersOf = statement<
  { userId: number },
  { till: string; former_id: string; points: string; credit_cents: number; imported_at: number }
>(
  'select_former_customers_of',
  `select till, former_id, points::text as points, credit_cents, imported_at from former_customers
    where organization_id = :organizationId and user_id = :userId order by till, former_id limit 1000`,
);

/**
 * Opens accounts from another till: remembers each number, and gives points and credit once, each with its entry of the ledger,
 * audit entry and event. The caller leaves out numbers that are here already.
 */
export async function openFormerAccounts(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  accounts: readonly (FormerAccount & { readonly userId: number })[],
): Promise<void> {
  if (accounts.length === 0) return;
  const at = isoTimestamp(nowMs);
  const numbered = accounts.flatMap(({ formerId, till, userId, points, creditCents }) =>
    formerId === null ? [] : [{ till, formerId, userId, points, creditCents, importedAt: at }],
  );
  if (numbered.length > 0) tx.queue(...insertFormerCustomers(numbered));
  const withPoints = accounts.filter(({ points }) => decimal(points).gt(0));
  const eventIds = await movePoints(
    tx,
    context,
    origin,
    ...withPoints.map(({ userId, till, points }) => ({
      ...{ userId, type: 'adjusted' as const, points, reason: `Points from ${till}` },
      ...{ orderId: null, causeId: null, atMs: nowMs },
    })),
  );
  const withCredit = accounts.filter(({ creditCents }) => creditCents > 0);
  const creditIds = await context.ids.take(withCredit.length);
  if (withCredit.length > 0) {
    tx.queue(
      ...insertCustomerCredits(
        withCredit.map(({ userId, till, creditCents }, index) => ({
          ...{ id: creditIds[index]!, userId, type: 'store-credit' as const },
          ...{ description: `Credit from ${till}`, amountCents: creditCents, remainingCents: creditCents },
          ...{ percent: null, remainingUses: null, expiresAt: null, createdAt: at, updatedAt: at },
        })),
      ),
    );
  }
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...withPoints.map(({ userId, points }, index) => {
      const payload = { loyaltyEventId: eventIds[index]!, customerId: userId, type: 'adjusted' as const };
      return {
        ...{
          event: 'loyalty_event.created' as const,
          subjectType: 'loyalty_event' as const,
          subjectId: eventIds[index]!,
        },
        ...{ payload, details: { ...payload, pointsAmount: Number(decimalText(decimal(points))) } },
      };
    }),
    ...withCredit.map(({ userId, creditCents }, index) => {
      const payload = {
        customerCreditId: creditIds[index]!,
        customerId: userId,
        type: 'store-credit' as const,
      };
      return {
        event: 'customer_credit.issued' as const,
        ...{ subjectType: 'customer_credit' as const, subjectId: creditIds[index]! },
        ...{ payload, details: { ...payload, amount: creditCents, percent: null, expiresAt: null } },
      };
    }),
  );
}

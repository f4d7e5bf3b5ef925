import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { holdCustomerOfCredit } from './credit-queries.ts';
import { type CustomerCreditRow, insertCustomerCredits } from './promotion-queries.ts';

interface NewCredit {
  readonly type: 'promo-code' | 'store-credit';
  /** Either cents, or (promo codes only) percent as decimal text. */
  readonly amountCents: number | null;
  readonly percent: string | null;
  readonly description: string;
  readonly expiresAtMs: number | null;
}

/**
 * Adds a credit to a customer's account; the next order uses it. A percentage is for one order. Fails with
 * USER_NOT_FOUND, CUSTOMER_ERASED, or INVALID_PARAMS for a contradiction.
 */
export async function issueCustomerCredit(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  userId: number,
  credit: NewCredit,
): Promise<CustomerCreditRow> {
  const nowMs = context.clock.now();
  refuseContradictions(credit, nowMs);
  const { type, amountCents, percent, expiresAtMs, description } = credit;
  const at = isoTimestamp(nowMs);
  const id = await context.ids.takeOne();
  const remainingUses = percent === null ? null : 1;
  return context.database.write(organization, async (tx) => {
    const [[customer]] = await tx.run(holdCustomerOfCredit({ userId }));
    if (customer === undefined) throw failure('USER_NOT_FOUND', 'There is no such customer.');
    if (customer.erased_at !== null) {
      throw failure('CUSTOMER_ERASED', 'The data of the customer is erased.');
    }
    tx.queue(
      ...insertCustomerCredits([
        {
          id,
          userId,
          type,
          description,
          amountCents,
          remainingCents: amountCents,
          percent,
          remainingUses,
          expiresAt: expiresAtMs === null ? null : isoTimestamp(expiresAtMs),
          createdAt: at,
          updatedAt: at,
        },
      ]),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'customer_credit.issued',
      subjectType: 'customer_credit',
      subjectId: id,
      payload: { customerCreditId: id, customerId: userId, type },
      details: {
        customerCreditId: id,
        customerId: userId,
        type,
        amount: amountCents,
        percent,
        expiresAt: expiresAtMs === null ? null : isoTimestamp(expiresAtMs),
      },
    });
    return {
      id,
      user_id: userId,
      type,
      description,
      amount_cents: amountCents,
      remaining_cents: amountCents,
      percent,
      remaining_uses: remainingUses,
      expires_at: expiresAtMs,
      created_at: nowMs,
      updated_at: nowMs,
    };
  });
}

function refuseContradictions(credit: NewCredit, nowMs: number): void {
  const { type, amountCents, percent, description, expiresAtMs } = credit;
  const refuse = (message: string) => {
    throw failure('INVALID_PARAMS', message);
  };
  if (description === '') refuse('description must not be blank.');
  if (amountCents !== null && percent !== null) refuse('amount and percent must not both be given.');
  if (amountCents === null && percent === null) refuse('amount or percent must be given.');
  if (percent !== null && type !== 'promo-code') refuse('percent is for type promo-code only.');
  if (percent !== null && !/^(100|[0-9]{1,2}(\.[0-9]+)?)$/.test(percent)) {
    refuse('percent must be at most 100.');
  }
  if (expiresAtMs !== null && expiresAtMs <= nowMs) refuse('expiresAt must be in the future.');
}

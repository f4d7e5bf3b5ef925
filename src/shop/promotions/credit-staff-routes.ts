import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import {
  Cents,
  DecimalNumber,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { selectCreditsOfCustomer, selectCustomerOfCredits } from './credit-queries.ts';
import { decimalTextOf, NullableDecimalAmount } from './decimal-amount.ts';
import { issueCustomerCredit } from './issue-customer-credit.ts';
import type { CustomerCreditRow } from './promotion-queries.ts';

const type = OneOf(['store-credit', 'promo-code']);
const params = Type.Object({ customerId: Id() });
const resourceParams = { customerId: 'USER_NOT_FOUND' } as const;
const creditsMax = 100_000;

const CustomerCredit = Named(
  'CustomerCredit',
  Type.Object({
    id: Id(),
    type,
    amount: Nullable(Cents({ description: 'Null for a percentage' })),
    remaining: Nullable(Cents({ description: 'The rest of `amount`' })),
    percent: Nullable(DecimalNumber({ min: 0, max: 100 })),
    remainingUses: Nullable(
      WholeNumber({
        min: 0,
        max: 1_000_000,
        description: 'Number of orders that may still use the percentage',
      }),
    ),
    description: Text({ max: 500 }),
    expiresAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  }),
);

const example = {
  id: 4401,
  type: 'store-credit' as const,
  amount: 1500,
  remaining: 1500,
  percent: null,
  remainingUses: null,
  description: 'A broken jar',
  expiresAt: null,
  createdAt: '2026-03-10T17:05:09.123Z',
  updatedAt: '2026-03-10T17:05:09.123Z',
};

/** The staff's operations on credits of customers' accounts. */
export function creditStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listCustomerCredits',
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/credits',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'of one customer' },
      summary: "List a customer's credits",
      description:
        'All credits of the account with their remaining value, including used and expired ones, by id.',
      tag: 'Customers',
      params,
      resourceParams,
      sorts: { id: 'ascending', createdAt: 'descending', remaining: 'descending', expiresAt: 'ascending' },
      success: {
        status: 200,
        data: List(CustomerCredit, { max: creditsMax }),
        description: 'The credits',
        example: [example],
      },
      failures: ['USER_NOT_FOUND'],
      handle: async ({ staff, params }) => {
        const userId = params.customerId;
        const [[customer], rows] = await context.database.read(
          staff.organizationId,
          selectCustomerOfCredits({ userId }),
          selectCreditsOfCustomer({ userId }),
        );
        if (customer === undefined) throw failure('USER_NOT_FOUND', 'There is no such customer.');
        return reply(rows.map(shown));
      },
    }),
    staffEndpoint({
      id: 'issueCustomerCredit',
      refusesUnknownNames: true,
      method: 'POST',
      path: '/staff/v1/customers/{customerId}/credits',
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: 'Give a customer a credit',
      description:
        'Store credit is an amount; a promo code is an amount, or a percentage of one order. Orders use credits automatically where the organization has set so: promo codes first, then those that expire first.',
      tag: 'Customers',
      params,
      resourceParams,
      body: Type.Object({
        type,
        amount: Type.Optional(Nullable(Cents({ min: 1 }))),
        percent: Type.Optional(
          NullableDecimalAmount({
            sign: 'positive',
            description: 'In place of `amount`, for type promo-code',
          }),
        ),
        description: Text({ min: 1, max: 500, description: 'Shown to the customer' }),
        expiresAt: Type.Optional(Nullable(Timestamp())),
      }),
      requestExample: { type: 'store-credit', amount: 1500, description: 'A broken jar' },
      success: { status: 201, data: CustomerCredit, description: 'The credit', example },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_ERASED'],
      handle: async ({ staff, params, body, requestId }) => {
        const credit = await issueCustomerCredit(
          context,
          { actor: `staff:${staff.staffId}`, requestId },
          staff.organizationId,
          params.customerId,
          {
            type: body.type,
            amountCents: body.amount ?? null,
            percent: body.percent == null ? null : readPercent(body.percent),
            description: body.description.trim(),
            expiresAtMs: body.expiresAt == null ? null : Date.parse(body.expiresAt),
          },
        );
        return reply(shown(credit));
      },
    }),
  ];
}

function readPercent(percent: number | string): string {
  const text = decimalTextOf(percent);
  if (text === null) throw failure('INVALID_PARAMS', 'percent must have at most 6 decimals.');
  return text;
}

function shown(row: CustomerCreditRow) {
  return {
    id: row.id,
    type: row.type,
    amount: row.amount_cents,
    remaining: row.remaining_cents,
    percent: row.percent === null ? null : Number(row.percent),
    remainingUses: row.remaining_uses,
    description: row.description,
    expiresAt: row.expires_at === null ? null : isoTimestamp(row.expires_at),
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

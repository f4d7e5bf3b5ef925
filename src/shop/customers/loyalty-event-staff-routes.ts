import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { EntryActor, shownActor } from '../../platform/http/entry-actor.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  DecimalNumber,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import type { LoyaltyLedgerRow } from '../promotions/loyalty-queries.ts';
import {
  countLoyaltyEvents,
  loyaltyEventList,
  loyaltyEventsPerPage,
  loyaltyEventTypes,
} from '../promotions/promotions.ts';
import { selectCustomerOfPoints } from './customer-queries.ts';
import { customerNotFound } from './find-customer.ts';

const pointsMax = 1_000_000_000;

const LoyaltyLedgerEntry = Named(
  'LoyaltyLedgerEntry',
  Type.Object({
    id: Id(),
    type: OneOf(loyaltyEventTypes, {
      description:
        '`open-api`: by an integrator; `earned` and `redeemed`: by an order; `given-back` and `taken-back`: by its cancelation or return; `adjusted`: by staff',
    }),
    pointsAmount: DecimalNumber({ min: -pointsMax, max: pointsMax, description: 'Negative: removed' }),
    reason: Text({ max: 500 }),
    orderId: Nullable(Text({ max: 36, description: 'The order that changed them' })),
    actor: EntryActor,
    createdAt: Timestamp(),
  }),
);

/** The staff's list of a customer's point changes. */
export function loyaltyEventStaffRoutes({ database }: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listLoyaltyEvents',
      exported: { as: 'loyalty-events' },
      method: 'GET',
      path: '/staff/v1/customers/{customerId}/loyalty-events',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      summary: "List a customer's points",
      description: `Every change of the customer's points with its source, ${loyaltyEventsPerPage} a page, newest first unless sorted. The balance is the sum of all changes.`,
      tag: 'Customers',
      params: Type.Object({ customerId: Id() }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      query: Type.Object({
        ...sortFields(loyaltyEventList.sorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'Entry id; the page starts after it' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(LoyaltyLedgerEntry, { max: loyaltyEventsPerPage }),
        meta: ListTotal,
        description: 'A page of entries',
        example: [
          {
            id: 5301,
            type: 'adjusted',
            pointsAmount: 50,
            reason: 'Points of a lost receipt',
            orderId: null,
            actor: { kind: 'staff', id: 31, name: 'Ines Novak' },
            createdAt: '2026-03-10T17:05:09.123Z',
          },
        ],
        metaExample: listTotalExample,
      },
      failures: ['USER_NOT_FOUND', 'INVALID_CURSOR'],
      handle: async ({ staff: { organizationId }, params: { customerId }, query }) => {
        const { startingAfter } = query;
        const [rows, [counted]] = await database.read(
          organizationId,
          loyaltyEventList.page(query, { userId: customerId }),
          countLoyaltyEvents({ userId: customerId }),
        );
        if (rows.length === 0) {
          const [[customer]] = await database.read(
            organizationId,
            selectCustomerOfPoints({ userId: customerId, startingAfter: startingAfter ?? null }),
          );
          if (customer === undefined) throw customerNotFound();
          if (startingAfter !== undefined && !customer.has_entry) {
            throw failure(
              'INVALID_CURSOR',
              "startingAfter must be the id of an entry of this customer's points.",
            );
          }
        }
        return reply(rows.map(shown), { meta: totalOf(counted!.count) });
      },
    }),
  ];
}

function shown(row: LoyaltyLedgerRow) {
  return {
    id: row.id,
    type: row.type,
    pointsAmount: Number(row.points_amount),
    reason: row.reason,
    orderId: row.order_id,
    actor: shownActor(row),
    createdAt: isoTimestamp(row.created_at),
  };
}

import Type from 'typebox';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Id, List, Named, withErrorCode } from '../../platform/http/schemas.ts';
import { listCustomerDuplicates } from './customer-duplicate-queries.ts';
import { staffCustomerExample } from './customer-examples.ts';
import { customersPerPage } from './customer-list-queries.ts';
import { assertPlace } from './customer-place.ts';
import { StaffCustomer } from './customer-schemas.ts';
import { staffCustomer } from './shown-customer.ts';

const CustomerDuplicate = Named(
  'CustomerDuplicate',
  Type.Object({
    id: Id({ description: 'Of `customer`: each customer is in one pair with an earlier one at most' }),
    customer: StaffCustomer,
    earlier: StaffCustomer,
  }),
);

/** The list of customers who may be one person (D85). */
export function customerDuplicateStaffRoutes({ database }: Pick<Context, 'database'>): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listCustomerDuplicates',
      method: 'GET',
      path: '/staff/v1/customer-duplicates',
      roles: ['owner', 'manager'],
      kind: 'read',
      readsFrom: 'standby',
      list: {
        staysSmall: 'the birthdays of the shop, from an index alone',
        unsorted: 'a list of work to do, the latest pair first',
        order: { descending: ['id'] },
      },
      exported: { not: 'derived from the customers' },
      emptyInDemo: 'a demo shop has no duplicates',
      summary: 'List customers who may be one person',
      description: `Pairs of customers with equal birthday and fitting names: equal ones without case, accents, punctuation, suffixes and second given names. Different suffixes are different people. The latest customer to be added first, ${customersPerPage} a page. Each customer stands beside the nearest earlier one that fits, so that three records of one person are two pairs. Nothing is merged by itself: mergeCustomers does it, and the pair is gone.`,
      tag: 'Customers',
      query: Type.Object({
        startingAfter: Type.Optional(
          withErrorCode(
            Id({ description: 'Id of a pair, which is that of a customer; the page starts after it' }),
            'INVALID_CURSOR',
          ),
        ),
      }),
      success: {
        status: 200,
        data: List(CustomerDuplicate, { max: customersPerPage }),
        meta: ListTotal,
        description: 'A page of pairs',
        example: [
          {
            id: 3151,
            customer: {
              ...staffCustomerExample,
              id: 3151,
              hashId: 'M4TN8C2W',
              firstName: 'MARISOL ANA',
              lastName: 'OKAFOR',
              email: null,
              phone: null,
            },
            earlier: staffCustomerExample,
          },
        ],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff: { organizationId }, query: { startingAfter } }) => {
        const [rows] = await database.read(
          organizationId,
          listCustomerDuplicates({ startingAfter: startingAfter ?? null }),
        );
        const shown = rows.filter((row) => row.pair_id !== null);
        await assertPlace(database, organizationId, startingAfter, shown);
        const data = shown.flatMap((row, at) => {
          const earlier = shown[at + 1];
          // The later one of a pair is its first row.
          if (row.id !== row.pair_id || earlier === undefined) return [];
          return [{ id: row.id, customer: staffCustomer(row), earlier: staffCustomer(earlier) }];
        });
        return reply(data, { meta: totalOf(rows[0]!.pair_count) });
      },
    }),
  ];
}

import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, List } from '../../platform/http/schemas.ts';
import { createDiscount } from './create-discount.ts';
import { setupOfRow } from './discount-rows.ts';
import { DiscountBody, DiscountChanges, StaffDiscount } from './discount-schemas.ts';
import { noTargets } from './discount-setup.ts';
import {
  type AskDiscountOrders,
  type DiscountSetupRow,
  selectDiscountSetup,
  selectDiscountSetups,
} from './discount-setup-queries.ts';
import { endDiscount } from './end-discount.ts';
import { noOwnTerms } from './own-terms.ts';
import { clockTime, readDiscount, withChanges } from './read-discount.ts';
import { updateDiscount } from './update-discount.ts';

const writers = ['owner', 'manager'] as const;
const readers = ['owner', 'manager', 'budtender'] as const;
const params = Type.Object({ discountId: Id() });
const resourceParams = { discountId: 'DISCOUNT_NOT_FOUND' } as const;
const discountsMax = 10_000;

const exampleConditions = {
  orderTypes: ['pickup' as const],
  customerGroupIds: [],
  customerType: null,
  minimumSubtotal: 5000,
  minimumQuantity: null,
  countsWholeCart: false,
  excludeSaleItems: true,
  firstOrder: false,
  birthdayMonth: false,
  schedule: [{ days: [1, 2, 3, 4, 5], from: '16:00', to: '18:00' }],
  startsAt: null,
  endsAt: null,
};

const requestExample = {
  name: 'Happy hour',
  kind: 'order' as const,
  type: 'percent' as const,
  amount: 10,
  maximumAmount: 2000,
  conditions: {
    orderTypes: ['pickup' as const],
    minimumSubtotal: 5000,
    excludeSaleItems: true,
    schedule: exampleConditions.schedule,
  },
};

const example = {
  id: 4201,
  ...requestExample,
  perUnit: false,
  trigger: 'automatic' as const,
  codes: [],
  stackable: true,
  priority: 0,
  usesPerOrder: null,
  usesPerCustomer: null,
  usesTotal: null,
  ...noOwnTerms,
  targets: noTargets,
  conditions: exampleConditions,
  startsAt: null,
  endsAt: null,
  uses: { total: 31 },
  createdAt: '2026-03-01T17:05:09.123Z',
  updatedAt: '2026-03-01T17:05:09.123Z',
};

/** The staff's operations on discounts. */
export function discountStaffRoutes(context: Context, askDiscountOrders: AskDiscountOrders): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffListDiscounts',
      method: 'GET',
      path: '/staff/v1/discounts',
      roles: readers,
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      summary: 'List discounts',
      description:
        'The discounts that have not ended, including future ones, in the order in which they apply. With `ended=true`, ended ones too.',
      tag: 'Marketing',
      query: Type.Object({ ended: Type.Optional(Flag()) }),
      sorts: {
        priority: 'ascending',
        name: 'ascending',
        startsAt: 'descending',
        endsAt: 'ascending',
        uses: { own: 'descending', key: ({ uses }) => uses.total },
        createdAt: 'descending',
      },
      success: {
        status: 200,
        data: List(StaffDiscount, { max: discountsMax }),
        description: 'The discounts',
        example: [example],
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const [rows] = await context.database.read(
          staff.organizationId,
          selectDiscountSetups({ at: isoTimestamp(context.clock.now()), ended: query.ended ?? false }),
        );
        const ids = rows.map(({ id }) => id);
        const [uses] = await context.database.read(staff.organizationId, askDiscountOrders({ ids }));
        const totals = new Map(uses.map((row) => [row.discount_id, row.total]));
        return reply(rows.map((row) => shown(row, totals.get(row.id) ?? 0)));
      },
    }),
    staffEndpoint({
      id: 'staffGetDiscount',
      method: 'GET',
      path: '/staff/v1/discounts/{discountId}',
      roles: readers,
      kind: 'read',
      summary: 'Get a discount',
      description: 'One discount, which may have ended.',
      tag: 'Marketing',
      params,
      resourceParams,
      success: { status: 200, data: StaffDiscount, description: 'The discount', example },
      failures: ['DISCOUNT_NOT_FOUND'],
      handle: async ({ staff, params }) => reply(await load(staff.organizationId, params.discountId)),
    }),
    staffEndpoint({
      id: 'createDiscount',
      method: 'POST',
      path: '/staff/v1/discounts',
      roles: writers,
      kind: 'write',
      summary: 'Create a discount',
      description:
        'Carts can use it at once. By default it is automatic, stackable, on all products, and has no conditions. ' +
        'A code belongs to one discount that has not ended.',
      tag: 'Marketing',
      body: DiscountBody,
      requestExample,
      success: { status: 201, data: StaffDiscount, description: 'The discount', example },
      failures: ['DISCOUNT_NOT_ALLOWED_BY_LAW'],
      handle: async ({ staff, body, requestId }) => {
        const { organizationId } = staff;
        const by = staffOrigin(staff, requestId);
        const id = await createDiscount(context, by, organizationId, readDiscount(body));
        return reply(await load(organizationId, id));
      },
    }),
    staffEndpoint({
      id: 'replaceDiscount',
      method: 'PUT',
      path: '/staff/v1/discounts/{discountId}',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Replace a discount',
      description: 'Absent fields get their defaults. Placed orders keep their discounts.',
      tag: 'Marketing',
      params,
      resourceParams,
      body: DiscountBody,
      requestExample,
      success: { status: 200, data: StaffDiscount, description: 'The discount', example },
      failures: ['DISCOUNT_NOT_FOUND', 'DISCOUNT_NOT_ALLOWED_BY_LAW'],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        const by = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const setup = readDiscount(body);
        await updateDiscount(context, by, organizationId, params.discountId, () => setup);
        return reply(await load(organizationId, params.discountId));
      },
    }),
    staffEndpoint({
      id: 'updateDiscount',
      method: 'PATCH',
      path: '/staff/v1/discounts/{discountId}',
      roles: writers,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Update a discount',
      description:
        'Changes the given fields only, also within `targets` and `conditions`; null empties a field. Placed orders keep their discounts.',
      tag: 'Marketing',
      params,
      resourceParams,
      body: DiscountChanges,
      requestExample: { amount: '12.5', conditions: { minimumSubtotal: null } },
      success: { status: 200, data: StaffDiscount, description: 'The discount', example },
      failures: ['DISCOUNT_NOT_FOUND', 'DISCOUNT_NOT_ALLOWED_BY_LAW'],
      handle: async ({ staff, params, body, requestId, expectedUpdatedAtMs }) => {
        const { organizationId } = staff;
        const by = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const change = (before: Parameters<typeof withChanges>[0]) => withChanges(before, body);
        await updateDiscount(context, by, organizationId, params.discountId, change);
        return reply(await load(organizationId, params.discountId));
      },
    }),
    staffEndpoint({
      id: 'endDiscount',
      method: 'DELETE',
      path: '/staff/v1/discounts/{discountId}',
      roles: writers,
      kind: 'write',
      summary: 'End a discount',
      description: 'Ends it now; it stays listed with `ended=true`. Ending it again changes nothing.',
      tag: 'Marketing',
      params,
      resourceParams,
      success: { status: 200, data: StaffDiscount, description: 'The ended discount', example },
      failures: ['DISCOUNT_NOT_FOUND'],
      handle: async ({ staff, params, requestId }) => {
        const { organizationId } = staff;
        await endDiscount(context, staffOrigin(staff, requestId), organizationId, params.discountId);
        return reply(await load(organizationId, params.discountId));
      },
    }),
  ];

  async function load(organization: OrganizationId, id: number) {
    const [[row], uses] = await context.database.read(
      organization,
      selectDiscountSetup({ id }),
      askDiscountOrders({ ids: [id] }),
    );
    if (row === undefined) throw failure('DISCOUNT_NOT_FOUND', 'There is no such discount.');
    return shown(row, uses[0]?.total ?? 0);
  }
}

function shown(row: DiscountSetupRow, total: number) {
  const { conditions, maximumAmountCents, amount, ...setup } = setupOfRow(row);
  const { minimumSubtotalCents, schedule, startsAtMs, endsAtMs, ...others } = conditions;
  const times = {
    startsAt: startsAtMs === null ? null : isoTimestamp(startsAtMs),
    endsAt: endsAtMs === null ? null : isoTimestamp(endsAtMs),
  };
  return {
    id: row.id,
    ...setup,
    amount: Number(amount),
    maximumAmount: maximumAmountCents,
    conditions: {
      ...others,
      minimumSubtotal: minimumSubtotalCents,
      schedule: schedule.map(({ days, fromMinute, toMinute }) => ({
        days,
        from: clockTime(fromMinute),
        to: clockTime(toMinute),
      })),
      ...times,
    },
    ...times,
    uses: { total },
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

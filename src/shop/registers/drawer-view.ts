import type { Static } from 'typebox';
import type { OrganizationRow } from '../../access/organizations/organization-queries.ts';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type ListCount, totalOf } from '../../kernel/list-count.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import {
  addDays,
  type BusinessDays,
  businessDayAt,
  isoTimestamp,
  startOfBusinessDayMs,
} from '../../kernel/local-time.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import type { SortOf } from '../../platform/lists/sorted-list.ts';
import { sqlInstant } from '../../platform/statements/sql-instant.ts';
import {
  type DrawerSalesRow,
  type DrawerSumRow,
  selectDrawerCounts,
  selectDrawerSales,
  selectDrawerSums,
  selectHandMovements,
} from './drawer-queries.ts';
import {
  countSessions,
  countSessionsOfRegister,
  countSessionsWithin,
  type DrawerFilter,
  type ShownSessionRow,
  selectDrawerSession,
  sessionList,
} from './drawer-session-queries.ts';
import { managesDrawers, sessionNotFound } from './move-drawer.ts';
import type { DrawerReport, DrawerSession } from './register-schemas.ts';

type ShownSession = Static<typeof DrawerSession>;
type ShownPayment = NonNullable<ShownSession['payments']>[number];
type Count = {
  readonly session_id: number;
  readonly payment_type_id: number | null;
  readonly name: string;
  readonly counted_cents: number;
};

interface SessionQuery extends SortQuery<SortOf<typeof sessionList>> {
  readonly registerId?: number | undefined;
  /** Business days (D87). */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly startingAfter?: number | undefined;
}

/** A page of drawer sessions (D14). Fails with INVALID_CURSOR, and with INVALID_PARAMS if `from` is after `to`. */
export async function sessionPage(
  { database }: Context,
  organization: OrganizationId,
  role: StaffRole,
  { registerId, from, to, startingAfter, ...order }: SessionQuery,
): Promise<{ readonly sessions: ShownSession[]; readonly count: ListCount }> {
  if (from !== undefined && to !== undefined && from > to) {
    throw failure('INVALID_PARAMS', 'from must not be after to.');
  }
  const [[shop]] = await database.read(organization, selectOrganization({}));
  const days = businessDaysOf(shop);
  // Nothing was opened before 1970, and the database has no year 0.
  const startOf = (day: string) => sqlInstant(Math.max(0, startOfBusinessDayMs(day, days)));
  const asked = {
    ...(registerId !== undefined && { register: { registerId } }),
    ...(from !== undefined && { from: { from: startOf(from) } }),
    ...(to !== undefined && { until: { until: startOf(addDays(to, 1)) } }),
  };
  const [[counted], rows, cursor] = await database.read(
    organization,
    from === undefined && to === undefined
      ? registerId === undefined
        ? countSessions({})
        : countSessionsOfRegister({ registerId })
      : countSessionsWithin({
          registerId: registerId ?? null,
          from: asked.from?.from ?? '-infinity',
          until: asked.until?.until ?? 'infinity',
        }),
    sessionList.page(
      { ...order, startingAfter },
      { ...asked.register, ...asked.from, ...asked.until },
      Object.keys(asked) as DrawerFilter[],
    ),
    startingAfter === undefined ? null : selectDrawerSession({ id: startingAfter }),
  );
  if (startingAfter !== undefined && cursor.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a drawer session.');
  }
  const sessionIds = rows.map(({ id }) => id);
  const [sums, counts] = await database.read(
    organization,
    selectDrawerSums({ sessionIds }),
    selectDrawerCounts({ sessionIds }),
  );
  return {
    sessions: rows.map((row) => shownSession(row, days, sums, counts, role)),
    count: totalOf(counted!.count),
  };
}

/** The report of a session: X while it is open, which changes nothing, Z once it is closed (D74). */
export async function drawerReport(
  { database }: Context,
  organization: OrganizationId,
  role: StaffRole,
  sessionId: number,
): Promise<Static<typeof DrawerReport>> {
  const sessionIds = [sessionId];
  const [[row], sums, counts, moved, [shop], [sold]] = await database.read(
    organization,
    selectDrawerSession({ id: sessionId }),
    selectDrawerSums({ sessionIds }),
    selectDrawerCounts({ sessionIds }),
    selectHandMovements({ sessionId }),
    selectOrganization({}),
    selectDrawerSales({ sessionId }),
  );
  if (row === undefined) throw sessionNotFound();
  const session = shownSession(row, businessDaysOf(shop), sums, counts, role);
  return {
    ...session,
    kind: row.closed_at === null ? 'x' : 'z',
    // As blind as the payments.
    sales: session.payments && salesOf(sold!),
    movements: moved.map((it) => ({
      id: it.id,
      kind: it.kind,
      amount: it.amount_cents,
      reason: it.reason,
      at: isoTimestamp(it.created_at),
      by: { staffId: it.staff_id, firstName: it.first_name, lastName: it.last_name },
    })),
  };
}

function salesOf(sold: DrawerSalesRow): NonNullable<Static<typeof DrawerReport>['sales']> {
  return {
    orders: sold.orders,
    gross: sold.gross_cents,
    discounts: sold.discounts_cents,
    priceOverrides: sold.overrides_cents,
    net: sold.gross_cents - sold.discounts_cents,
    tax: sold.tax_cents,
    total: sold.total_cents,
    cashRounding: sold.rounding_cents,
    returns: sold.returns,
    refunds: sold.refunds_cents,
    voids: sold.voids,
  };
}

function businessDaysOf(shop: OrganizationRow | undefined): BusinessDays {
  assert(shop !== undefined, 'an organization with staff exists');
  return { tz: shop.tz, dayStartsAt: shop.business_day_starts_at };
}

function shownSession(
  row: ShownSessionRow,
  days: BusinessDays,
  sums: readonly DrawerSumRow[],
  counts: readonly Count[],
  role: StaffRole,
): ShownSession {
  const isClosed = row.closed_at !== null;
  return {
    id: row.id,
    registerId: row.register_id,
    registerName: row.register_name,
    float: row.float_cents,
    openedAt: isoTimestamp(row.opened_at),
    businessDay: businessDayAt(row.opened_at, days),
    openedBy: {
      staffId: row.opened_by_staff_id,
      firstName: row.opener_first_name,
      lastName: row.opener_last_name,
    },
    closedAt: row.closed_at === null ? null : isoTimestamp(row.closed_at),
    closedBy:
      row.closed_by_staff_id === null
        ? null
        : {
            staffId: row.closed_by_staff_id,
            firstName: row.closer_first_name ?? '',
            lastName: row.closer_last_name ?? '',
          },
    note: row.note,
    payments:
      isClosed || managesDrawers({ role })
        ? shownPayments(
            sums.filter(({ session_id }) => session_id === row.id),
            counts.filter(({ session_id }) => session_id === row.id),
          )
        : null,
  };
}

function shownPayments(sums: readonly DrawerSumRow[], counts: readonly Count[]): ShownPayment[] {
  const taken = sums.map((sum) =>
    shownPayment(
      sum,
      counts.find(({ payment_type_id }) => payment_type_id === sum.payment_type_id),
    ),
  );
  const onlyCounted = counts
    .filter((count) => !sums.some(({ payment_type_id }) => payment_type_id === count.payment_type_id))
    .map((count) =>
      shownPayment({ ...nothing, payment_type_id: count.payment_type_id, name: count.name }, count),
    );
  return [...taken, ...onlyCounted];
}

const nothing = {
  orders: 0,
  float_cents: 0,
  sales_cents: 0,
  refunds_cents: 0,
  gift_cards_cents: 0,
  paid_in_cents: 0,
  paid_out_cents: 0,
  drops_cents: 0,
  expected_cents: 0,
};

function shownPayment(sum: Omit<DrawerSumRow, 'session_id'>, count: Count | undefined): ShownPayment {
  return {
    paymentTypeId: sum.payment_type_id,
    name: sum.name,
    orders: sum.orders,
    float: sum.float_cents,
    sales: sum.sales_cents,
    refunds: sum.refunds_cents,
    giftCards: sum.gift_cards_cents,
    paidIn: sum.paid_in_cents,
    paidOut: sum.paid_out_cents,
    drops: sum.drops_cents,
    expected: sum.expected_cents,
    counted: count?.counted_cents ?? null,
    overShort: count === undefined ? null : count.counted_cents - sum.expected_cents,
  };
}

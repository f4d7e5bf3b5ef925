import { expect } from 'vitest';
import { selectOrganization } from '../../src/access/organizations/organizations.ts';
import { groupBy } from '../../src/kernel/group-by.ts';
import { readAndCounted } from '../../src/shop/reports/counted-reports.test-support.ts';
import { stepReportSums } from '../../src/shop/reports/keep-report-sums.ts';
import { findReportDrift } from '../../src/shop/reports/reports.ts';
import type { TestReply } from '../harness/test-service.ts';
import { type ModelOrder, refundedCents, validReturns } from './order-model.ts';
import { expectListed } from './order-views.ts';
import { auditMoney } from './payment-audit.ts';
import { auditSandbox } from './sandbox-moves.ts';
import { drawnFrom, type SoldOption, soldOptions } from './simulated-shop.ts';
import { brokenRules } from './trading-invariants.ts';
import { startMs, type TradingWorld } from './trading-world.ts';

type Data = TestReply['data'];

/** Compares the shown data with the predictions, and checks the stored data for broken rules. */
export async function audit(world: TradingWorld): Promise<void> {
  const { service, shop } = world;
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
  await auditShelves(world);
  await auditMenu(world);
  await auditAccounts(world);
  await auditOrders(world, 1);
  await auditReports(world);
  await auditMails(world);
  await auditMoney(world, false);
}

/** The same for all data, with the sums of a year. */
export async function auditYear(world: TradingWorld): Promise<void> {
  await audit(world);
  await auditOrders(world, Number.POSITIVE_INFINITY);
  await auditSales(world);
  expect(await findReportDrift(world.service.context, world.shop.organizationId)).toEqual([]);
  await auditPurchases(world);
  await auditLedger(world);
  await auditSandbox(world);
  await auditMoney(world, true);
}

async function auditShelves(world: TradingWorld): Promise<void> {
  const predicted = world.shelves
    .all()
    .filter(({ amount }) => amount !== 0)
    .map(({ shelf, amount }) => [shelf.productId, shelf.optionId, shelf.location, shelf.label, amount]);
  const shown = (await world.levels())
    .filter(({ onHand }) => onHand !== '0')
    .map((it) => [
      it.productId,
      it.productOptionId ?? 0,
      world.locationNamed(it.inventoryLocationId),
      it.packageLabel,
      Number(it.onHand),
    ]);
  expect(new Set(shown.map(String))).toEqual(new Set(predicted.map(String)));
}

/** The available units and the costs, as a shop's customers and integrators see them. */
export async function auditMenu(world: TradingWorld): Promise<void> {
  const ask = async (path: string) => {
    const { status, data, text } = await world.askIntegrator(0, 'GET', path);
    expect(status, text).toBe(200);
    return data.flatMap((product: Data) => product.options.map((option: Data) => ({ product, option })));
  };
  const named = (rows: readonly { option: Data }[], show: (row: Data) => unknown) =>
    Object.fromEntries(rows.map((row) => [row.option.id, show(row)]));
  const predicted = (show: (option: SoldOption) => unknown) =>
    Object.fromEntries(soldOptions.map((option) => [world.shop.optionId(option.name), show(option)]));

  for (const type of ['delivery', 'pickup', 'in-store'] as const) {
    const shown = await ask(`/api/v1/menu?type=${type}`);
    const unitsOf = (option: SoldOption) => {
      if (option.kept === 'none') return null;
      const there = world.shelves.sellable(world.itemOf(option), drawnFrom[type], world.dayOf());
      return Math.floor(there / option.perUnit);
    };
    expect(named(shown, ({ option }) => option.maxQuantity)).toEqual(predicted(unitsOf));
  }
  const costs = named(await ask('/api/v1/products/all'), ({ product, option }) =>
    product.inventoryType === 'product' ? product.movingAverageCostPerUnit : option.movingAverageCostPerUnit,
  );
  expect(costs).toEqual(predicted((option) => world.costs.costOf(world.itemOf(option))));
}

async function auditAccounts(world: TradingWorld): Promise<void> {
  for (const { id, credits, points } of world.accounts.values()) {
    const customer = await world.askStaff('GET', `/staff/v1/customers/${id}`);
    expect(Math.round(customer.data.loyalty.pointsAmount * 100)).toBe(points);
    const { data } = await world.askStaff('GET', `/staff/v1/customers/${id}/credits`);
    expect(data.map((it: Data) => [it.id, it.remaining, it.expiresAt !== null])).toEqual(
      credits.map((it) => [it.id, it.remainingCents, it.expiresAtMs !== null]),
    );
  }
}

/** Pages of integrators' orders: each order once, newest first, equal to its single view. */
async function auditOrders(world: TradingWorld, pagesMax: number): Promise<void> {
  const listed: Data[] = [];
  for (let after = '', page = 0; page < pagesMax; page++) {
    const path = `/api/v1/orders${after && `?startingAfter=${after}`}`;
    const { status, data } = await world.askIntegrator(0, 'GET', path);
    expect(status).toBe(200);
    if (data.length === 0) break;
    listed.push(...data);
    after = data.at(-1).id;
  }
  if (pagesMax === Number.POSITIVE_INFINITY) expect(listed).toHaveLength(world.orders.length);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
  for (const data of listed) expectListed(world.orders.find(({ id }) => id === data.id)!, data);
  const times = listed.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().toReversed());
  if (listed.length === 0) return;
  const one = world.asideRandom.pick(listed);
  const { data: shown } = await world.askIntegrator(0, 'GET', `/api/v1/orders/${one.id}/detail`);
  // Lists do not look at the state's reports.
  const { stateReport: _, ...alone } = shown;
  expect(alone).toEqual(one);
}

/** Every report against its orders, to the cent, before and after some changes were taken into the sums (D78). */
async function auditReports({
  service: { context },
  shop: { organizationId },
  dayOf,
}: TradingWorld): Promise<void> {
  const days = { from: dayOf(startMs), to: dayOf(startMs + 365 * 86_400_000) };
  const [[organization]] = await context.database.read(organizationId, selectOrganization({}));
  const isExact = async (): Promise<void> => {
    const { tz } = organization!;
    const { read, counted } = await readAndCounted(context.database, organizationId, { ...days, tz });
    expect(read).toEqual(counted);
  };
  await isExact();
  await stepReportSums(context, organizationId);
  await isExact();
}

/** The report of the year, day by day, against the sums of the predictions, with returns on either day. */
async function auditSales(world: TradingWorld): Promise<void> {
  const sold = world.orders.filter(({ status }) => status === 'fulfilled');
  const range = `from=${world.dayOf(startMs)}&to=${world.dayOf(startMs + 365 * 86_400_000)}`;
  const days = {
    'day-of-sale': predictedDays(groupBy(sold, (order) => world.dayOf(order.fulfilledAtMs!))),
    'day-of-return': await daysWithReturns(world, sold),
  };
  for (const returnsBy of ['day-of-sale', 'day-of-return'] as const) {
    for (const by of ['day', 'type'] as const) {
      const query = `${range}&by=${by}&returnsBy=${returnsBy}`;
      const { status, data, text } = await world.askStaff('GET', `/staff/v1/reports/sales?${query}`);
      expect(status, text).toBe(200);
      expect(salesOf(data.total)).toEqual(predictedSales(sold));
      expect(costOf(data.total)).toBe(sold.reduce((cents, { amounts }) => cents + amounts.netCents, 0));
      expect(refundsOf(data.total)).toBe(sold.reduce((cents, order) => cents + refundedCents(order), 0));
      if (by === 'type') continue;
      const rows = data.rows.map((row: Data) => [row.key, salesOf(row)] as const);
      expect(withFigures(rows)).toEqual(withFigures(Object.entries(days[returnsBy])));
    }
  }
}

type Sales = ReturnType<typeof predictedSales>;

const predictedDays = (days: ReadonlyMap<string, readonly ModelOrder[]>): Record<string, Sales> =>
  Object.fromEntries([...days].map(([day, orders]) => [day, predictedSales(orders)]));

/** A return counts on its day, and its void, which takes it back, on the day of the void (D87). */
async function daysWithReturns(world: TradingWorld, sold: readonly ModelOrder[]) {
  const days = predictedDays(groupBy(sold, (order) => world.dayOf(order.fulfilledAtMs!)));
  for (const day of Object.values(days)) day.refunds = 0;
  const goods = new Map(sold.flatMap(({ returns }) => returns.map(({ id, goodsCents }) => [id, goodsCents])));
  const book = (at: string, cents: number) => {
    const day = world.dayOf(Date.parse(at));
    days[day] ??= predictedSales([]);
    days[day].refunds += cents;
  };
  for (const { id, createdAt, voidedAt } of await world.wholeList('/staff/v1/order-returns')) {
    book(createdAt, goods.get(id)!);
    if (voidedAt !== null) book(voidedAt, -goods.get(id)!);
  }
  return days;
}

/** Days on which something was sold or returned: others may have a row of nothing. */
const withFigures = (days: readonly (readonly [string, Sales])[]): Record<string, Sales> =>
  Object.fromEntries(days.filter(([, sales]) => Object.values(sales).some((figure) => figure !== 0)));

/** Before fees. */
function costOf({ net, adjustments, credits, tax }: Data): number {
  return net + adjustments - credits + tax;
}

function refundsOf(total: Data): number {
  const { refunds, refundedAdjustments, refundedCredits, refundedTax, otherRefunds } = total;
  return refunds + refundedAdjustments - refundedCredits + refundedTax + otherRefunds;
}

function salesOf({ orders, units, net, tax, refunds }: Data) {
  return { orders, units, net, tax, refunds };
}

function predictedSales(orders: readonly ModelOrder[]) {
  const sum = (amountOf: (order: ModelOrder) => number) =>
    orders.reduce((total, order) => total + amountOf(order), 0);
  return {
    orders: orders.length,
    units: sum(({ lines }) => lines.reduce((units, { quantity }) => units + quantity, 0)),
    net: sum(({ amounts }) => amounts.merchandiseCents),
    tax: sum(({ amounts }) => amounts.taxCents),
    refunds: sum((order) => validReturns(order).reduce((cents, { goodsCents }) => cents + goodsCents, 0)),
  };
}

/** The changes by reason. */
async function auditLedger(world: TradingWorld): Promise<void> {
  const sums: Record<string, number> = {};
  for (const { cause, delta } of await world.wholeList('/staff/v1/inventory-ledger')) {
    sums[cause] = (sums[cause] ?? 0) + Number(delta);
  }
  expect({ ...Object.fromEntries([...world.shelves.moved.keys()].map((it) => [it, 0])), ...sums }).toEqual(
    Object.fromEntries(world.shelves.moved),
  );
}

async function auditPurchases(world: TradingWorld): Promise<void> {
  const listed = await world.wholeList('/staff/v1/purchase-orders');
  const byId = (a: readonly unknown[], b: readonly unknown[]) => Number(a[0]) - Number(b[0]);
  expect(
    listed
      .map((it) => [it.id, it.amountPaid, it.status, it.lineItems.map((line: Data) => line.amountReceived)])
      .sort(byId),
  ).toEqual(
    world.purchases
      .map((it) => [
        it.id,
        it.paidCents,
        it.isOpen ? 'open' : 'closed',
        it.lines.map(({ received }) => String(received)),
      ])
      .sort(byId),
  );
}

/** The mailbox has each predicted mail once, in the order of the acts. */
async function auditMails(world: TradingWorld): Promise<void> {
  const expected = world.mails.newest();
  const { data } = await world.askStaff('GET', '/staff/v1/mails');
  const shown = data
    .slice(0, expected.length)
    .map(({ kind, recipient, createdAt }: Data) => [kind, recipient, createdAt]);
  expect(shown).toEqual(
    expected.map(({ kind, recipient, atMs }) => [kind, recipient, new Date(atMs).toISOString()]),
  );
}

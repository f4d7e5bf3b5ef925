import { expect } from 'vitest';
import { groupBy } from '../../src/kernel/group-by.ts';
import { isCannabis, type ModelOrder, validReturns } from './order-model.ts';
import { quantityText } from './reporting-state.ts';
import type { TradingWorld } from './trading-world.ts';

/** How often the worker of reports has a turn. */
export async function reportToState(world: TradingWorld): Promise<void> {
  world.story.push('report to the state');
  await world.state.work(world.service, world.random);
}

/** What is still with the customer, by label: to the thousandth of a gram. */
function soldByLabel(order: ModelOrder): Record<string, string> {
  const parts = order.lines.filter(isCannabis).flatMap((line) => line.parts);
  const sold = [...groupBy(parts, ({ shelf }) => shelf.label!)].flatMap(([label, of]) => {
    const left = of.reduce((sum, { amount, returned }) => sum + amount - returned, 0);
    return left > 0 ? [[label, quantityText(left)] as const] : [];
  });
  return Object.fromEntries(sold);
}

/** What the goods that are still with the customer cost, without a reduction of the whole order. */
function soldCents({ lines }: ModelOrder): number {
  return lines
    .filter(isCannabis)
    .reduce((sum, { option, quantity, returned }) => sum + option.finalCents * (quantity - returned), 0);
}

/**
 * Once quiet, each order that must be reported has exactly one live receipt, equal to it to the cent and the thousandth of a gram, and
 * the stock at the state is that of the shop, or a listed difference.
 */
export async function auditState(world: TradingWorld): Promise<void> {
  const { state, service, orders } = world;
  const numbers = new Map((await world.wholeList('/staff/v1/orders')).map(({ id, number }) => [id, number]));
  const live = state.live();
  expect(live).toEqual(await state.reported(service));
  const sold = orders.filter(
    (order) => order.status === 'fulfilled' && Object.keys(soldByLabel(order)).length > 0,
  );
  const receipts = new Map(live.map((it) => [it.orderNumber, it]));
  expect(live.map(({ orderNumber }) => orderNumber)).toEqual(
    sold.map(({ id }) => numbers.get(id)).toSorted((a, b) => a - b),
  );
  for (const order of sold) {
    const { lines } = receipts.get(numbers.get(order.id))!;
    expect(Object.fromEntries(lines.map(({ label, quantity }) => [label, quantity]))).toEqual(
      soldByLabel(order),
    );
    const cents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const reducedCents = order.amounts.totalCents - order.amounts.merchandiseCents;
    expect(cents, order.id).toBeLessThanOrEqual(soldCents(order));
    expect(cents, order.id).toBeGreaterThanOrEqual(soldCents(order) - reducedCents);
    const isWhole = order.lines.every(isCannabis) && validReturns(order).length === 0;
    if (isWhole) expect(cents, order.id).toBe(order.amounts.merchandiseCents);
  }
  await expectSameStock(world);
}

async function expectSameStock(world: TradingWorld): Promise<void> {
  const { state, shelves, orders, service } = world;
  const listed = await state.listed(service);
  const ours = new Map<string, number>();
  const add = (label: string | null, amount: number) => {
    if (label !== null) ours.set(label, (ours.get(label) ?? 0) + amount);
  };
  for (const { shelf, amount } of shelves.all()) add(shelf.label, amount);
  // What an order holds has not left the shop.
  for (const { status, lines } of orders) {
    if (status !== 'new' && status !== 'packed') continue;
    for (const { parts } of lines) for (const { shelf, amount } of parts) add(shelf.label, amount);
  }
  for (const [label, amount] of ours) {
    if (listed.has(label)) continue;
    expect([label, quantityText(state.quantityOf(label))]).toEqual([label, quantityText(amount)]);
  }
}

/** Each transfer that was shipped to the shop was read in once, with its packages and prices, and is one purchase order. */
export async function auditTransfers(world: TradingWorld): Promise<void> {
  const known = await world.wholeList('/staff/v1/compliance-transfers');
  expect(known.map(({ externalId }) => externalId).toSorted()).toEqual(
    world.state.transfers.map(({ id }) => String(id)).toSorted(),
  );
  for (const { id, packages, priceCents } of world.state.transfers) {
    const transfer = known.find(({ externalId }) => externalId === String(id));
    const amounts = transfer.packages.map((it: { label: string; initialAmount: string }) => ({
      ...{ label: it.label, quantity: Number(it.initialAmount) },
    }));
    expect(amounts).toEqual(expect.arrayContaining([...packages]));
    expect(amounts).toHaveLength(packages.length);
    const lineItems = transfer.packages.map((it: { id: number }) => ({
      ...{ packageId: it.id, productId: world.shop.productId('Jar') },
    }));
    const order = () =>
      world.surely(() =>
        world.askStaff('POST', '/staff/v1/purchase-orders/from-transfer', {
          ...{ complianceTransferId: transfer.id, lineItems },
        }),
      );
    const made = await order();
    expect(made, made.text).toMatchObject({
      status: 201,
      data: { lineItems: packages.map(() => ({ subtotal: priceCents })) },
    });
    expect((await order()).data.id).toBe(made.data.id);
  }
}

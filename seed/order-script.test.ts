import { describe, expect, it } from 'vitest';
import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import { casesOf } from '../test/harness/long-suite.ts';
import { californiaShop } from './california-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import { generateOrderScript, zoneOf } from './order-script.ts';
import { purchaseCapsByState } from './order-script-caps.ts';
import { generateCustomers } from './people.ts';
import { seededRandom } from './seeded-random.ts';
import type { ScriptedOrder, ScriptSpan } from './shop-content.ts';
import { isSellable } from './stocking.ts';

const cases = [
  [californiaShop, casesOf({ everyRun: 400, long: 2500 }), casesOf({ everyRun: 960, long: 6000 }), 15 * 60],
  [michiganShop, 300, 400, 15 * 60],
  // Before opening: today has no orders yet.
  [michiganShop, 300, 400, 3 * 60],
] as const;

describe.each(
  cases.map(
    ([shop, people, count, now]) => [`${shop.slug} at minute ${now}`, shop, people, count, now] as const,
  ),
)('the order script of %s', (_name, shop, people, count, nowMinuteOfDay) => {
  const span: ScriptSpan = { days: 60, count, todayWeekday: 4, nowMinuteOfDay };
  const customers = generateCustomers(seededRandom('people'), shop, people);
  const write = () => generateOrderScript(seededRandom('orders'), shop, customers, span);
  const orders = write();
  const productByOption = new Map(
    shop.products.flatMap((product) =>
      product.options.map((option) => [option.key, { product, option }] as const),
    ),
  );
  const linesOf = (order: ScriptedOrder) =>
    order.lines.map(({ optionKey, quantity }) => ({ ...productByOption.get(optionKey)!, quantity }));

  it('is the same for the same seed', () => {
    expect(write()).toEqual(orders);
    expect(orders).toHaveLength(count);
  });

  it('runs from the oldest order to the newest, in opening hours, never past the present', () => {
    let latest = Number.NEGATIVE_INFINITY;
    for (const order of orders) {
      const placed = order.placedMinuteOfDay - order.placedDaysAgo * 1440;
      expect(placed).toBeGreaterThanOrEqual(latest);
      latest = placed;
      expect(order.placedMinuteOfDay).toBeGreaterThanOrEqual(shop.organization.opensAtMinute);
      const steps = [
        0,
        order.acceptedAfterMinutes,
        order.packedAfterMinutes,
        order.fulfilledAfterMinutes,
        order.canceledAfterMinutes,
      ].filter((step) => step !== null);
      expect(steps).toEqual([...steps].sort((one, other) => one - other));
      expect(placed + steps.at(-1)!).toBeLessThanOrEqual(nowMinuteOfDay);
      expect(order.placedMinuteOfDay + steps.at(-1)!).toBeLessThanOrEqual(shop.organization.closesAtMinute);
    }
  });

  it('took the steps of its status, each with an actor', () => {
    for (const order of orders) {
      const { status, acceptedAfterMinutes, packedAfterMinutes } = order;
      if (status === 'draft') expect(acceptedAfterMinutes).toBeNull();
      if (status === 'new') expect(acceptedAfterMinutes).not.toBeNull();
      if (status === 'packed' || status === 'fulfilled') expect(packedAfterMinutes).not.toBeNull();
      expect(order.fulfilledAfterMinutes !== null).toBe(status === 'fulfilled');
      expect(order.canceledAfterMinutes !== null).toBe(status === 'canceled');
      expect(order.cancelationReason !== null).toBe(status === 'canceled');
      expect(order.packedByStaffKey !== null).toBe(packedAfterMinutes !== null);
      expect(order.fulfilledByStaffKey !== null).toBe(status === 'fulfilled');
      expect(order.canceledByStaffKey !== null).toBe(status === 'canceled');
    }
  });

  it('has every type, source and integrator of a shop, and every open status', () => {
    const values = (pick: (order: ScriptedOrder) => string | null) => new Set(orders.map(pick));
    expect(values(({ type }) => type).size).toBe(3);
    expect(values(({ source }) => source).size).toBe(5);
    expect(values(({ integratorName }) => integratorName).size).toBe(3);
    expect(values(({ status }) => status)).toEqual(
      new Set(['draft', 'new', 'packed', 'fulfilled', 'canceled']),
    );
    const fulfilled = orders.filter(({ status }) => status === 'fulfilled').length;
    expect(fulfilled / count).toBeGreaterThan(0.85);
  });

  it('never sells more than a location had received before that day', () => {
    const stockKeyOf = (optionKey: string) => {
      const { product } = productByOption.get(optionKey)!;
      return product.inventoryType === 'product' ? product.key : optionKey;
    };
    const arrivals = [...shop.packages.filter(isSellable), ...shop.looseStock];
    const received = new Map<string, { amount: number; daysAgo: number }[]>();
    for (const { locationName, optionKey, productKey, initialAmount, receivedDaysAgo } of arrivals) {
      const key = `${locationName}/${optionKey ?? productKey}`;
      const list = received.get(key) ?? [];
      received.set(key, [...list, { amount: Number(initialAmount), daysAgo: receivedDaysAgo }]);
    }
    const sold = new Map<string, number>();
    for (const order of orders) {
      for (const { product, option, quantity } of linesOf(order)) {
        expect(product.isActive).toBe(true);
        if (product.inventoryType === 'none') continue;
        const key = `${order.locationName}/${stockKeyOf(option.key)}`;
        const need = product.inventoryType === 'product' ? option.amount * quantity : quantity;
        sold.set(key, (sold.get(key) ?? 0) + need);
        const there = received
          .get(key)!
          .filter(({ daysAgo }) => daysAgo > order.placedDaysAgo)
          .reduce((sum, { amount }) => sum + amount, 0);
        expect(sold.get(key)).toBeLessThanOrEqual(there);
      }
      expect(shop.organization.locationNames[order.type]).toContain(order.locationName);
    }
  });

  it('keeps every order minimum and delivers only to members within a zone', () => {
    for (const order of orders) {
      const merchandise = linesOf(order).reduce(
        (sum, { option, quantity }) => sum + (option.salesPriceCents ?? option.priceCents) * quantity,
        0,
      );
      const zone = order.address ? zoneOf(shop, order.address.postalCode) : undefined;
      const minimum = zone?.minimumCents ?? shop.organization.orderMinimumCents[order.type];
      expect(merchandise).toBeGreaterThanOrEqual(minimum);
      expect(zone !== undefined).toBe(order.type === 'delivery');
      if (order.customerIndex !== null) {
        expect(customers[order.customerIndex]!.joinedDaysAgo).toBeGreaterThan(order.placedDaysAgo);
      } else {
        expect(['kiosk', 'in-store']).toContain(order.source);
      }
    }
  });

  it('keeps the purchase limits of the state for every customer and day', () => {
    const typeByCategory = new Map(shop.categories.map(({ name, cannabisType }) => [name, cannabisType]));
    const bought = new Map<string, Map<CannabisType, number>>();
    for (const order of orders) {
      const key = order.customerIndex === null ? order.key : `${order.customerIndex}/${order.placedDaysAgo}`;
      const amounts = bought.get(key) ?? new Map<CannabisType, number>();
      for (const { product, option, quantity } of linesOf(order)) {
        const type = typeByCategory.get(product.categoryName)!;
        amounts.set(type, (amounts.get(type) ?? 0) + Number(option.content ?? 0) * quantity);
      }
      bought.set(key, amounts);
    }
    for (const amounts of bought.values()) {
      for (const { max, weights } of purchaseCapsByState[shop.organization.state]) {
        const total = [...amounts].reduce((sum, [type, amount]) => sum + amount * (weights[type] ?? 0), 0);
        expect(total).toBeLessThanOrEqual(max + 1e-9);
      }
    }
  });

  it('pays each order with payment types of its order type, one of them for the rest', () => {
    const typeByName = new Map(shop.paymentTypes.map((paymentType) => [paymentType.name, paymentType]));
    for (const { type, payments } of orders) {
      expect(payments.filter(({ amountCents }) => amountCents === 'remaining')).toHaveLength(1);
      expect(new Set(payments.map(({ paymentTypeName }) => paymentTypeName)).size).toBe(payments.length);
      for (const { paymentTypeName } of payments) {
        expect(type !== 'delivery' || typeByName.get(paymentTypeName)!.availableDelivery).toBe(true);
      }
    }
  });
});

it('is busier at the end of the week than at its start', () => {
  const customers = generateCustomers(seededRandom('people'), californiaShop, 2500);
  const span = { days: 56, count: 4000, todayWeekday: 7, nowMinuteOfDay: 1439 };
  const orders = generateOrderScript(seededRandom('rhythm'), californiaShop, customers, span);
  const on = (daysAgo: number) => orders.filter(({ placedDaysAgo }) => placedDaysAgo % 7 === daysAgo).length;
  expect(on(1)).toBeGreaterThan(on(6) * 1.4);
});

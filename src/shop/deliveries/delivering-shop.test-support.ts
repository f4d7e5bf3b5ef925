import { expect } from 'vitest';
import type { TestService } from '../../../test/harness/test-service.ts';
import { placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';
import { license, openReportingShop } from '../traceability/reporting-shop.test-support.ts';
import { tripPeople } from './trip-people.ts';

interface CrewWishes {
  readonly licensePlate?: string;
  readonly hasDrawer?: boolean;
  readonly sharesPosition?: boolean;
}

/** A shop with drivers that reports to a state of its own over HTTP. */
export async function openDeliveringShop(
  service: TestService,
  wishes: Parameters<typeof openReportingShop>[1] = {},
) {
  const reporting = await openReportingShop(service, {
    ...{ law: 'WY', tripPeople: tripPeople(service.context), ...wishes },
  });
  const { shop, owner, state, sql } = reporting;
  // Trips are the matter here, and not what an order comes to.
  await sql('update delivery_zones set order_minimum_cents = 0');
  const ask = async (method: string, path: string, body?: object) => {
    const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
    expect([path, error]).toEqual([path, undefined]);
    return data;
  };
  /** A packed delivery, to be paid in cash. */
  const delivery = async (lines: TradeLines, customer?: object): Promise<string> => {
    const { data, error } = await placeTrade(service, shop, lines, {
      ...{ type: 'delivery', ...(customer && { customer }) },
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    });
    expect(error).toBeUndefined();
    if (data.status === 'draft') await ask('POST', `orders/${data.id}/accept`, {});
    await ask('POST', `orders/${data.id}/pack`, {});
    return data.id;
  };
  /** A driver with a vehicle, and with a drawer if so wished. */
  const crew = async (
    name: string,
    { licensePlate = name, hasDrawer = false, sharesPosition = false }: CrewWishes = {},
  ) => {
    const staff = await service.staff(shop, 'budtender');
    const { id: inventoryLocationId } = await ask('POST', 'inventory-locations', { name, type: 'vehicle' });
    const place = { inventoryLocationId: shop.locationId('Storefront') };
    const registerId = hasDrawer ? (await ask('POST', 'registers', { name, ...place })).id : null;
    const { id: driverId } = await ask('POST', 'drivers', {
      ...{ staffId: staff.staffId, employeeNumber: 'E-1183', phone: '+15105550142' },
      ...{ registerId, sharesPosition },
    });
    await owner.call('PUT', `/staff/v1/drivers/${driverId}/license-number`, { licenseNumber: 'D1234417' });
    const van = { name, licensePlate, make: 'Ford', model: 'Transit', inventoryLocationId };
    const { id: vehicleId } = await ask('POST', 'vehicles', van);
    return { staff, driverId, vehicleId, inventoryLocationId };
  };
  /** A trip that is loaded. */
  const load = async (
    of: Awaited<ReturnType<typeof crew>>,
    orderIds: readonly string[],
    floatCents?: number,
  ) => {
    const { driverId, vehicleId } = of;
    const { id } = await ask('POST', 'trips', { driverId, vehicleId });
    await ask('PUT', `trips/${id}/stops`, { orderIds });
    let { stops } = await ask(
      'POST',
      `trips/${id}/load`,
      floatCents === undefined ? {} : { float: floatCents },
    );
    const on = (path: string, body: object = {}, by = of.staff) =>
      by.call('POST', `/staff/v1/trips/${id}/${path}`, body);
    return {
      ...{ id: id as number, on },
      stops: () => stops,
      at: (index: number, act: string, body: object = {}) => on(`stops/${stops[index].id}/${act}`, body),
      /** More orders go along from the shop. */
      restock: async (more: readonly string[]) => {
        ({ stops } = await ask('POST', `trips/${id}/restock`, { orderIds: more }));
      },
      lineAt: (index: number): number => stops[index].lines[0].lineItemId,
      read: () => ask('GET', `trips/${id}`),
      /** Everything that came back goes to the shelf; `countedCents` are in the drawer. */
      close: async (countedCents?: number) => {
        const { goods } = await ask('GET', `trips/${id}`);
        return ask('POST', `trips/${id}/close`, {
          toInventoryLocationId: shop.locationId('Storefront'),
          goods: goods.map((it: Record<string, unknown>) => ({
            ...{ productId: it.productId, productOptionId: it.productOptionId, packageId: it.packageId },
            ...{ amount: it.amount, to: 'stock' },
          })),
          ...(countedCents !== undefined && { counts: [{ paymentTypeId: null, counted: countedCents }] }),
        });
      },
    };
  };
  return {
    ...{ ...reporting, ask, delivery, crew, load },
    ledgers: () => state.world.ledgers.all(license),
    deliveries: () => state.world.deliveries.all(license),
    /** The state has what the ledger of stock has, with what open orders hold. */
    expectSameStock: async () => {
      const stock = await sql(
        `select k.label, (coalesce((select sum(b.on_hand) from stock_balances b where b.package_id = k.id), 0)
                + coalesce((select sum(f.amount) from order_line_fulfillments f join orders o on o.id = f.order_id
                             where f.package_id = k.id and o.status in ('new', 'packed')), 0))::float8 as units
           from packages k where k.label is not null order by k.label`,
      );
      for (const { label, units } of stock) {
        const there = reporting.atState(String(label)).quantity;
        expect([label, Number(there.toFixed(3))]).toEqual([label, Number(Number(units).toFixed(3))]);
      }
    },
  };
}
export type DeliveringShop = Awaited<ReturnType<typeof openDeliveringShop>>;

import { randomUUID } from 'node:crypto';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestService } from '../../../test/harness/test-service.ts';
import { createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { seededKeys, seededLicenses } from '../../hosting/state-server/seed-world.ts';
import { type StateServerWishes, startStateServer } from '../../hosting/state-server/state-server.ts';
import type { TripPeopleOf } from './lane-parts.ts';
import { createConnection } from './save-connection.ts';
import { StateClients } from './state-clients.ts';
import { StateReporter } from './state-reporter.ts';

/** A shop that reports to a state of its own over HTTP, with the clock of the test. */

export const license = seededLicenses[0];
export const labels = {
  flower: '1A4FF01000000B2000700001',
  second: '1A4FF01000000B2000700002',
  jar: '1A4FF01000000B2000700003',
};

export class Killed extends Error {}

interface Wishes {
  readonly switches?: StateServerWishes['switches'];
  readonly seed?: string;
  /** The state whose law the shop is under, by default California. */
  readonly law?: string;
  /** The state of the license, by default California: there trips are ledgers. */
  readonly state?: string;
  readonly tripPeople?: TripPeopleOf;
  readonly userKey?: string;
  /** Silence counts as that; by default ten seconds. */
  readonly answerMsMax?: number;
  /** How many days of changes a comparison reads; by default one. */
  readonly horizonDays?: number;
  /** How many reports are sent at once. */
  readonly callsAtOnce?: number;
}

/** By default the state answers at once, and its limits are not in the way. */
export async function openReportingShop(
  service: TestService,
  {
    switches,
    seed,
    userKey,
    law,
    answerMsMax,
    horizonDays,
    callsAtOnce,
    state: of = 'CA',
    tripPeople,
  }: Wishes = {},
) {
  const { clock } = service;
  let { context } = service;
  const state = await startStateServer({
    ...{ seed: seed ?? 'reports', clock, packages: 6, state: of },
    switches: { limits: '9999/9999/999/999', ...switches },
  });
  for (const [label, item, quantity] of [
    [labels.flower, 'Lantern Pre-Roll 1 g', 3],
    [labels.second, 'Lantern Pre-Roll 1 g', 10_000],
    [labels.jar, 'Fern Valley Flower', 10_000],
  ] as const) {
    state.people('add-package', { license, item, quantity, label });
  }
  const shop = await createTestShop(context, {
    ...{ state: law ?? 'CA', taxes: [{ description: 'Tax in the price', rate: '10', included: true }] },
    products: [
      {
        key: 'Moonlit Grove',
        options: [{ key: 'roll', amount: '1', priceCents: 1_299 }],
        stock: [
          { option: 'roll', amount: '3', label: labels.flower, receivedDaysAgo: 9 },
          { option: 'roll', amount: '10000', label: labels.second, receivedDaysAgo: 2 },
        ],
      },
      {
        key: 'Counter Jar',
        ...{ unit: 'gram', inventoryType: 'product' },
        options: [{ key: 'gram', amount: '1.234', priceCents: 1_117 }],
        stock: [{ amount: '10000', label: labels.jar }],
      },
      {
        key: 'Rolling Tray',
        ...{ category: 'Accessories', inventoryType: 'none' },
        options: [{ key: 'tray', priceCents: 1_250 }],
      },
    ],
  });
  const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
  await sql(`update packages set unit = 'Grams' where label = '${labels.jar}'`);
  const connectionId = await createConnection(context, testOrigin, shop.organizationId, {
    ...{ inventoryLocationId: null, state: of as 'CA', isSandbox: false, licenseNumber: license },
    ...{ userKey: userKey ?? seededKeys.user, isOn: true },
  });
  const dying: { at: number; beat: string | null } = { at: Number.POSITIVE_INFINITY, beat: null };
  let beats = 0;
  const clientsOn = () =>
    new StateClients({
      ...{ context, tokens: null, answerMsMax: answerMsMax ?? 10_000 },
      access: { vendorKey: seededKeys.vendor, url: state.url },
    });
  let clients = clientsOn();
  const reporter = () =>
    new StateReporter({
      ...{
        context,
        clients,
        horizonDays: horizonDays ?? 1,
        ...(callsAtOnce !== undefined && { callsAtOnce }),
        withWork: async () => [],
        logger: { error: () => {} },
        ...(tripPeople && { tripPeople }),
      },
      beat: (name) => {
        beats += 1;
        if (beats < dying.at && name !== dying.beat) return;
        dying.at = Number.POSITIVE_INFINITY;
        dying.beat = null;
        throw new Killed(name);
      },
    });
  let worker = reporter();
  const owner = await service.staff(shop);
  /** One turn of work; another worker goes on after one that died. */
  const pass = async (): Promise<boolean> => {
    try {
      await worker.pass(shop.organizationId);
      return true;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      worker = reporter();
      return false;
    }
  };
  const sell = async (lines: readonly (readonly [option: string, quantity: number])[]) => {
    const placed = await owner.call('POST', '/staff/v1/orders', {
      type: 'in-store',
      lineItems: lines.map(([option, quantity]) => ({ productOptionId: shop.optionId(option), quantity })),
      idempotencyKey: randomUUID(),
      customer: {
        ...{ firstName: 'Marisol', lastName: 'Okafor', birthday: '1980-01-01' },
        email: `${randomUUID()}@customers.example.com`,
      },
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    });
    if (placed.status >= 300) throw new Error(placed.text);
    const { id } = placed.data;
    const fulfilled = await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, {});
    if (fulfilled.status >= 300) throw new Error(fulfilled.text);
    return fulfilled.data;
  };
  const takeBack = async (
    orderId: string,
    orderLineItemId: number,
    quantity: number,
    inventoryAction: 'inventory' | 'waste' = 'inventory',
  ): Promise<number> => {
    const returned = await owner.call('POST', `/staff/v1/orders/${orderId}/returns`, {
      ...{
        refundType: 'payment-method',
        paymentTypeId: shop.paymentTypeId('Cash'),
        idempotencyKey: randomUUID(),
      },
      lineItems: [
        {
          orderLineItemId,
          quantity,
          type: 'return',
          inventoryAction,
          reason: 'Changed their mind',
        },
      ],
    });
    if (returned.status >= 300) throw new Error(returned.text);
    return returned.data.id;
  };
  /** Resolves to the units that are sold again. */
  const undoReturn = async (id: number): Promise<number> => {
    const undone = await owner.call('POST', `/staff/v1/order-returns/${id}/void`, { reason: 'By mistake' });
    if (undone.status >= 300) throw new Error(undone.text);
    return undone.data.lineItems[0].quantity;
  };
  /** Adds to a package, or takes away. */
  const adjust = async (label: string, delta: number): Promise<void> => {
    const [item] = await sql(
      `select b.product_id, b.product_option_id, b.package_id, b.inventory_location_id
         from stock_balances b join packages k on k.id = b.package_id where k.label = '${label}'`,
    );
    const adjusted = await owner.call('POST', '/staff/v1/inventory-adjustments', {
      ...{ productId: item!.product_id, packageId: item!.package_id, delta: String(delta) },
      ...(Number(item!.product_option_id) !== 0 && { productOptionId: item!.product_option_id }),
      ...{
        inventoryLocationId: item!.inventory_location_id,
        reason: 'Counted',
        idempotencyKey: randomUUID(),
      },
    });
    if (adjusted.status >= 300) throw new Error(adjusted.text);
  };
  const reports = () =>
    sql(
      'select id, kind, order_id, revision, state, problem, attempts, external_number, payload, state_record_id from state_reports order by id',
    );
  return {
    ...{
      state,
      shop,
      owner,
      sell,
      takeBack,
      undoReturn,
      adjust,
      pass,
      reports,
      sql,
      connectionId,
      dying,
      clock,
    },
    get clients() {
      return clients;
    },
    /** From now on it works with another copy of its data. */
    restored: async (other: TestService) => {
      clients.close();
      context = other.context;
      clients = clientsOn();
      worker = reporter();
    },
    die: (atBeat: number) => {
      dying.at = beats + atBeat;
    },
    /** What the state has in a package. */
    atState: (label: string) => state.world.packages.all(license).find((it) => it.label === label)!,
    /** The live receipts of the state. */
    live: () => state.world.receipts.all(license).filter(({ voidedDate }) => voidedDate === null),
    close: async () => {
      clients.close();
      await state.close();
    },
  };
}
export type ReportingShop = Awaited<ReturnType<typeof openReportingShop>>;

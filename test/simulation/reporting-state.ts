import type { SeededRandom } from '../../seed/seeded-random.ts';
import type { ReceiptContent } from '../../src/engines/state-reports/receipt-of-sale.ts';
import type { Fault } from '../../src/hosting/state-server/fault-plan.ts';
import { seededKeys, seededLicenses, supplierLicense } from '../../src/hosting/state-server/seed-world.ts';
import { type StateServer, startStateServer } from '../../src/hosting/state-server/state-server.ts';
import type { ManualClock } from '../../src/kernel/clock.ts';
import { decimal } from '../../src/kernel/decimal.ts';
import { answerDifference } from '../../src/shop/traceability/answer-difference.ts';
import { listDifferences } from '../../src/shop/traceability/list-differences.ts';
import { sendAgain } from '../../src/shop/traceability/settle-report.ts';
import { createConnection, StateClients, StateReporter } from '../../src/shop/traceability/traceability.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';

const [license] = seededLicenses;
/** The state's items of goods by weight, and of goods that are counted. */
const items = { Grams: 'Fern Valley Flower', Each: 'Meadow Gummies 100 mg' } as const;

const faultKinds: readonly Fault['kind'][] = [
  ...(['commit-then-500', 'commit-then-close', 'close', 'html', 'internal-400'] as const),
  ...(['double-write', 'partial-list', 'double-rows', 'moving-pages', 'status'] as const),
];
const faultPlaces = ['POST /sales/v2/receipts', '* /sales/v2/receipts*', 'GET *', '*', 'DELETE *', 'PUT *'];

/** A supplier ships goods so many times in a year, before each of these turns of the worker. */
const turnsBetweenTransfers = 3;
const transfersMax = 3;
const transferPrice = 240;

class Killed extends Error {}

/** A transfer that a supplier has sent on its way. */
export interface ShippedTransfer {
  readonly id: number;
  /** By label. */
  readonly packages: readonly { readonly label: string; readonly quantity: number }[];
  /** The price of each package. */
  readonly priceCents: number;
}

/** A live receipt at the state, or what the state should have. */
export interface LiveReceipt {
  readonly orderNumber: number;
  readonly lines: readonly {
    readonly label: string;
    readonly quantity: string;
    readonly amountCents: number;
  }[];
}

/** To the thousandth of a gram. */
export const quantityText = (quantity: string | number): string => decimal(quantity).round(3, 1).toFixed();

/** The system of the state that a simulated shop reports to, over HTTP on its clock, and the worker that reports. */
export class ReportingState {
  readonly #server: StateServer;
  readonly #shop: TestShop;
  /** Who answers differences. */
  readonly #staffId: number;
  #worker: { readonly service: TestService; readonly clients: StateClients; reporter: StateReporter } | null =
    null;
  #beatsLeft = Number.POSITIVE_INFINITY;
  /** How often the worker was killed. */
  kills = 0;
  readonly transfers: ShippedTransfer[] = [];
  #turns = 0;

  private constructor(server: StateServer, shop: TestShop, staffId: number) {
    this.#server = server;
    this.#shop = shop;
    this.#staffId = staffId;
  }

  static async open(
    { context }: TestService,
    clock: ManualClock,
    seed: number,
    shop: TestShop,
    staffId: number,
  ): Promise<ReportingState> {
    const switches = { limits: '9999/9999/999/999' };
    const server = await startStateServer({ seed: `${seed}`, clock, packages: 1, switches });
    // It hears of deliveries by their receipts: src/shop/deliveries/trip-schedules.test.ts reports trips, with faults and deaths.
    const flags = {
      RetailerDelivery: false,
      CanDeliverSalesToConsumers: false,
      CanDeliverSalesToPatients: false,
    };
    server.people('set-flags', { license, flags });
    await createConnection(context, testOrigin, shop.organizationId, {
      ...{ inventoryLocationId: null, state: 'CA', isSandbox: false, licenseNumber: license },
      ...{ userKey: seededKeys.user, isOn: true },
    });
    const state = new ReportingState(server, shop, staffId);
    await state.#sql(
      context,
      "update state_connections set adjustment_reason = 'Entry Error', waste_reason = 'Waste'",
    );
    return state;
  }

  /** A package comes to the shop on the state's website. */
  add(label: string, unit: 'Grams' | 'Each', quantity: number): void {
    this.#server.people('add-package', { license, item: items[unit], quantity, label });
  }

  /** More of a package comes. */
  more(label: string, amount: number): void {
    this.#server.people('adjust-package', { label, quantity: this.quantityOf(label) + amount });
  }

  quantityOf(label: string): number {
    return this.#server.world.packages.all(license).find((it) => it.label === label)!.quantity;
  }

  /** A turn of the worker; sometimes the state answers badly, and sometimes the worker dies on the way. */
  async work(service: TestService, random: SeededRandom): Promise<void> {
    if (random.chance(0.3)) {
      this.#server.faults.plan({
        ...{ kind: random.pick(faultKinds), at: random.pick(faultPlaces), after: random.integer(0, 3) },
        ...{ times: random.integer(1, 3), status: random.pick([401, 413, 429, 500, 503, 200]) },
      });
    }
    if (random.chance(0.15)) this.#beatsLeft = random.integer(1, 12);
    if (this.#turns % turnsBetweenTransfers === 0 && this.transfers.length < transfersMax) this.#ship();
    this.#turns += 1;
    await this.#pass(service);
  }

  /** A supplier ships two packages to the shop. */
  #ship(): void {
    const { packages } = this.#server.world;
    const shipped = [120, 80].map((quantity) => {
      const made = { license: supplierLicense, item: items.Grams, quantity };
      const { label } = packages.byId(this.#server.people('add-package', made))!;
      return { label, quantity };
    });
    const sent = { license, labels: shipped.map(({ label }) => label), price: transferPrice };
    const id = this.#server.people('ship-transfer', sent);
    this.transfers.push({ id, packages: shipped, priceCents: 100 * transferPrice });
  }

  async #pass(service: TestService): Promise<void> {
    const { reporter } = this.#workerOf(service);
    try {
      await reporter.pass(this.#shop.organizationId);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.kills += 1;
      this.#worker = null;
    }
  }

  /** Faults end, and people settle what waits for them: reports that were refused, and differences of stock. */
  async settle(service: TestService, clock: ManualClock): Promise<void> {
    const { context } = service;
    const { organizationId: of } = this.#shop;
    this.#server.faults.clear();
    this.#beatsLeft = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 24; round++) {
      clock.advance(31 * 60_000);
      await this.#pass(service);
      const open = await this.#sql(
        context,
        "select id, state from state_reports where state in ('waiting', 'sending', 'unknown', 'refused')",
      );
      const differences = await listDifferences(context, of);
      const wrong = differences.flatMap(({ stateReportId }) => stateReportId ?? []);
      const stock = differences.filter(({ packageId, answers }) => packageId !== null && answers.length > 0);
      if (open.length === 0 && wrong.length === 0 && stock.length === 0 && round > 1) return;
      const refused = open.filter(({ state }) => state === 'refused').map(({ id }) => Number(id));
      const latest = await this.#sql(
        context,
        'select distinct on (coalesce(order_id::text, id::text)) id from state_reports order by coalesce(order_id::text, id::text), revision desc',
      );
      const isLatest = (id: number) => latest.some((it) => Number(it.id) === id);
      for (const id of [...refused, ...wrong].filter(isLatest)) await sendAgain(context, testOrigin, of, id);
      // Receipts explain packages, so they come first.
      if (open.length > 0 || wrong.length > 0) continue;
      for (const { stateConnectionId, kind, ours, theirs, label } of stock) {
        await answerDifference(context, testOrigin, of, this.#staffId, {
          ...{ stateConnectionId, kind, ours, theirs, subject: label!, note: 'Counted again' },
          answer: 'we-are-right',
        });
      }
    }
    const reports = await this.#sql(context, "select * from state_reports where state <> 'done'");
    throw new Error(`The reports are never quiet: ${JSON.stringify(reports)}`);
  }

  live(): LiveReceipt[] {
    const live = this.#server.world.receipts.all(license).filter(({ voidedDate }) => voidedDate === null);
    return sorted(
      live.map((it) => ({
        orderNumber: Number(it.external!.split('-')[0]),
        lines: it.lines.map(({ sent, quantity, amount }) => ({
          ...{ label: String(sent.PackageLabel), quantity: quantityText(quantity) },
          amountCents: Math.round(amount * 100),
        })),
      })),
    );
  }

  /** What the newest report of each order says; nothing for those that say that nothing was sold. */
  async reported({ context }: TestService): Promise<LiveReceipt[]> {
    const latest = await this.#sql(
      context,
      `select distinct on (order_id) order_number, payload from state_reports
        where order_id is not null order by order_id, revision desc`,
    );
    return sorted(
      latest.map(({ order_number: orderNumber, payload }) => ({
        orderNumber: Number(orderNumber),
        lines: (JSON.parse(payload) as ReceiptContent).lines.map(({ label, quantity, amountCents }) => ({
          ...{ label, amountCents, quantity: quantityText(quantity) },
        })),
      })),
    ).filter(({ lines }) => lines.length > 0);
  }

  /** The labels whose stock is listed as different. */
  async listed({ context }: TestService): Promise<ReadonlySet<string>> {
    const differences = await listDifferences(context, this.#shop.organizationId);
    return new Set(differences.flatMap(({ label }) => label ?? []));
  }

  async close(): Promise<void> {
    this.#worker?.clients.close();
    await this.#server.close();
  }

  /** The worker of the process that runs now: another one goes on after one that ended. */
  #workerOf(service: TestService) {
    if (this.#worker?.service === service) return this.#worker;
    this.#worker?.clients.close();
    const { context } = service;
    const access = { vendorKey: seededKeys.vendor, url: this.#server.url };
    const clients = new StateClients({ context, tokens: null, answerMsMax: 10_000, access });
    const reporter = new StateReporter({
      ...{ context, clients, horizonDays: 1, withWork: async () => [], logger: { error: () => {} } },
      beat: (name) => {
        this.#beatsLeft -= 1;
        if (this.#beatsLeft >= 0) return;
        this.#beatsLeft = Number.POSITIVE_INFINITY;
        throw new Killed(name);
      },
    });
    this.#worker = { service, clients, reporter };
    return this.#worker;
  }

  #sql({ database }: TestService['context'], text: string) {
    return tenantSql(database, this.#shop.organizationId, text);
  }
}

/** By order, and each by label. */
export function sorted(receipts: readonly LiveReceipt[]): LiveReceipt[] {
  return receipts
    .map((it) => ({ ...it, lines: it.lines.toSorted((a, b) => (a.label < b.label ? -1 : 1)) }))
    .toSorted((a, b) => a.orderNumber - b.orderNumber);
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import { proveStaffSession, startSession } from '../../src/access/sessions/sessions.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { startOwnTestService, type TestReply, type TestService } from '../harness/test-service.ts';
import { testOrigin } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { CostModel } from './cost-model.ts';
import { type Fleet, openFleet } from './fleet.ts';
import { MailModel } from './mail-model.ts';
import { MortalWorkers } from './mortal-workers.ts';
import type { Account, ModelOrder } from './order-model.ts';
import { MoneyModel } from './payment-model.ts';
import { PaymentProviders } from './payment-providers.ts';
import { ReportingState } from './reporting-state.ts';
import { laySeverableWire, type SeverableWire } from './severable-wire.ts';
import { type Shelf, ShelfModel } from './shelf-model.ts';
import { SignInModel } from './sign-in-model.ts';
import {
  locations,
  openingCostCents,
  openingStock,
  openSimulatedShop,
  type PlaceName,
  type PlayedSandbox,
  type SimulatedShop,
  type SoldOption,
  soldOptions,
  timeZone,
  unitOf,
  van,
} from './simulated-shop.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const startMs = Date.parse('2026-01-02T18:00:00.000Z');
/** The longest range of a report. */
const endMs = startMs + 364 * dayMs;
/** The largest age of a cache. */
const keptMs = 1000;
/** Where clocks jump in the time zone of the shop. */
const clockJumps = ['2026-03-08T10:00:00.000Z', '2026-11-01T09:00:00.000Z'].map((at) => Date.parse(at));

/** A new process has the same, so codes of customers stay good. */
const documentMasterKeys = [randomBytes(32)];

/** A session ends after this time without use (docs/PRODUCT.md); the last use is known to a minute. */
const idleMsMax = 12 * hourMs;
const ageMsMax = 30 * dayMs;
const slackMs = 2 * 60_000;

const crashChance = 0.04;
const localDay = new Intl.DateTimeFormat('en-CA', { timeZone });

interface PurchaseLine {
  readonly id: number;
  readonly productId: number;
  readonly optionId: number;
  readonly amount: number;
  readonly costCents: number;
  received: number;
}

export interface Purchase {
  readonly id: number;
  readonly lines: readonly PurchaseLine[];
  paidCents: number;
  isOpen: boolean;
}

/** An answered request, which can be repeated. */
interface Answered {
  readonly path: string;
  /** Index of the integrator; null: the staff. */
  readonly integrator: number | null;
  readonly body: { readonly idempotencyKey: string };
  readonly reply: TestReply;
}

/** How often a server dies on a request, and on which of its round trips to the database. */
interface CrashOdds {
  readonly random?: SeededRandom;
  readonly chance?: number;
  readonly roundTripsMax?: number;
}

/** A trading service, its predictions, and the clients that send requests. */
export class TradingWorld {
  readonly random: SeededRandom;
  /** What draws from it leaves the story as it is, however often the world is audited. */
  readonly asideRandom: SeededRandom;
  readonly shelves = new ShelfModel();
  readonly costs = new CostModel();
  readonly orders: ModelOrder[] = [];
  /** Those whose money a driver has handed in. */
  readonly inClosedDrawers = new Set<ModelOrder>();
  readonly accounts = new Map<string, Account>();
  readonly purchases: Purchase[] = [];
  readonly money = new MoneyModel();
  readonly answered: Answered[] = [];
  /** The history, for the failure message. */
  readonly story: string[] = [];
  crashes = 0;
  /** Trips that came back. */
  trips = 0;
  /** The numbers of the products' pictures, by product; other products have their initial pictures. */
  readonly photos = new Map<string, readonly number[]>();
  nextPhoto = 0;
  /** Whether jobs that fetch pictures may remain. */
  photosAreWaiting = false;
  readonly workers: MortalWorkers;
  readonly clock: ManualClock;
  readonly #database: TestDatabase;
  readonly mails = new MailModel();
  readonly signIns = new SignInModel();
  readonly sandbox: PlayedSandbox = { standsAtMs: null, orderIds: [] };
  readonly #wire: SeverableWire;
  readonly #dataFolder: string;
  readonly #meanStepMs: number;
  #service: TestService;
  #shop!: SimulatedShop;
  #providers!: PaymentProviders;
  #state!: ReportingState;
  #fleet!: Fleet;
  #staffId = 0;
  #session = { token: '', startedAtMs: 0, usedAtMs: 0 };

  private constructor(
    seed: number,
    stepCount: number,
    database: TestDatabase,
    wire: SeverableWire,
    dataFolder: string,
    workers: MortalWorkers,
    service: TestService,
  ) {
    this.random = seededRandom(`trading ${seed}`);
    this.asideRandom = seededRandom(`aside ${seed}`);
    this.#meanStepMs = (endMs - startMs) / stepCount;
    this.#database = database;
    this.#wire = wire;
    this.#dataFolder = dataFolder;
    this.workers = workers;
    this.#service = service;
    this.clock = service.clock;
  }

  static async open(seed: number, stepCount: number): Promise<TradingWorld> {
    const database = await createTestDatabase();
    const wire = await laySeverableWire(database.serving);
    const dataFolder = mkdtempSync(join(tmpdir(), 'trading-'));
    const service = await startOwnTestService({
      clock: new ManualClock(startMs),
      database: { ...database, serving: wire.connection },
      dataFolder,
      documentMasterKeys,
    });
    const workers = await MortalWorkers.open(database, dataFolder);
    const world = new TradingWorld(seed, stepCount, database, wire, dataFolder, workers, service);
    world.#shop = await openSimulatedShop(service);
    const owner = await service.staff(world.#shop.shop);
    const all = { receipts: true, ready: true, outForDelivery: true, canceled: true };
    expect((await owner.call('PATCH', '/staff/v1/organization', { customerMails: all })).status).toBe(200);
    world.#staffId = owner.staffId;
    world.#session = { token: owner.token, startedAtMs: startMs, usedAtMs: startMs };
    world.#providers = await PaymentProviders.open(service.clock, seed, world.shop, owner);
    world.#fleet = await openFleet(world.shop, owner);
    world.#state = await ReportingState.open(service, service.clock, seed, world.shop, owner.staffId);
    await world.#layOpeningStock();
    return world;
  }

  get service(): TestService {
    return this.#service;
  }

  get shop() {
    return this.#shop.shop;
  }

  /** The terminal and the bank. */
  get providers(): PaymentProviders {
    return this.#providers;
  }

  /** The system of the state. */
  get state(): ReportingState {
    return this.#state;
  }

  /** The van, and who drives it. */
  get fleet(): Fleet {
    return this.#fleet;
  }

  get nowMs(): number {
    return this.clock.now();
  }

  get integratorCount(): number {
    return this.#shop.keys.length;
  }

  /** The day in the shop's time zone. */
  dayOf(atMs: number = this.nowMs): string {
    return localDay.format(atMs);
  }

  itemOf(option: SoldOption): { readonly productId: number; readonly optionId: number } {
    return {
      productId: this.shop.productId(option.product),
      optionId: option.kept === 'option' ? this.shop.optionId(option.name) : 0,
    };
  }

  /** The fields that name a shelf in a request. */
  named({ productId, optionId, label }: Omit<Shelf, 'location'>) {
    return {
      productId,
      productOptionId: optionId || null,
      packageId: label === null ? null : this.shelves.packages.get(label)!.id,
    };
  }

  locationNamed(id: number): PlaceName {
    return id === this.fleet.locationId ? van : locations.find((name) => this.shop.locationId(name) === id)!;
  }

  placeId(name: PlaceName): number {
    return name === van ? this.fleet.locationId : this.shop.locationId(name);
  }

  uuid(): string {
    const hex = (length: number) =>
      Array.from({ length }, () => this.random.integer(0, 15).toString(16)).join('');
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  }

  /**
   * Advances the time by a minute or by days. It stops at each turning point and a second before, and sometimes goes
   * back, as when a machine's clock is corrected. Returns whether it stopped at a turning point.
   */
  advance(): boolean {
    const { random, nowMs } = this;
    if (random.chance(0.02)) {
      this.clock.set(Math.max(startMs, nowMs - random.integer(1, 600_000)));
      return false;
    }
    const toMs = Math.min(endMs, nowMs + 1 + Math.floor(random.next() ** 3 * 4 * this.#meanStepMs));
    const turn = this.#turns()
      .flatMap((atMs) => [atMs - keptMs, atMs])
      .filter((atMs) => nowMs < atMs && atMs <= toMs)
      .sort((a, b) => a - b)[0];
    this.clock.set(turn ?? Math.max(toMs, nowMs + 1));
    return turn !== undefined;
  }

  /** The turning points: clock changes, and the end of a package's last day. */
  #turns(): number[] {
    const expiries = [...this.shelves.packages.values()].flatMap(({ expires }) => expires ?? []);
    return [...clockJumps, ...expiries.map((day) => this.#endOf(day))];
  }

  /** The midnight after a local day: the first whole hour of another one. */
  #endOf(day: string): number {
    let atMs = Date.parse(`${day}T12:00:00.000Z`) + 12 * hourMs;
    while (this.dayOf(atMs) <= day) atMs += hourMs;
    return atMs;
  }

  async askStaff(method: string, path: string, body?: object): Promise<TestReply> {
    await this.#keepSession();
    const reply = await this.service.call(method, path, {
      headers: bearerHeader(this.#session.token),
      ...(body !== undefined && { body }),
    });
    this.#session.usedAtMs = this.nowMs;
    return reply;
  }

  askIntegrator(integrator: number, method: string, path: string, body?: object): Promise<TestReply> {
    return this.service.call(method, path, {
      keys: this.#shop.keys[integrator]!,
      ...(body !== undefined && { body }),
    });
  }

  /** Asks as a page of the web shop. */
  askWebShop(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestReply> {
    const { keys, headers: ofPage } = this.#shop.page;
    return this.service.call(method, path, {
      ...{ keys, headers: { ...ofPage, ...headers } },
      ...(body !== undefined && { body }),
    });
  }

  /** Asks with the keys of the sandbox. */
  askSandbox(method: string, path: string, body?: object): Promise<TestReply> {
    return this.service.call(method, path, {
      keys: this.#shop.sandboxKeys,
      ...(body !== undefined && { body }),
    });
  }

  /**
   * Sends a request that must take effect once. Sometimes the server dies on it, before any effect, in the middle, or
   * after the effect without an answer. The client then checks with `landed` whether it has happened, and repeats it
   * if not; by default it repeats without a check, as with an idempotency key.
   */
  async surely(
    ask: () => Promise<TestReply>,
    landed: () => Promise<TestReply | null> = async () => null,
    { random = this.random, chance = crashChance, roundTripsMax = 6 }: CrashOdds = {},
  ): Promise<TestReply> {
    if (!random.chance(chance)) return ask();
    const [batch, side] = [random.integer(1, roundTripsMax), random.pick(['before', 'after'] as const)];
    // The server must not die on the sign-in. Who has other odds is an integrator, and draws nothing of the year's own.
    if (random === this.random) await this.#keepSession();
    this.#wire.severAt(batch, side);
    const reply = await ask();
    if (!this.#wire.mend()) return reply;
    this.story.push(`crash ${side} batch ${batch}, answered ${reply.status}`);
    expect(reply).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    await this.die();
    return (await landed()) ?? ask();
  }

  remember(answered: Answered): void {
    this.answered.push(answered);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.#providers?.close();
    await this.#state?.close();
    await this.workers.close();
    await this.#wire.close();
    await this.#database.drop();
    rmSync(this.#dataFolder, { recursive: true });
  }

  /** The process ends, and a new one starts on the same database: its caches are empty. */
  async die(): Promise<void> {
    this.crashes++;
    await this.service.close();
    this.#service = await startOwnTestService({
      clock: this.clock,
      database: { ...this.#database, serving: this.#wire.connection },
      dataFolder: this.#dataFolder,
      documentMasterKeys,
    });
  }

  /** Signs in again when the session has ended, and sometimes checks first that it has. */
  async #keepSession(): Promise<void> {
    const { nowMs } = this;
    const { token, startedAtMs, usedAtMs } = this.#session;
    const idleMs = nowMs - usedAtMs;
    const ageMs = nowMs - startedAtMs;
    if (idleMs < idleMsMax - slackMs && ageMs < ageMsMax) return;
    if (idleMs >= idleMsMax && this.asideRandom.chance(0.1)) {
      const refused = await this.service.call('GET', '/staff/v1/orders', { headers: bearerHeader(token) });
      expect(refused.status).toBe(401);
    }
    const { context } = this.service;
    const session = await startSession(
      context,
      'production',
      testOrigin,
      this.shop.organizationId,
      this.#staffId,
    );
    // A member who proves each time, however long the session is.
    const proven = proveStaffSession({ id: session.sessionId, at: '2200-01-01T00:00:00.000Z' });
    await context.database.write(this.shop.organizationId, async (tx) => tx.queue(proven));
    this.#session = { token: session.token, startedAtMs: nowMs, usedAtMs: nowMs };
  }

  async #layOpeningStock(): Promise<void> {
    for (const option of soldOptions) {
      if (option.kept !== 'none') this.costs.set(this.itemOf(option), openingCostCents[option.kept]);
    }
    const ids = await this.packageIds();
    await tenantSql(
      this.service.context.database,
      this.shop.organizationId,
      "update packages set unit = 'Grams' where product_id = $1",
      this.shop.productId('Jar'),
    );
    for (const { product, option, location, label, amount, receivedDaysAgo, expires } of openingStock) {
      const item = {
        productId: this.shop.productId(product),
        optionId: option === null ? 0 : this.shop.optionId(option),
      };
      const receivedAtMs = startMs - receivedDaysAgo * dayMs;
      if (label !== null) {
        this.state.add(label, unitOf(product), amount);
        this.shelves.packages.set(label, { ...item, id: ids.get(label)!, receivedAtMs, expires });
      }
      this.shelves.move({ ...item, location, label }, amount, 'received');
    }
  }

  /** The ids of packages by label. */
  async packageIds(): Promise<ReadonlyMap<string, number>> {
    const levels = await this.levels();
    return new Map(levels.flatMap((it) => (it.packageId === null ? [] : [[it.packageLabel, it.packageId]])));
  }

  /** All stock, as staff see it. */
  levels(): Promise<TestReply['data'][]> {
    return this.wholeList('/staff/v1/inventory');
  }

  /** All pages of one of the staff's lists. */
  async wholeList(path: string): Promise<TestReply['data'][]> {
    const all: TestReply['data'][] = [];
    for (let query = ''; ; query = `?startingAfter=${all.at(-1).id}`) {
      const { status, data } = await this.askStaff('GET', `${path}${query}`);
      expect(status).toBe(200);
      if (data.length === 0) return all;
      all.push(...data);
    }
  }
}

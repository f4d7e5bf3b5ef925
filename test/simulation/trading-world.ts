import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SeededRandom, seededRandom } from '../../seed/seeded-random.ts';
import { startSession } from '../../src/access/organizations.ts';
import { ManualClock } from '../../src/kernel/clock.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { startTestService, type TestReply, type TestService } from '../harness/test-service.ts';
import { testOrigin } from '../harness/test-shop.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { CostModel } from './cost-model.ts';
import { MortalWorkers } from './mortal-workers.ts';
import type { Account, ModelOrder } from './order-model.ts';
import { laySeverableWire, type SeverableWire } from './severable-wire.ts';
import { type Shelf, ShelfModel } from './shelf-model.ts';
import {
  type LocationName,
  locations,
  openingCostCents,
  openingStock,
  openSimulatedShop,
  type SimulatedShop,
  type SoldOption,
  soldOptions,
  timeZone,
} from './simulated-shop.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const startMs = Date.parse('2026-01-02T18:00:00.000Z');
/** A year of reports is at most so long. */
const endMs = startMs + 364 * dayMs;
/** What a service knows by heart is at most so old. */
const keptMs = 1000;
/** Where clocks jump in the time zone of the shop. */
const clockJumps = ['2026-03-08T10:00:00.000Z', '2026-11-01T09:00:00.000Z'].map((at) => Date.parse(at));

/** A session ends after so long without use (docs/PRODUCT.md); it is known to a minute when it was used. */
const idleMsMax = 12 * hourMs;
const ageMsMax = 30 * dayMs;
const slackMs = 2 * 60_000;

const crashChance = 0.04;
const localDay = new Intl.DateTimeFormat('en-CA', { timeZone });

export interface PurchaseLine {
  readonly id: number;
  readonly productId: number;
  readonly optionId: number;
  readonly costCents: number;
  received: number;
}

export interface Purchase {
  readonly id: number;
  readonly lines: readonly PurchaseLine[];
  readonly costCents: number;
  paidCents: number;
  isOpen: boolean;
}

/** A request that was answered, by which it can be asked again. */
export interface Answered {
  readonly path: string;
  /** Index of the integrator; null: the staff. */
  readonly integrator: number | null;
  readonly body: { readonly idempotencyKey: string };
  readonly reply: TestReply;
}

/** A service that trades, all that was predicted of it, and the ways to ask it. */
export class TradingWorld {
  readonly random: SeededRandom;
  readonly shelves = new ShelfModel();
  readonly costs = new CostModel();
  readonly orders: ModelOrder[] = [];
  readonly accounts = new Map<string, Account>();
  readonly purchases: Purchase[] = [];
  readonly answered: Answered[] = [];
  /** What happened, for whoever reads of a failure. */
  readonly story: string[] = [];
  crashes = 0;
  /** The numbers of the pictures that products were given, by product; those of others are what they began with. */
  readonly photos = new Map<string, readonly number[]>();
  nextPhoto = 0;
  /** Whether jobs may be left that fetch some. */
  photosAreWaiting = false;
  readonly workers: MortalWorkers;
  readonly clock: ManualClock;
  readonly #database: TestDatabase;
  readonly #wire: SeverableWire;
  readonly #dataFolder: string;
  readonly #meanStepMs: number;
  #service: TestService;
  #shop!: SimulatedShop;
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
    const service = await startTestService({
      clock: new ManualClock(startMs),
      database: { ...database, serving: wire.connection },
      dataFolder,
    });
    const workers = await MortalWorkers.open(database, dataFolder);
    const world = new TradingWorld(seed, stepCount, database, wire, dataFolder, workers, service);
    world.#shop = await openSimulatedShop(service);
    const owner = await service.staff(world.#shop.shop);
    world.#staffId = owner.staffId;
    world.#session = { token: owner.token, startedAtMs: startMs, usedAtMs: startMs };
    await world.#layOpeningStock();
    return world;
  }

  get service(): TestService {
    return this.#service;
  }

  get shop() {
    return this.#shop.shop;
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

  /** What a request calls a shelf. */
  named({ productId, optionId, label }: Omit<Shelf, 'location'>) {
    return {
      productId,
      productOptionId: optionId || null,
      packageId: label === null ? null : this.shelves.packages.get(label)!.id,
    };
  }

  locationNamed(id: number): LocationName {
    return locations.find((name) => this.shop.locationId(name) === id)!;
  }

  uuid(): string {
    const hex = (length: number) =>
      Array.from({ length }, () => this.random.integer(0, 15).toString(16)).join('');
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  }

  /**
   * Time goes on: by a minute or by days, never past a turn of things without stopping at it and a second before;
   * and once in a while, as when a machine's clock is set right, back. Tells whether it stopped at a turn.
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

  /** When clocks jump, and when the last day of a package is over. */
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

  /**
   * Asks for something that is to happen once. Once in a while the server dies on it, before it has done anything, in the
   * middle or when all is done and not told; whoever asked then finds out by `landed` whether it has happened, and
   * asks again if not: by default without looking, as one does who has an idempotency key.
   */
  async surely(
    ask: () => Promise<TestReply>,
    landed: () => Promise<TestReply | null> = async () => null,
  ): Promise<TestReply> {
    if (!this.random.chance(crashChance)) return ask();
    const [batch, side] = [this.random.integer(1, 6), this.random.pick(['before', 'after'] as const)];
    // Signing in is not what it is to die on.
    await this.#keepSession();
    this.#wire.severAt(batch, side);
    const reply = await ask();
    if (!this.#wire.mend()) return reply;
    this.story.push(`crash ${side} batch ${batch}, answered ${reply.status}`);
    expect(reply).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
    await this.#restart();
    return (await landed()) ?? ask();
  }

  remember(answered: Answered): void {
    this.answered.push(answered);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.workers.close();
    await this.#wire.close();
    await this.#database.drop();
    rmSync(this.#dataFolder, { recursive: true });
  }

  /** A new process on the same database: what the old one kept in mind is gone. */
  async #restart(): Promise<void> {
    this.crashes++;
    await this.service.close();
    this.#service = await startTestService({
      clock: this.clock,
      database: { ...this.#database, serving: this.#wire.connection },
      dataFolder: this.#dataFolder,
    });
  }

  /** Signs in again when the session has ended, and then sometimes sees that it has. */
  async #keepSession(): Promise<void> {
    const { nowMs } = this;
    const { token, startedAtMs, usedAtMs } = this.#session;
    const idleMs = nowMs - usedAtMs;
    const ageMs = nowMs - startedAtMs;
    if (idleMs < idleMsMax - slackMs && ageMs < ageMsMax) return;
    if (idleMs >= idleMsMax && this.random.chance(0.1)) {
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
    this.#session = { token: session.token, startedAtMs: nowMs, usedAtMs: nowMs };
  }

  async #layOpeningStock(): Promise<void> {
    for (const option of soldOptions) {
      if (option.kept !== 'none') this.costs.set(this.itemOf(option), openingCostCents[option.kept]);
    }
    const ids = await this.packageIds();
    for (const { product, option, location, label, amount, receivedDaysAgo, expires } of openingStock) {
      const item = {
        productId: this.shop.productId(product),
        optionId: option === null ? 0 : this.shop.optionId(option),
      };
      const receivedAtMs = startMs - receivedDaysAgo * dayMs;
      if (label !== null) {
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

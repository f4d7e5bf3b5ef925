import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Clock } from '../../src/kernel/clock.ts';
import type { TestReply, TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { tradeBody } from '../harness/test-trade.ts';
import { brokenRules } from '../simulation/trading-invariants.ts';

/** A refusal comes within it: a connection, a turn and an answer have three seconds each; the rest is for a busy machine. */
export const refusedMsMax = 8_000;
const visitPauseMs = 3_000;
const patience = { timeout: 120_000, interval: 50 };

/** A service on the clock of the machine. */
export type CitusService = TestService<Clock>;

/**
 * A shop's own caller: one visit after another, each a menu, a price, an order, its document, a page of the list and the changes.
 * What is refused is asked again until it is answered, the order with its key.
 */
export class SteadyShop {
  readonly shop: TestShop;
  /** Orders that were answered, by their keys. */
  readonly placed = new Map<string, string>();
  visits = 0;
  refusals = 0;
  /** Those of what only reads. */
  refusedReads = 0;
  /** The longest time until a refusal. */
  refusedMsMax = 0;
  /** The longest time until an answer. */
  answeredMsMax = 0;
  readonly #service: CitusService;
  #isOver = false;
  #running: Promise<void> | undefined;
  #cursor: string | undefined;

  private constructor(service: CitusService, shop: TestShop) {
    this.#service = service;
    this.shop = shop;
  }

  /** The caller of a shop begins. */
  static open(service: CitusService, shop: TestShop): SteadyShop {
    const one = new SteadyShop(service, shop);
    one.#running = one.#run();
    return one;
  }

  /** Counts anew. */
  forget(): void {
    this.refusals = 0;
    this.refusedReads = 0;
    this.refusedMsMax = 0;
    this.answeredMsMax = 0;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** Resolves after so many more visits from now. */
  async goesOn(visits = 1): Promise<void> {
    const wanted = this.visits + visits;
    await expect.poll(() => this.visits, patience).toBeGreaterThanOrEqual(wanted);
  }

  /** Each answered order is there (or those that are given), each order once, and the shop's books agree. */
  async expectWhole(service: CitusService, placed: Iterable<string> = this.placed.values()): Promise<void> {
    const ids: string[] = [];
    for (;;) {
      const query = { startingAfter: ids.at(-1), limit: 100 };
      const { data } = await service.call('GET', '/api/v1/orders', { keys: this.shop.keys, query });
      ids.push(...data.map(({ id }: { id: string }) => id));
      if (data.length === 0) break;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...placed]));
    expect(await brokenRules(service.context.database, this.shop.organizationId)).toEqual([]);
  }

  async #run(): Promise<void> {
    this.#cursor = (await this.#ask('GET', '/api/v1/changes/latest'))?.data.cursor;
    while (!this.#isOver) {
      await this.#visit();
      this.visits += 1;
      // People think; the machine is for all shops.
      await pause(visitPauseMs * (0.5 + Math.random()));
    }
  }

  async #visit(): Promise<void> {
    const idempotencyKey = randomUUID();
    const email = `${idempotencyKey}@customers.example.com`;
    const body = tradeBody(this.shop, [['eighth', 1]], {
      idempotencyKey,
      customer: { firstName: 'Ada', lastName: 'Moreno', email },
    });
    await this.#ask('GET', '/api/v1/menu', { query: { type: 'pickup' } });
    await this.#ask('POST', '/api/v1/orders/pricing', { body });
    const order = (await this.#ask('POST', '/api/v1/orders', { body }))?.data;
    if (order === undefined) return;
    this.placed.set(idempotencyKey, order.id);
    await this.#ask('GET', `/api/v1/orders/${order.id}/detail`);
    await this.#ask('GET', '/api/v1/orders', { query: { limit: 20 } });
    const changes = await this.#ask('GET', '/api/v1/changes', { query: { after: this.#cursor, limit: 100 } });
    this.#cursor = changes?.meta.cursor ?? this.#cursor;
  }

  /** Undefined if the caller was stopped while it was refused. */
  async #ask(method: string, path: string, request: object = {}): Promise<TestReply | undefined> {
    for (;;) {
      const beganMs = performance.now();
      const reply = await this.#service.call(method, path, { keys: this.shop.keys, ...request });
      const tookMs = performance.now() - beganMs;
      if (reply.status < 300) {
        this.answeredMsMax = Math.max(this.answeredMsMax, tookMs);
        return reply;
      }
      expect([method, path, reply.status, reply.error]).toEqual([method, path, 503, expect.anything()]);
      this.refusals += 1;
      if (method === 'GET') this.refusedReads += 1;
      this.refusedMsMax = Math.max(this.refusedMsMax, tookMs);
      if (this.#isOver) return undefined;
      await pause(100);
    }
  }
}

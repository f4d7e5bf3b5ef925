import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../simulation/built-program.ts';

const buyers = 5;
/** A client's pause before its next request, in milliseconds: more orders in a fault prove no more, and each is looked at. */
const pauseMs = 250;
/** After a refusal: an order of each is placed again in the look at all data. */
const retryMs = 400;

export interface LoadCounts {
  orders: number;
  replays: number;
  steps: number;
  returns: number;
  refused: number;
}

const none: LoadCounts = { orders: 0, replays: 0, steps: 0, returns: 0, refused: 0 };

interface SoldOrder {
  readonly lineItems: readonly { readonly id: number }[];
}

/** The load's reach of a program that may be started anew, and of a member of staff who may sign in anew. */
interface Reach {
  readonly deployment: Deployment;
  readonly url: () => string;
  readonly token: () => string;
}

/** Buyers who place orders and repeat some with their key, and a member of staff who hands orders over and takes goods back. */
export class FaultLoad {
  readonly #reach: Reach;
  readonly #all: readonly Promise<void>[];
  #counts = { ...none };
  #faults: string[] = [];
  #isOpen = true;
  #isPaused = false;
  #underWay = 0;

  constructor(reach: Reach) {
    this.#reach = reach;
    const repeated = [...Array.from({ length: buyers }, () => () => this.#buy()), () => this.#handOver()];
    this.#all = repeated.map((work) => this.#repeat(work));
  }

  /** What it did since the last time. */
  takeCounts(): LoadCounts {
    const taken = this.#counts;
    this.#counts = { ...none };
    return taken;
  }

  takeFaults(): string[] {
    return this.#faults.splice(0);
  }

  /** Whether so many further orders are placed in that time. */
  async placesFurther(more: number, msMax: number): Promise<boolean> {
    const wanted = this.#counts.orders + more;
    const endMs = performance.now() + msMax;
    while (this.#counts.orders < wanted && performance.now() < endMs) await delay(10);
    return this.#counts.orders >= wanted;
  }

  /** Begins nothing further, without waiting for what is under way. */
  hold(): void {
    this.#isPaused = true;
  }

  /** Resolves when nothing is under way. */
  async pause(): Promise<void> {
    this.hold();
    while (this.#underWay > 0) await delay(10);
  }

  resume(): void {
    this.#isPaused = false;
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#all);
  }

  /** Asks as the member of staff; null: refused, or the program is away. */
  async askAsStaff(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(`${this.#reach.url()}/staff/v1${path}`, {
      ...{ method, signal: AbortSignal.timeout(60_000) },
      headers: { authorization: `Bearer ${this.#reach.token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw error instanceof TypeError ? error : new TypeError('cut off', { cause: error });
    });
    if (reply.status >= 500 && reply.status !== 503) throw new Error(`${method} ${path}: ${reply.status}`);
    return reply.status < 300 ? ((await reply.json()) as { data: unknown }).data : null;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (this.#isOpen) {
      await delay(pauseMs);
      if (this.#isPaused) continue;
      this.#underWay += 1;
      try {
        this.#reach.deployment.baseUrl = this.#reach.url();
        await work();
      } catch (error) {
        // A connection that was cut off; anything else is a reply that must not be.
        if (!(error instanceof TypeError)) this.#faults.push(String((error as Error).message).slice(0, 300));
      }
      this.#underWay -= 1;
    }
  }

  async #buy(): Promise<void> {
    const { deployment } = this.#reach;
    const key = randomUUID();
    const id = await deployment.place(key);
    if (id === null) {
      this.#counts.refused += 1;
      await delay(retryMs);
    } else this.#counts.orders += 1;
    if (Math.random() < 0.25 && (await deployment.place(key)) !== null) this.#counts.replays += 1;
  }

  async #handOver(): Promise<void> {
    const { deployment } = this.#reach;
    const ids = Object.values(deployment.acknowledged) as { id: string }[];
    const id = ids.at(Math.floor(Math.random() * ids.length))?.id;
    if (id === undefined) return;
    for (const step of ['accept', 'fulfill']) {
      if ((await this.askAsStaff('POST', `/orders/${id}/${step}`, {})) !== null) this.#counts.steps += 1;
    }
    if (Math.random() > 0.5) return;
    const order = (await this.askAsStaff('GET', `/orders/${id}`)) as SoldOrder | null;
    if (order === null) return;
    const returned = await this.askAsStaff('POST', `/orders/${id}/returns`, {
      ...{ refundType: 'payment-method', paymentTypeId: deployment.shop.paymentTypeId('Bank') },
      idempotencyKey: randomUUID(),
      lineItems: [
        {
          ...{ orderLineItemId: order.lineItems[0]!.id, quantity: 1, type: 'return' },
          ...{ inventoryAction: 'inventory', reason: 'Unopened' },
        },
      ],
    });
    if (returned !== null) this.#counts.returns += 1;
  }
}

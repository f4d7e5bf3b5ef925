import { isServed } from './hook-desk.ts';
import type { Json } from './json-rows.ts';
import { printPlace } from './place-desk.ts';
import { printItem, printPackage } from './printed-stock.ts';
import { printReceipt } from './receipt-desk.ts';
import type { Subscription } from './state-models.ts';
import type { StateWorld } from './state-world.ts';
import { printTransfer } from './transfer-desk.ts';
import { printDelivery } from './trip-desk.ts';
import type { Kept, Seen, VersionedShelf } from './versioned-shelf.ts';

const answerMsMax = 10_000;

interface Sendable {
  readonly id: number;
  readonly license: string;
  readonly changed: number;
  print(): Json;
}

function sendable<Value extends Kept>(
  { facilities }: StateWorld,
  shelf: VersionedShelf<Value>,
  print: (value: Value, changed: number) => Json,
): Sendable[] {
  const seen: readonly Seen<Value>[] = shelf.seen(facilities.map(({ license }) => license));
  return seen.map(({ value, changed }) => ({
    ...{ id: value.id, license: value.license, changed },
    print: () => print(value, changed),
  }));
}

/** By object type, the objects in the shape of their GET. Types without objects here are never sent. */
const objectsOf: Readonly<Record<string, (world: StateWorld) => Sendable[]>> = {
  Item: (world) => sendable(world, world.items, printItem),
  Location: (world) => sendable(world, world.places, printPlace),
  Package: (world) => sendable(world, world.packages, (it, changed) => printPackage(world, it, changed)),
  SalesReceipt: (world) =>
    sendable(world, world.receipts, (it, changed) => printReceipt(world, it, changed, { withLines: true })),
  SalesDelivery: (world) =>
    sendable(world, world.deliveries, (it, changed) => printDelivery(world, it, changed, true)),
  Transfer: (world) =>
    sendable(world, world.transfers, (it, changed) => printTransfer(world, it, changed, true)),
};

interface Due {
  readonly subscription: Subscription;
  readonly object: Sendable;
}

/** Sends webhooks: late, repeated, out of order or not at all, by the switches. They are not signed. */
export class HookSender {
  readonly #world: StateWorld;
  /** By subscription and object, the change that was handled last. */
  readonly #handled = new Map<string, number>();
  #count = 0;

  constructor(world: StateWorld) {
    this.#world = world;
  }

  /** Sends what is due. Resolves to the number of calls that were made. */
  async send(): Promise<number> {
    const { settings, draws } = this.#world;
    const due = this.#due();
    const ordered = settings['hook-order'] === 'shuffled' ? draws.shuffle(due) : due;
    let sent = 0;
    for (const one of ordered) {
      this.#count += 1;
      if (settings['hook-loss'] === 'every-second' && this.#count % 2 === 0) continue;
      for (let copy = 0; copy < Number(settings['hook-copies']); copy += 1) sent += await this.#deliver(one);
    }
    return sent;
  }

  #due(): Due[] {
    const world = this.#world;
    const until = world.now() - Number(world.settings['hook-delay']) * 60_000_000;
    const due: Due[] = [];
    for (const subscription of world.subscriptions.seen([''])) {
      const { value, changed: since } = subscription;
      for (const object of objectsOf[value.objectType]?.(world) ?? []) {
        const key = `${value.id} ${object.id}`;
        const isNew = object.changed > Math.max(since, this.#handled.get(key) ?? 0);
        if (!isNew || object.changed > until || !isServed(world, value, object.license)) continue;
        this.#handled.set(key, object.changed);
        due.push({ subscription: value, object });
      }
    }
    return due.sort((a, b) => a.object.changed - b.object.changed);
  }

  /** Returns the number of calls: one, and those that repeat a refused one. */
  async #deliver({ subscription, object }: Due): Promise<number> {
    const body = subscription.template
      .replaceAll('#DATACOUNT#', '1')
      .replaceAll('#DATA#', () => JSON.stringify([object.print()]));
    const triesMax = 1 + Number(this.#world.settings['hook-retries']);
    for (let tries = 1; ; tries += 1) {
      const isTaken = await post(subscription, body);
      if (isTaken || tries >= triesMax) return tries;
    }
  }
}

async function post({ url, verb }: Subscription, body: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      ...{ method: verb, body, headers: { 'Content-Type': 'application/json' }, redirect: 'manual' },
      signal: AbortSignal.timeout(answerMsMax),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

import { randomUUID } from 'node:crypto';
import { keyHeaders } from '../harness/test-service.ts';
import type { ShopSettings, TestShop } from '../harness/test-shop.ts';

/** So many that none has more orders of a day than a person may have. */
const buyerCount = 20_000;

const optionKeys = [
  'Alder Flower',
  'Birch Pre-roll',
  'Cedar Vape',
  'Dune Gummies',
  'Elm Chocolate',
  'Fir Tray',
];

/** A shop with more stock than hours of load can sell. */
export const soakedShopSettings: ShopSettings = {
  products: optionKeys.map((key, at) => ({
    key,
    category: at < 3 ? 'Flower' : at < 5 ? 'Edibles' : 'Accessories',
    options: [{ key, priceCents: 1_999 + 500 * at }],
    stock: [{ option: key, amount: '1000000000' }],
  })),
};

/** What callers of the shop know of it. */
export interface SoakedKeys {
  readonly organizationId: TestShop['organizationId'];
  readonly keys: TestShop['keys'];
  readonly options: Readonly<Record<string, number>>;
  readonly bankId: number;
}

export function keysOf({ organizationId, keys, optionId, paymentTypeId }: TestShop): SoakedKeys {
  const options = Object.fromEntries(optionKeys.map((key) => [key, optionId(key)]));
  return { organizationId, keys, options, bankId: paymentTypeId('Bank') };
}

/** Where the program is, and who asks. */
interface SoakedProgram {
  readonly shop: SoakedKeys;
  /** The number of the first visit. */
  readonly at: number;
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly staffToken: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what the service answers
type Data = any;

/**
 * The mixed load of a shop. A visit is a menu, a price, an order by its buyer, its document and a page of the list; then staff
 * accept, pack and hand it over. One order in fifty is canceled, one in twenty comes back in part. An integrator reads all changes.
 */
export class SoakLoad {
  /** How long the orders of visits took to place, in milliseconds. */
  latencies: number[] = [];
  visits = 0;
  /** Replies that must not be. */
  readonly faults: string[] = [];
  readonly #program: SoakedProgram;
  readonly #integrator: Record<string, string>;
  readonly #staff: Record<string, string>;
  #at: number;

  constructor(program: SoakedProgram) {
    this.#program = program;
    this.#at = program.at;
    const json = { 'content-type': 'application/json' };
    this.#integrator = { ...json, ...keyHeaders(program.shop.keys) };
    this.#staff = { ...json, authorization: `Bearer ${program.staffToken}` };
  }

  /** The number of the next visit. */
  get at(): number {
    return this.#at;
  }

  /** One visit, and what staff do for it. */
  async visit(): Promise<void> {
    const at = this.#at++;
    const body = this.#bodyOf(at);
    try {
      await this.#ask(`${this.#program.menuUrl}/api/v1/menu?type=${body.type}`, this.#integrator);
      await this.#integrate('/orders/pricing', body);
      const beganMs = performance.now();
      const order = await this.#integrate('/orders', { ...body, idempotencyKey: randomUUID() });
      this.latencies.push(performance.now() - beganMs);
      this.visits += 1;
      await this.#integrate(`/orders/${order.id}/detail`);
      await this.#integrate('/orders');
      await this.#handOver(order, at);
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }

  /** The changes behind a cursor, as an integrator reads them; resolves to the next cursor. */
  async readChanges(cursor: string | null): Promise<string> {
    if (cursor === null) return (await this.#integrate('/changes/latest')).cursor;
    const path = `/api/v1/changes?after=${cursor}&limit=500`;
    const { meta } = await this.#ask(`${this.#program.baseUrl}${path}`, this.#integrator);
    return meta.hasMore ? this.readChanges(meta.cursor) : meta.cursor;
  }

  async #handOver(order: Data, at: number): Promise<void> {
    const step = (path: string, body: object) => this.#act(`/orders/${order.id}/${path}`, body);
    if (order.status === 'draft') await step('accept', {});
    if (at % 50 === 0) {
      await step('cancel', { reason: 'Changed their mind' });
      return;
    }
    await step('pack', {});
    await step('fulfill', {});
    if (at % 20 !== 0) return;
    const { shop } = this.#program;
    await step('returns', {
      ...{ refundType: 'payment-method', paymentTypeId: shop.bankId },
      idempotencyKey: randomUUID(),
      lineItems: [
        {
          ...{ orderLineItemId: order.lineItems[0].id, quantity: 1, type: 'return' },
          ...{ inventoryAction: 'inventory', reason: 'Unopened' },
        },
      ],
    });
  }

  #bodyOf(at: number) {
    const { shop } = this.#program;
    const buyer = (at * 7_919) % buyerCount;
    const body = {
      lineItems: optionKeys
        .slice(0, 3 + (at % 4))
        .map((key) => ({ productOptionId: shop.options[key], quantity: 1 + (at % 3) })),
      customer: {
        ...{ firstName: 'Buyer', lastName: `No. ${buyer}` },
        email: `buyer${buyer}@customers.example.com`,
      },
      payments: [{ paymentTypeId: shop.bankId, remaining: true }],
    };
    if (at % 3 !== 0) return { type: 'pickup', ...body };
    const place = { city: 'Oakland', state: 'CA', postalCode: '94607' };
    return { type: 'delivery', ...body, address: { street1: '418 Alder Street', ...place } };
  }

  async #integrate(path: string, body?: object): Promise<Data> {
    return (await this.#ask(`${this.#program.baseUrl}/api/v1${path}`, this.#integrator, body)).data;
  }

  async #act(path: string, body: object): Promise<Data> {
    return (await this.#ask(`${this.#program.baseUrl}/staff/v1${path}`, this.#staff, body)).data;
  }

  async #ask(url: string, headers: Record<string, string>, body?: object): Promise<Data> {
    const reply = await fetch(url, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status >= 300) throw new Error(`${url}: ${reply.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}

import { v4 as uuidV4 } from 'uuid';
import { strongRandomBytes } from '../src/kernel/random-bytes.ts';
import { orderActions } from '../src/shop/orders/orders.ts';
import { type Access, ask, Refused } from './sandbox-client.ts';

/** Makes an event happen by the operations that lead to it; resolves to what it is about. */
type Play = (access: Access, say: (line: string) => void) => Promise<string>;

/** The steps of an order before one of its actions is possible. */
const stepsTo: Readonly<Record<string, readonly string[]>> = {
  accept: ['accept'],
  unaccept: ['accept', 'unaccept'],
  pack: ['accept', 'pack'],
  unpack: ['accept', 'pack', 'unpack'],
  fulfill: ['accept', 'pack', 'fulfill'],
  cancel: ['cancel'],
  void: ['accept', 'fulfill', 'void'],
};

const ofOrders: Readonly<Record<string, Play>> = {
  'order.placed': (access, say) => playOrder(access, say, []),
  ...Object.fromEntries(
    orderActions.map(({ id, event }): [string, Play] => [
      event,
      (access, say) => playOrder(access, say, stepsTo[id] ?? [id]),
    ]),
  ),
  'order.dispatched': (access, say) => playOrder(access, say, ['accept', 'pack', 'dispatch'], delivery),
  'order.returned': (access, say) => playOrder(access, say, ['accept', 'fulfill', 'return']),
  'order.return_voided': (access, say) =>
    playOrder(access, say, ['accept', 'fulfill', 'return', 'void-return']),
};

const ofCustomers: Readonly<Record<string, Play>> = {
  'customer.created': async (access, say) => {
    const email = newEmail();
    const order = await placeOrder(access, { email });
    say(`${email} placed order ${order.id}`);
    return `customer ${order.customer.id}`;
  },
  'customer.updated': async (access, say) => {
    const email = newEmail();
    await placeOrder(access, { email });
    const order = await placeOrder(access, { email, birthday: '1988-04-12' });
    say(`${email} ordered twice, with a birthday the second time`);
    return `customer ${order.customer.id}`;
  },
  'customer_group.customer_added': (access, say) => changeGroup(access, say, ['add']),
  'customer_group.customer_removed': (access, say) => changeGroup(access, say, ['add', 'remove']),
  'loyalty_event.created': async (access, say) => {
    const { customerId } = await caseOf(access, 'customer');
    const body = { customerId, pointsAmount: 5, reason: 'Triggered in the sandbox' };
    await ask(access, 'POST', '/api/v1/loyalty-events', { body });
    say(`customer ${customerId} got 5 points`);
    return `customer ${customerId}`;
  },
};

const ofGoods: Readonly<Record<string, Play>> = {
  'product.created': async (access, say) => `product ${(await createProduct(access, say)).id}`,
  'brand.created': async (access, say) => {
    const brandName = `Gardens ${randomText()}`;
    await createProduct(access, say, { brandName });
    return `brand ${brandName}`;
  },
  'product_sub_category.created': async (access, say) => {
    const name = `Shelf ${randomText()}`;
    await createProduct(access, say, { subCategories: [name] });
    return `sub-category ${name}`;
  },
  'product.updated': async (access, say) => {
    const { productId } = await caseOf(access, 'product');
    const body = { description: `Triggered ${randomText()}` };
    await ask(access, 'PUT', `/api/v1/products/${productId}`, { body });
    say(`product ${productId} got another description`);
    return `product ${productId}`;
  },
  'product_options.replaced': async (access, say) => {
    const { productId, productOptionId } = await caseOf(access, 'product');
    const body = { options: [{ id: productOptionId, upc: randomText() }] };
    await ask(access, 'PUT', `/api/v1/products/${productId}/options`, { body });
    say(`the option of product ${productId} got another UPC`);
    return `product ${productId}`;
  },
  'product_options.updated': async (access, say) => {
    const { productId, productOptionId } = await caseOf(access, 'product');
    const body = { options: [{ id: productOptionId, upc: randomText() }] };
    await ask(access, 'PUT', `/api/v1/products/${productId}/options/upc`, { body });
    say(`the option of product ${productId} got another UPC`);
    return `product ${productId}`;
  },
  'option.deleted': async (access, say) => {
    const { id, options } = await createProduct(access, say);
    const [kept, gone] = options;
    const body = { options: [{ id: kept!.id }] };
    await ask(access, 'PUT', `/api/v1/products/${id}/options`, { body });
    say(`product ${id} lost its second option`);
    return `option ${gone!.id}`;
  },
  'stock.counted': async (access, say) => {
    const { productOptionId } = await caseOf(access, 'last-one');
    const body = { type: 'pickup', lineItems: [{ productOptionId, quantity: 1 }] };
    const headers = { 'sandbox-fault': 'out-of-stock' };
    await ask(access, 'POST', '/api/v1/orders/pricing', { body, headers });
    say(`option ${productOptionId} is counted, and sold out until the sandbox is reset`);
    return `option ${productOptionId}`;
  },
};

const ofPurchasing: Readonly<Record<string, Play>> = {
  'inventory_vendor.created': async (access, say) => {
    const { vendor } = await createPurchaseOrder(access, say);
    return `vendor ${vendor}`;
  },
  'purchase_order.created': async (access, say) =>
    `purchase order ${(await createPurchaseOrder(access, say)).id}`,
  'purchase_order.updated': async (access, say) => {
    const { id } = await createPurchaseOrder(access, say);
    await ask(access, 'PUT', `/api/v1/purchase-orders/${id}`, {
      body: { notes: 'Deliver to the front door' },
    });
    say(`purchase order ${id} got other notes`);
    return `purchase order ${id}`;
  },
};

/** The events that can be brought about, with how. */
export const plays: Readonly<Record<string, Play>> = {
  ...ofOrders,
  ...ofCustomers,
  ...ofGoods,
  ...ofPurchasing,
};

function randomText(): string {
  return Buffer.from(strongRandomBytes(6)).toString('hex');
}

const newEmail = (): string => `new-${randomText()}@sandbox.example.com`;

interface Placed {
  readonly id: string;
  readonly status: string;
  readonly customer: { readonly id: number };
}

const delivery = {
  type: 'delivery',
  address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
  quantity: 2,
} as const;

type Order = typeof delivery | { readonly type: 'pickup'; readonly quantity: number };

async function playOrder(
  access: Access,
  say: (line: string) => void,
  steps: readonly string[],
  wanted: Order = { type: 'pickup', quantity: 1 },
): Promise<string> {
  // A new customer each time: one customer may buy only so much a day.
  const order = await placeOrder(access, { email: newEmail() }, wanted);
  say(`order ${order.id}: placed, ${order.status}`);
  for (const action of steps) {
    const path = `/api/v1/sandbox/orders/${order.id}/play`;
    const { status } = await ask<Placed>(access, 'POST', path, { body: { action } });
    say(`order ${order.id}: ${action}, ${status}`);
  }
  return `order ${order.id}`;
}

async function placeOrder(
  access: Access,
  customer: { readonly email: string; readonly birthday?: string },
  { quantity, ...order }: Order = { type: 'pickup', quantity: 1 },
): Promise<Placed> {
  const { productOptionId } = await caseOf(access, 'product');
  const body = {
    ...order,
    lineItems: [{ productOptionId, quantity }],
    customer: { firstName: 'Ada', lastName: 'Moreno', ...customer },
    idempotencyKey: uuidV4({ random: strongRandomBytes(16) }),
  };
  return ask<Placed>(access, 'POST', '/api/v1/orders', { body }).catch(sayHowToRestock);
}

/** A fault may have sold the product out, and only a reset brings it back. */
function sayHowToRestock(error: unknown): never {
  if (!(error instanceof Refused) || error.code !== 'OUT_OF_STOCK') throw error;
  throw new Error(`${error.message}. Start the sandbox over: POST /api/v1/sandbox/reset`);
}

/** A new customer joins the group of the sandbox, and may leave it. */
async function changeGroup(
  access: Access,
  say: (line: string) => void,
  steps: readonly ('add' | 'remove')[],
): Promise<string> {
  const [group] = await ask<{ id: number; name: string }[]>(access, 'GET', '/api/v1/customer-groups');
  const email = newEmail();
  await placeOrder(access, { email });
  for (const step of steps) {
    const path = `/api/v1/customer-groups/${group!.id}/${step}-customer`;
    await ask(access, 'PUT', path, { body: { emailOrPhone: email } });
    say(`${group!.name}: ${step} ${email}`);
  }
  return `customer group ${group!.id}`;
}

interface Created {
  readonly id: number;
  readonly options: readonly { readonly id: number }[];
}

async function createProduct(
  access: Access,
  say: (line: string) => void,
  changes: object = {},
): Promise<Created> {
  const name = `Triggered ${randomText()}`;
  const product = await ask<Created>(access, 'POST', '/api/v1/products', {
    body: {
      ...{ name, unit: 'item', strainType: 'none', category: 'Accessories', subCategories: [], photos: [] },
      options: [
        { amount: 1, price: 500, name: 'One' },
        { amount: 2, price: 900, name: 'Two' },
      ],
      ...changes,
    },
  });
  say(`product ${product.id}: ${name}`);
  return product;
}

async function createPurchaseOrder(
  access: Access,
  say: (line: string) => void,
): Promise<{ readonly id: number; readonly vendor: string }> {
  const { productId, productOptionId } = await caseOf(access, 'product');
  const vendor = `Vendor ${randomText()}`;
  const { id } = await ask<{ id: number }>(access, 'POST', '/api/v1/purchase-orders', {
    body: {
      lineItems: [{ productId, productOptionId, amount: '48', costPerUnit: '11.25' }],
      inventoryVendor: { name: vendor },
    },
  });
  say(`purchase order ${id} from ${vendor}`);
  return { id, vendor };
}

interface Case {
  readonly case: string;
  readonly customerId: number | null;
  readonly email: string | null;
  readonly productId: number | null;
  readonly productOptionId: number | null;
}

async function caseOf(access: Access, name: string): Promise<Case> {
  const { specialCases } = await ask<{ specialCases: Case[] }>(access, 'GET', '/api/v1/sandbox');
  return specialCases.find((one) => one.case === name)!;
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cart, type Customer, emptyCart } from './cart.ts';
import { cartOf, type PendingSale, readSaved, type SavedSale, savedText } from './saved-sale.ts';
import type { CopyEntry, DurableCopy } from './strict-copy.ts';
import { type SaleStorage, Till } from './till.ts';

const option = {
  productId: 3,
  productOptionId: 31,
  amount: 3.5,
  inventoryType: 'option',
  productName: 'Moonlit Grove',
  brandName: 'Fernweh Farms',
  optionName: '3.5 grams',
  price: 4_500,
  regularPrice: null,
  upc: '0860012345678',
  photo: null,
  category: 'Flower',
} as const;

const cart: Cart = {
  lines: [{ option, quantity: 2 }],
  currentId: 31,
  customer: { id: 5001, firstName: 'Marisol', phone: '+14155550177' } as Customer,
  walkInName: '',
  rewards: [{ rewardId: 4, points: '120' }, { rewardId: 5 }],
  applyCredits: false,
  discountIds: [9],
  discountCodes: ['WELCOME'],
  adjustments: [{ amount: null, way: 'on', description: 'Gift' }],
  taxExempt: { exempt: true, reason: 'Medical card' },
  goodsBack: {
    ...{ orderId: '019a3c4e-0000-7000-8000-000000000002', orderNumber: 11, takesRewardsBack: false },
    lineItems: [
      {
        ...{ orderLineItemId: 71, quantity: 1, inventoryAction: 'inventory' },
        ...{ reason: 'Another one', name: 'Moonlit Grove' },
      },
    ],
    inventoryLocationId: 8,
    refund: 4_500,
  },
};
const payment = { key: 0, paymentTypeId: 1, amount: 900, tendered: 10_000, confirmed: 10_000 };
const sale: PendingSale = {
  idempotencyKey: '0b2c7a52-7f6e-4b53-9f0e-0a4a6d6f0c11',
  body: '{"type":"in-store","customerId":5001}',
  customerGrandTotal: 9_131,
  due: 9_000,
  payments: [payment],
  isSent: true,
  placed: { id: '019a3c4e-0000-7000-8000-000000000001', number: 12 },
  sentPayments: [payment],
};

function openBrowser(): SaleStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
}
const owner = { organizationId: 1, staffId: 7 };

test('a cart and the current sale are restored as saved, with only the id of the customer', () => {
  const text = savedText(cart, sale);
  expect(text).not.toMatch(/Marisol|4155550177/);
  const kept = readSaved(text)!;
  expect(kept.cart.customerId).toBe(5001);
  expect({ cart: cartOf(kept.cart, cart.customer), sale: kept.sale }).toEqual({ cart, sale });
});

test('the name of a walk-in is not saved anywhere', () => {
  const body = JSON.stringify({ type: 'in-store', customerName: 'Noor' });
  const text = savedText({ ...cart, customer: null, walkInName: 'Noor' }, { ...sale, body });
  expect(text).not.toContain('Noor');
  expect(readSaved(text)!.cart.hadName).toBe(true);
});

/** Every value in the saved data with its path. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, it]) => places(it, [...path, name]))];
}

test('damaged data or another version gives no cart, never a broken page', () => {
  const text = savedText(cart, sale);
  for (const broken of [
    null,
    '',
    'null',
    '[]',
    '{}',
    text.slice(0, -1),
    text.replace('"version":1', '"version":2'),
  ]) {
    expect(readSaved(broken)).toBeNull();
  }
  const whole = JSON.parse(text) as SavedSale;
  fc.assert(
    fc.property(
      fc.constantFrom(...places(whole).filter((path) => path.length > 0 && path[0] !== 'version')),
      fc.constantFrom<unknown>(undefined, {}, [{}], -0.5, 'x\u0000'),
      (path, wrong) => {
        const copy = structuredClone(whole) as unknown as Record<string, unknown>;
        const place = path.slice(0, -1).reduce((it, name) => it[name] as typeof copy, copy);
        place[path.at(-1)!] = wrong;
        const read = readSaved(JSON.stringify(copy));
        // Replacing a text with another text is no damage.
        if (read === null) return;
        expect(savedText(cartOf(read.cart, null), read.sale)).toBeTypeOf('string');
        expect(read.cart.lines.every(({ quantity }) => Number.isSafeInteger(quantity) && quantity > 0)).toBe(
          true,
        );
      },
    ),
  );
});

test('a cart is restored only for the same person of the same shop, and not after it was cleared', () => {
  const browser = openBrowser();
  const till = new Till(owner, 'one', browser);
  till.change({ type: 'add', option });
  expect(new Till(owner, 'one', browser).kept()?.cart.lines).toHaveLength(1);
  expect(new Till({ ...owner, staffId: 8 }, 'one', browser).kept()).toBeNull();
  expect(new Till({ ...owner, organizationId: 2 }, 'one', browser).kept()).toBeNull();
  till.change({ type: 'clear' });
  expect(browser.kept.has(till.keptKey)).toBe(false);
});

test('a current sale stays saved when its cart is cleared', () => {
  const browser = openBrowser();
  const till = new Till(owner, 'one', browser);
  till.begin({ cart, sale });
  till.change({ type: 'clear' });
  expect(till.kept()).toMatchObject({ cart: { lines: [] }, sale: { isSent: true } });
});

test('what a crash takes from the storage is restored from the copy, and an older copy is not', async () => {
  const copies = new Map<string, CopyEntry>();
  const copy: DurableCopy = {
    put: async (key, entry) => void copies.set(key, entry),
    get: async (key) => copies.get(key) ?? null,
  };
  const browser = openBrowser();
  const till = new Till(owner, 'one', browser, copy);
  till.change({ type: 'add', option });
  const onDisk = new Map(browser.kept);
  till.begin({ cart, sale });
  await till.isDurable();
  browser.kept.clear();
  for (const [key, text] of onDisk) browser.kept.set(key, text);
  const reopened = new Till(owner, 'two', browser, copy);
  expect(reopened.kept()?.sale).toBeNull();
  expect((await reopened.newest())?.sale?.idempotencyKey).toBe(sale.idempotencyKey);
  // The copy could not be written since.
  const later = new Till(owner, 'two', browser);
  later.begin({ cart: { ...cart, lines: [{ option, quantity: 7 }] }, sale: null });
  later.change({ type: 'more' });
  copies.set(till.keptKey, { at: 1, text: savedText(cart, sale) });
  expect((await new Till(owner, 'three', browser, copy).newest())?.cart.lines).toMatchObject([
    { quantity: 8 },
  ]);
  const last = new Till(owner, 'three', browser);
  last.begin({ cart, sale: null });
  last.change({ type: 'clear' });
  expect(await new Till(owner, 'three', browser, copy).newest()).toBeNull();
});

test('of two tabs only the last to take the till writes, and the other knows', () => {
  const browser = openBrowser();
  const first = new Till(owner, 'one', browser);
  first.change({ type: 'add', option });
  const second = new Till(owner, 'two', browser);
  second.begin({ cart: cartOf(second.kept()!.cart, null), sale: null });
  second.change({ type: 'more' });
  first.change({ type: 'clear' });
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  expect(second.kept()!.cart.lines).toMatchObject([{ quantity: 2 }]);
});

test('selling works in a browser without storage', () => {
  const refuse = () => {
    throw new DOMException('No.', 'QuotaExceededError');
  };
  const till = new Till(owner, 'one', { getItem: refuse, setItem: refuse, removeItem: refuse });
  till.change({ type: 'add', option });
  expect(till.selling().cart.lines).toHaveLength(1);
  expect([till.kept(), till.isHeld()]).toEqual([null, true]);
  expect(emptyCart.lines).toEqual([]);
});

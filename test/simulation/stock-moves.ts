import { expect } from 'vitest';
import type { Shelf } from './shelf-model.ts';
import { locations, newLabel, soldOptions, unitOf } from './simulated-shop.ts';
import type { Purchase, TradingWorld } from './trading-world.ts';

const text = (amount: number): string => String(amount);
const halves = (world: TradingWorld, min: number, max: number): number =>
  world.random.integer(min * 2, max * 2) / 2;

/** Adds stock to a shelf or removes it, sometimes more than there is. */
export async function adjustStock(world: TradingWorld): Promise<void> {
  const { shelf, amount } = world.random.pick(world.shelves.all());
  const delta = world.random.chance(0.5) ? halves(world, 1, 8) : -halves(world, 1, Math.max(1, amount + 2));
  const path = '/staff/v1/inventory-adjustments';
  const body = {
    ...world.named(shelf),
    inventoryLocationId: world.placeId(shelf.location),
    delta: text(delta),
    reason: 'Found or lost',
    idempotencyKey: world.uuid(),
  };
  world.story.push(`adjust ${shelf.location} ${shelf.label ?? 'loose'} by ${delta}, of ${amount}`);
  const reply = await world.surely(() => world.askStaff('POST', path, body));
  if (amount + delta < 0) {
    expect(reply.error?.code, reply.text).toBe('OUT_OF_STOCK');
    return;
  }
  expect(reply, reply.text).toMatchObject({ status: 201, data: { onHand: text(amount + delta) } });
  world.shelves.move(shelf, delta, 'adjusted');
  world.remember({ path, integrator: null, body, reply });
}

/** Moves stock to the other location, sometimes more than there is. */
export async function transferStock(world: TradingWorld): Promise<void> {
  const { shelf, amount } = world.random.pick(world.shelves.all());
  const to: Shelf = { ...shelf, location: locations.find((it) => it !== shelf.location)! };
  const moved = halves(world, 0.5, Math.max(1, amount * 0.6));
  const path = '/staff/v1/inventory-transfers';
  const body = {
    ...world.named(shelf),
    fromInventoryLocationId: world.placeId(shelf.location),
    toInventoryLocationId: world.placeId(to.location),
    amount: text(moved),
    idempotencyKey: world.uuid(),
  };
  world.story.push(`transfer ${moved} of ${amount} from ${shelf.location} ${shelf.label ?? 'loose'}`);
  const reply = await world.surely(() => world.askStaff('POST', path, body));
  if (moved > amount) {
    expect(reply.error?.code, reply.text).toBe('OUT_OF_STOCK');
    return;
  }
  const toOnHand = text(world.shelves.amountOn(to) + moved);
  expect(reply, reply.text).toMatchObject({
    status: 201,
    data: { fromOnHand: text(amount - moved), toOnHand },
  });
  world.shelves.move(shelf, -moved, 'moved');
  world.shelves.move(to, moved, 'moved');
  world.remember({ path, integrator: null, body, reply });
}

/** Counts some shelves of a location. */
export async function countStock(world: TradingWorld): Promise<void> {
  const location = world.random.pick(locations);
  const shelves = world.random
    .shuffle(world.shelves.all().filter(({ shelf }) => shelf.location === location))
    .slice(0, world.random.integer(1, 4));
  if (shelves.length === 0) return;
  const counts = shelves.map(({ shelf, amount }) => ({
    shelf,
    amount,
    counted: world.random.chance(0.5) ? amount : Math.max(0, amount + halves(world, -3, 3)),
  }));
  const path = '/staff/v1/inventory-counts';
  const body = {
    inventoryLocationId: world.shop.locationId(location),
    lines: counts.map(({ shelf, counted }) => ({ ...world.named(shelf), counted: text(counted) })),
    idempotencyKey: world.uuid(),
  };
  world.story.push(`count ${counts.length} shelves of ${location}`);
  const reply = await world.surely(() => world.askStaff('POST', path, body));
  expect(reply, reply.text).toMatchObject({
    status: 201,
    data: {
      lines: counts.map(({ amount, counted }) => ({
        counted: text(counted),
        expected: text(amount),
        difference: text(counted - amount),
      })),
    },
  });
  for (const { shelf, amount, counted } of counts) world.shelves.move(shelf, counted - amount, 'counted');
  world.remember({ path, integrator: null, body, reply });
}

/** An integrator orders goods from a vendor. */
export async function orderGoods(world: TradingWorld): Promise<void> {
  const { random } = world;
  const kept = random.shuffle(soldOptions.filter((option) => option.kept !== 'none' && option.perUnit === 1));
  const lines = kept.slice(0, random.integer(1, 3)).map((option) => ({
    ...world.itemOf(option),
    amount: random.integer(10, 60),
    costCents: random.integer(100, 1200),
  }));
  const invoice = world.uuid();
  const integrator = random.integer(0, world.integratorCount - 1);
  const path = '/api/v1/purchase-orders';
  const body = {
    lineItems: lines.map(({ productId, optionId, amount, costCents }) => ({
      productId,
      ...(optionId !== 0 && { productOptionId: optionId }),
      amount: text(amount),
      costPerUnit: text(costCents / 100),
    })),
    expectedAt: world.dayOf(),
    inventoryVendor: { name: random.pick(['Tidewater Distribution', 'Alder Supply']) },
    paymentTerms: random.pick(['net15', 'net30', 'cod']),
    externalInvoiceNumber: invoice,
  };
  world.story.push(`order goods: ${lines.length} lines`);
  const reply = await world.surely(
    () => world.askIntegrator(integrator, 'POST', path, body),
    async () => {
      // It has no key: a client without an answer searches for the invoice number.
      const listed = await world.askIntegrator(integrator, 'GET', path);
      const found = listed.data.find(
        (it: { externalInvoiceNumber: string }) => it.externalInvoiceNumber === invoice,
      );
      return found === undefined ? null : { ...listed, status: 201, data: found };
    },
  );
  const costCents = lines.reduce((sum, it) => sum + it.amount * it.costCents, 0);
  expect(reply, reply.text).toMatchObject({ status: 201, data: { finalTotal: costCents, status: 'open' } });
  world.purchases.push({
    id: reply.data.id,
    lines: lines.map(({ productId, optionId, amount, costCents }, at) => ({
      id: reply.data.lineItems[at].id,
      productId,
      optionId,
      amount,
      costCents,
      received: 0,
    })),
    paidCents: 0,
    isOpen: true,
  });
}

/** Receives ordered goods: loose, in a new package or in an existing one. */
export async function receiveGoods(world: TradingWorld): Promise<void> {
  const { random, shelves } = world;
  const purchase = pickPurchase(world);
  if (purchase === null) return;
  const line = random.pick(purchase.lines);
  const { productId, optionId } = line;
  const location = random.pick(locations);
  const known = [...shelves.packages].filter(
    ([, it]) => it.productId === productId && it.optionId === optionId,
  );
  const isNew = random.chance(0.6) || known.length === 0;
  const option = soldOptions.find((it) => {
    const item = world.itemOf(it);
    return item.productId === productId && item.optionId === optionId;
  })!;
  const isLoose = option.category === 'Accessories';
  const label = isLoose ? null : isNew ? newLabel(shelves.packages.size) : random.pick(known)[0];
  const isMade = label !== null && !shelves.packages.has(label);
  const expires =
    isMade && random.chance(0.4) ? world.dayOf(world.nowMs + random.integer(5, 90) * 86_400_000) : null;
  const amount = halves(world, 5, 30);
  const shelf: Shelf = { productId, optionId, location, label };
  world.story.push(`receive ${amount} at ${location} ${label ?? 'loose'} of purchase ${purchase.id}`);
  const path = `/staff/v1/purchase-orders/${purchase.id}`;
  const send = () =>
    world.askStaff('POST', `${path}/receptions`, [
      {
        lineItemId: line.id,
        inventoryLocationId: world.shop.locationId(location),
        amount: text(amount),
        ...(label !== null && {
          package: { label, ...(expires !== null && { expirationDate: expires }) },
        }),
      },
    ]);
  if (!purchase.isOpen) {
    expect((await send()).error?.code).toBe('PURCHASE_ORDER_CLOSED');
    return;
  }
  const received = text(line.received + amount);
  const reply = await world.surely(send, async () => {
    const shown = await world.askStaff('GET', '/staff/v1/purchase-orders');
    const data = shown.data.find(({ id }: { id: number }) => id === purchase.id);
    const now = data?.lineItems.find(({ id }: { id: number }) => id === line.id).amountReceived;
    return now === received ? { ...shown, status: 201, data } : null;
  });
  expect(reply, reply.text).toMatchObject({ status: 201 });
  const shown = reply.data.lineItems.find(({ id }: { id: number }) => id === line.id);
  expect(shown.amountReceived).toBe(received);
  line.received += amount;
  world.costs.receive(line, shelves.onHand(line), amount, line.costCents);
  shelves.move(shelf, amount, 'received');
  if (label === null) return;
  if (!isMade) return world.state.more(label, amount);
  world.state.add(label, unitOf(option.product), amount);
  const id = (await world.packageIds()).get(label)!;
  shelves.packages.set(label, { id, productId, optionId, receivedAtMs: world.nowMs, expires });
}

/** Pays a vendor, sometimes too much, or closes a purchase order, or opens it again. */
export async function settlePurchase(world: TradingWorld): Promise<void> {
  const { random } = world;
  const purchase = pickPurchase(world);
  if (purchase === null) return;
  const path = `/staff/v1/purchase-orders/${purchase.id}`;
  if (random.chance(0.25)) {
    const turn = purchase.isOpen ? 'close' : 'reopen';
    world.story.push(`${turn} purchase ${purchase.id}`);
    expect((await world.surely(() => world.askStaff('POST', `${path}/${turn}`))).status).toBe(200);
    purchase.isOpen = !purchase.isOpen;
    return;
  }
  const left = Math.max(0, owedCents(purchase) - purchase.paidCents);
  const amount = random.chance(0.1) ? left + 1 : random.integer(1, Math.max(1, left));
  const isOver = !purchase.isOpen && left === 0;
  const refusal = isOver ? 'PURCHASE_ORDER_CLOSED' : amount > left ? 'INVALID_PARAMS' : null;
  world.story.push(`pay ${amount} of ${left} for purchase ${purchase.id}`);
  const paidCents = purchase.paidCents + amount;
  const reply = await world.surely(
    () => world.askStaff('POST', `${path}/payments`, { amount }),
    async () => {
      const shown = await world.askStaff('GET', '/staff/v1/purchase-orders');
      const data = shown.data.find(({ id }: { id: number }) => id === purchase.id);
      return data.amountPaid === paidCents ? { ...shown, status: 201, data } : null;
    },
  );
  if (refusal !== null) {
    expect(reply.error?.code, reply.text).toBe(refusal);
    return;
  }
  purchase.paidCents = paidCents;
  expect(reply, reply.text).toMatchObject({
    status: 201,
    data: { amountPaid: purchase.paidCents, amountOutstanding: left - amount },
  });
}

/** What came is owed; while the order is open, also what is still to come. */
function owedCents({ lines, isOpen }: Purchase): number {
  return lines.reduce(
    (sum, it) => sum + Math.round((isOpen ? Math.max(it.amount, it.received) : it.received) * it.costCents),
    0,
  );
}

/** One of the latest: old ones are finished. */
function pickPurchase({ purchases, random }: TradingWorld): Purchase | null {
  return purchases.length === 0 ? null : random.pick(purchases.slice(-6));
}

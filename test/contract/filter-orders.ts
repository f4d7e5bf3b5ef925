import { randomUUID } from 'node:crypto';
import { assert } from '../../src/kernel/assert.ts';
import type { OrderActionId } from '../../src/shop/orders/actions/order-actions.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import type { TestService } from '../harness/test-service.ts';
import { type TestKeys, type TestShop, testOrigin } from '../harness/test-shop.ts';
import { aroundThem, laterMidnights, midnights, numbersTo, turn } from './filter-times.ts';

/** Which key an order was placed with, and of which integrator. */
export interface PlacedBy {
  readonly integratorId: number;
  readonly idempotencyKey: string;
}

interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Orders of every type and status, from every place of stock, around midnights. */
export async function addOrders(
  service: TestService,
  shop: TestShop,
  people: readonly Person[],
  callers: readonly { readonly keys: TestKeys; readonly integratorId: number }[],
): Promise<Map<string, PlacedBy>> {
  const { context, clock } = service;
  const placedBy = new Map<string, PlacedBy>();
  const orders: { readonly id: string; readonly status: string }[] = [];
  const moments = aroundThem(midnights);
  // The service meets an erased customer again as a new one.
  const buyers = people.filter((_, at) => ![37, 74].includes(at)).slice(0, 9);
  let seller = await service.staff(shop);
  for (const at of numbersTo(150)) {
    const [moment, before] = [moments[Math.floor(at / 10)]!, clock.now()];
    clock.set(Math.max(before, moment));
    if (clock.now() - before > 3_600_000) seller = await service.staff(shop);
    const idempotencyKey = randomUUID();
    const { first_name, last_name, email, phone } = turn(buyers, at * 5);
    const body = {
      lineItems: [
        { productOptionId: shop.optionId(turn(['front', 'vault', 'half', 'small 3'], at)), quantity: 3 },
      ],
      idempotencyKey,
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    };
    const customer = {
      firstName: first_name,
      lastName: last_name,
      ...(email && { email }),
      ...(phone && { phone }),
    };
    const caller = turn(callers, at);
    const type = turn(['pickup', 'delivery', 'in-store', 'pickup'], Math.floor(at / 3) + at);
    const address = { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' };
    const reply =
      type === 'in-store'
        ? await seller.call('POST', '/staff/v1/orders', {
            ...body,
            type,
            ...(at % 2 === 0
              ? { customer }
              : { customerName: turn(['Ana of the corner', 'Zoë', 'mar'], at) }),
          })
        : await service.call('POST', '/api/v1/orders', {
            keys: caller.keys,
            body: { ...body, type, customer, ...(type === 'delivery' && { address }) },
          });
    assert(reply.status === 201, `the order of a list is refused: ${reply.text}`);
    orders.push(reply.data);
    if (type !== 'in-store') {
      placedBy.set(reply.data.id, { integratorId: caller.integratorId, idempotencyKey });
    }
  }
  const later = aroundThem(laterMidnights);
  for (const at of numbersTo(orders.length)) {
    const { id, status } = orders[(at * 37) % orders.length]!;
    clock.set(later[Math.floor((at * later.length) / orders.length)]!);
    const steps: OrderActionId[] = turn(
      [['fulfill'], ['fulfill'], [], ['pack'], ['cancel'], ['fulfill'], ['pack', 'fulfill']],
      at,
    );
    const accept: OrderActionId[] =
      status === 'draft' && !(steps.length === 0 && at % 2 === 0) ? ['accept'] : [];
    for (const action of [...accept, ...steps]) {
      const reason = action === 'cancel' ? { cancelationReason: 'Changed their mind' } : {};
      await stepOrder(context, testOrigin, shop.organizationId, id, action, { staff: null, ...reason });
    }
  }
  return placedBy;
}

export async function addReturns(service: TestService, shop: TestShop): Promise<void> {
  const { clock } = service;
  const owner = await service.staff(shop);
  const post = async (path: string, body: object) => {
    const reply = await owner.call('POST', `/staff/v1/${path}`, body);
    assert(reply.error === undefined, `a list's test cannot POST ${path}: ${reply.text}`);
    return reply.data;
  };
  const sold = await post('orders', {
    type: 'in-store',
    lineItems: [{ productOptionId: shop.optionId('front'), quantity: 100 }],
    payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    idempotencyKey: randomUUID(),
  });
  await post(`orders/${sold.id}/fulfill`, {});
  for (const at of numbersTo(84)) {
    if (at % 3 === 0) clock.advance(1);
    const { id } = await post(`orders/${sold.id}/returns`, {
      refundType: 'payment-method',
      paymentTypeId: shop.paymentTypeId('Cash'),
      lineItems: [
        {
          orderLineItemId: sold.lineItems[0].id,
          quantity: 1,
          type: 'return',
          inventoryAction: turn(['inventory', 'waste'], at),
          reason: 'Changed their mind',
        },
      ],
    });
    if (at % 5 < 2) await post(`order-returns/${id}/void`, { reason: 'Rung up on the wrong order' });
  }
}

import { v4 as uuidV4 } from 'uuid';
import { strongRandomBytes } from '../src/kernel/random-bytes.ts';
import { orderActions } from '../src/orders/orders.ts';
import type { Config } from '../src/startup/config.ts';
import { type Command, optional, type Result } from './command.ts';
import { type Access, ask, sandboxAccess } from './sandbox-client.ts';
import { UsageError } from './usage-error.ts';

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
};

const plays: Readonly<Record<string, Play>> = {
  'order.placed': (access, say) => playOrder(access, say, []),
  ...Object.fromEntries(
    orderActions.map(({ id, event }): [string, Play] => [
      event,
      (access, say) => playOrder(access, say, stepsTo[id] ?? [id]),
    ]),
  ),
  'customer.created': async (access, say) => {
    const email = `new-${randomText()}@sandbox.example.com`;
    const order = await placeOrder(access, { email });
    say(`${email} placed order ${order.id}`);
    return `customer ${order.customer.id}`;
  },
  'loyalty_event.created': async (access, say) => {
    const { customerId } = await caseOf(access, 'customer');
    const body = { customerId, pointsAmount: 5, reason: 'Triggered in the sandbox' };
    await ask(access, 'POST', '/api/v1/loyalty-events', { body });
    say(`customer ${customerId} got 5 points`);
    return `customer ${customerId}`;
  },
  'product_options.replaced': async (access, say) => {
    const { productId, productOptionId } = await caseOf(access, 'product');
    const body = { options: [{ id: productOptionId, upc: randomText() }] };
    await ask(access, 'PUT', `/api/v1/products/${productId}/options`, { body });
    say(`the option of product ${productId} got another UPC`);
    return `product ${productId}`;
  },
};

/** The events that the command can bring about. */
export const triggeredEvents: readonly string[] = Object.keys(plays);

/** Brings about an event in a sandbox. */
export const triggerCommands: Readonly<Record<string, Command>> = {
  trigger: {
    summary: 'make an event happen in a sandbox, over HTTP: dispensary trigger order.fulfilled',
    argument: 'event',
    options: { url: optional('the address of the service; DISPENSARY_URL, or that of demo.json') },
    runRemote: (config, options) => trigger(config, options),
  },
};

async function trigger(config: Config, options: Readonly<Record<string, string>>): Promise<Result> {
  const event = options.argument!;
  const play = Object.hasOwn(plays, event) ? plays[event] : undefined;
  if (play === undefined) {
    throw new UsageError(`event must be one of ${triggeredEvents.join(', ')}, not ${event}`);
  }
  const access = sandboxAccess(config, options);
  const lines: string[] = [];
  const subject = await play(access, (line) => lines.push(line));
  return { lines: [...lines, `${event}: ${subject}`], data: { event, subject, steps: lines } };
}

function randomText(): string {
  return Buffer.from(strongRandomBytes(6)).toString('hex');
}

interface Placed {
  readonly id: string;
  readonly status: string;
  readonly customer: { readonly id: number };
}

async function playOrder(
  access: Access,
  say: (line: string) => void,
  steps: readonly string[],
): Promise<string> {
  const { email } = await caseOf(access, 'customer');
  const order = await placeOrder(access, { email: email! });
  say(`order ${order.id}: placed, ${order.status}`);
  for (const action of steps) {
    const path = `/api/v1/sandbox/orders/${order.id}/play`;
    const { status } = await ask<Placed>(access, 'POST', path, { body: { action } });
    say(`order ${order.id}: ${action}, ${status}`);
  }
  return `order ${order.id}`;
}

async function placeOrder(access: Access, { email }: { readonly email: string }): Promise<Placed> {
  const { productOptionId } = await caseOf(access, 'product');
  return ask<Placed>(access, 'POST', '/api/v1/orders', {
    body: {
      type: 'pickup',
      lineItems: [{ productOptionId, quantity: 1 }],
      customer: { firstName: 'Ada', lastName: 'Moreno', email },
      idempotencyKey: uuidV4({ random: strongRandomBytes(16) }),
    },
  });
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

import { type Command, optional, type RemoteConfig, type Result } from './command.ts';
import { sandboxAccess } from './sandbox-client.ts';
import { plays } from './trigger-plays.ts';
import { UsageError } from './usage-error.ts';

/** The events that the command can bring about. */
export const triggeredEvents: readonly string[] = Object.keys(plays);

/** Why the other events that integrators read cannot be brought about, by the beginnings of their names. */
const outOfReach: readonly { readonly why: string; readonly types: readonly string[] }[] = [
  {
    why: 'happens while a sandbox is made or reset, and not again',
    types: ['organization.created', 'catalog.imported', 'stock.changed'],
  },
  {
    why: 'comes of what a terminal, a bank or the state answers',
    types: ['order.payment_changed', 'order.reported', 'report.'],
  },
  {
    why: 'is an act of the operator of the service',
    types: [
      'stock.repaired',
      'organization.suspended',
      'organization.resumed',
      'organization.ending',
      'organization.moved_out',
      'organization.moved_in',
    ],
  },
  {
    why: "is a change of the shop's settings, which its owner makes in the console",
    types: ['organization.updated', 'payment_type.', 'inventory_location.'],
  },
  {
    why: 'is done by the staff of a shop in the console; sandboxes have their steps of orders only',
    types: [
      ...[
        'order.updated',
        'order.slot_changed',
        'customer.merged',
        'customer.erased',
        'customer_group.',
        'queue.',
      ],
      ...['product.deleted', 'product_category.', 'product_sub_category.', 'brand.', 'tag.'],
      ...['stock.adjusted', 'stock.moved', 'package.', 'compliance_transfer.'],
      ...['inventory_vendor.', 'purchase_order.'],
    ],
  },
];

/** Why the command cannot bring an event about; undefined: it can, or integrators do not read such an event. */
export function whyNotTriggered(event: string): string | undefined {
  if (Object.hasOwn(plays, event)) return undefined;
  return outOfReach.find(({ types }) =>
    types.some((type) => event === type || (type.endsWith('.') && event.startsWith(type))),
  )?.why;
}

/** Brings about an event in a sandbox. */
export const triggerCommands: Readonly<Record<string, Command>> = {
  trigger: {
    summary: 'make an event happen in a sandbox, over HTTP: dispensary trigger order.fulfilled',
    argument: 'event',
    options: { url: optional('the address of the service; DISPENSARY_URL, or that of demo.json') },
    runRemote: (config, options) => trigger(config, options),
  },
};

async function trigger(config: RemoteConfig, options: Readonly<Record<string, string>>): Promise<Result> {
  const event = options.argument!;
  const play = Object.hasOwn(plays, event) ? plays[event] : undefined;
  if (play === undefined) {
    const why = whyNotTriggered(event);
    const reason = why === undefined ? '' : `; ${event} ${why}`;
    throw new UsageError(`event must be one of ${triggeredEvents.join(', ')}, not ${event}${reason}`);
  }
  const access = sandboxAccess(config, options);
  const lines: string[] = [];
  const subject = await play(access, (line) => lines.push(line));
  return { lines: [...lines, `${event}: ${subject}`], data: { event, subject, steps: lines } };
}

import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { List } from '../../platform/http/schemas.ts';
import { queueLineMax, selectQueueLine } from './queue-queries.ts';
import { QueueCustomer } from './queue-schemas.ts';
import { queueCustomer } from './shown-entry.ts';

const example = {
  id: 3101,
  email: 'marisol@customers.example.com',
  firstName: 'Marisol',
  lastName: 'Okafor',
  phone: '+14155550123',
  hashId: 'K7QX4M9R',
  birthday: '1988-02-29',
  isFirstTime: true,
};

/** Operation on the queue for integrators. */
export function queueRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listInstoreQueues',
      method: 'GET',
      path: '/api/v1/instore-queues',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List instore queues',
      description:
        'The customers who wait in the shop, oldest first: `intake` at the front desk, `pos` admitted and waiting for a station.',
      tag: 'Queue',
      success: {
        status: 200,
        data: Type.Object({
          intake: List(QueueCustomer, { description: 'Customers who check in', max: queueLineMax }),
          pos: List(QueueCustomer, { description: 'Customers who are served', max: queueLineMax }),
        }),
        description: 'The two lines',
        example: { intake: [example], pos: [] },
      },
      failures: [],
      handle: async ({ caller }) => {
        const [intake, pos] = await context.database.read(
          caller.organizationId,
          selectQueueLine({ line: 'intake' }),
          selectQueueLine({ line: 'pos' }),
        );
        return reply({ intake: intake.map(queueCustomer), pos: pos.map(queueCustomer) });
      },
    }),
  ];
}

import Type, { type Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Text } from '../../platform/http/schemas.ts';
import { checkIn, type Visitor } from './check-in.ts';
import { moveInQueue, type QueueMove } from './move-in-queue.ts';
import { queueLineMax, selectQueueLine } from './queue-queries.ts';
import { IntakeBody, QueueEntry } from './queue-schemas.ts';
import { queueEntry } from './shown-entry.ts';

const example = {
  entryId: 8101,
  id: 3101,
  email: 'marisol@customers.example.com',
  firstName: 'Marisol',
  lastName: 'Okafor',
  phone: '+14155550123',
  hashId: 'K7QX4M9R',
  birthday: '1988-02-29',
  isFirstTime: true,
  line: 'intake',
  checkedInAt: '2026-03-10T17:05:09.123Z',
  since: '2026-03-10T17:05:09.123Z',
  calledAt: null,
  leftAt: null,
  leftReason: null,
} as const;

const roles = ['owner', 'manager', 'budtender'] as const;

const operationIds = { admit: 'admitFromQueue', call: 'callInQueue', remove: 'removeFromQueue' } as const;

/** Operations on the queue for staff (D55). */
export function queueStaffRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;

  const move = (action: 'admit' | 'call', summary: string, description: string) =>
    staffEndpoint({
      ...ofEntry(action),
      summary,
      description,
      handle: async ({ staff, params, requestId }) =>
        reply(
          queueEntry(
            await moveInQueue(context, staffOrigin(staff, requestId), staff.organizationId, params.entryId, {
              action,
            }),
          ),
        ),
    });

  return [
    staffEndpoint({
      id: 'staffListInstoreQueues',
      method: 'GET',
      path: '/staff/v1/instore-queues',
      roles,
      kind: 'read',
      readsFrom: 'standby',
      exported: true,
      summary: 'List the queue',
      description:
        'The customers who wait in the shop, oldest first, with the entry ids for other operations.',
      tag: 'Queue',
      success: {
        status: 200,
        data: Type.Object({
          intake: List(QueueEntry, { max: queueLineMax }),
          pos: List(QueueEntry, { max: queueLineMax }),
        }),
        description: 'The two lines',
        example: { intake: [example], pos: [] },
      },
      failures: [],
      handle: async ({ staff }) => {
        const [intake, pos] = await database.read(
          staff.organizationId,
          selectQueueLine({ line: 'intake' }),
          selectQueueLine({ line: 'pos' }),
        );
        return reply({ intake: intake.map(queueEntry), pos: pos.map(queueEntry) });
      },
    }),
    staffEndpoint({
      id: 'checkInToQueue',
      method: 'POST',
      path: '/staff/v1/instore-queues/intake',
      roles,
      kind: 'write',
      summary: 'Check in a customer',
      description:
        'Adds an existing customer, or a person, to the end of the front desk line. A person is matched by email and phone as on an order, and created if unknown. A customer who already waits keeps their place, which is the response.',
      tag: 'Queue',
      body: IntakeBody,
      requestExample: {
        person: {
          firstName: 'Marisol',
          lastName: 'Okafor',
          email: 'marisol@customers.example.com',
          phone: '+14155550123',
          birthday: '1988-02-29',
        },
      },
      success: { status: 201, data: QueueEntry, description: 'The place', example },
      failures: ['USER_NOT_FOUND', 'CUSTOMER_UNDERAGE', 'CUSTOMER_ERASED'],
      handle: async ({ staff, body, requestId }) =>
        reply(
          queueEntry(
            await checkIn(context, staffOrigin(staff, requestId), staff.organizationId, visitorOf(body)),
          ),
        ),
    }),
    move(
      'admit',
      'Admit a customer',
      'Moves a customer from the front desk to the end of the line for a station. An admitted customer stays where they are.',
    ),
    move(
      'call',
      'Call a customer',
      'Records that the customer was called, and notifies clients that follow the queue.',
    ),
    staffEndpoint({
      ...ofEntry('remove'),
      summary: 'Remove a customer from the queue',
      description: 'Removes a customer from the queue. After another check-in, they are at the end.',
      body: Type.Object({ reason: Type.Optional(Text({ max: 200 })) }),
      requestExample: { reason: 'Served' },
      handle: async ({ staff, params, body, requestId }) => {
        const remove: QueueMove = { action: 'remove', reason: body.reason?.trim() || null };
        const by = staffOrigin(staff, requestId);
        return reply(
          queueEntry(await moveInQueue(context, by, staff.organizationId, params.entryId, remove)),
        );
      },
    }),
  ];
}

/** The common part of all staff actions on an entry. */
function ofEntry<Action extends QueueMove['action']>(action: Action) {
  return {
    id: operationIds[action],
    method: 'POST',
    path: `/staff/v1/instore-queues/{entryId}/${action}`,
    roles,
    kind: 'write',
    tag: 'Queue',
    params: Type.Object({ entryId: Id() }),
    resourceParams: { entryId: 'QUEUE_ENTRY_NOT_FOUND' },
    success: { status: 200, data: QueueEntry, description: 'The place afterwards', example },
    failures: ['QUEUE_ENTRY_NOT_FOUND'],
  } as const;
}

function visitorOf({ customerId, person }: Static<typeof IntakeBody>): Visitor {
  if (customerId !== undefined && person !== undefined) {
    throw failure('INVALID_PARAMS', 'customerId and person must not both be given.');
  }
  if (customerId !== undefined) return { customerId };
  if (person === undefined) {
    throw failure('MISSING_PARAMS', 'customerId or person must be given.', { missing: ['customerId'] });
  }
  for (const name of ['firstName', 'lastName'] as const) {
    if (person[name].trim() === '') throw failure('INVALID_PARAMS', `person.${name} must not be blank.`);
  }
  return { person };
}

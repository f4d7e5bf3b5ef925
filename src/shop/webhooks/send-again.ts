import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { eventFeedOf } from '../../platform/events/event-feed.ts';
import { cursorText, type FeedCursor, readCursor } from '../../platform/events/feed-cursor.ts';
import { assertMayManage, assertReadsAll, refuseToRepeatCodes } from './code-endpoints.ts';
import { messageBody } from './delivery-message.ts';
import {
  insertDeliveries,
  resetDelivery,
  selectDelivery,
  type WebhookDeliveryRow,
} from './delivery-queries.ts';
import { endpointNotFound, type WebhookManager, type WebhookService } from './manage-endpoints.ts';
import { testEventType } from './test-event.ts';
import { lockWebhookEndpoint, setWebhookPosition } from './webhook-queries.ts';

/**
 * Sends a delivery again: soon, and with all attempts of a new one. Fails with WEBHOOK_ENDPOINT_NOT_FOUND or
 * WEBHOOK_DELIVERY_NOT_FOUND.
 */
export async function sendAgain(
  { context }: Pick<WebhookService, 'context'>,
  manager: WebhookManager,
  endpointId: number,
  id: number,
): Promise<WebhookDeliveryRow> {
  const { origin, organization, integratorId } = manager;
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[endpoint], [reset], [delivery]] = await tx.run(
      lockWebhookEndpoint({ id: endpointId, integratorId }),
      resetDelivery({ endpointId, id, at: isoTimestamp(nowMs) }),
      selectDelivery({ endpointId, id }),
    );
    if (endpoint === undefined) throw endpointNotFound();
    assertMayManage(manager, endpoint.types);
    assertReadsAll(manager, endpoint);
    refuseToRepeatCodes(endpoint.types);
    if (reset === undefined || delivery === undefined) {
      throw failure('WEBHOOK_DELIVERY_NOT_FOUND', 'There is no such delivery.');
    }
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.sent_again',
      subjectType: 'webhook_endpoint',
      subjectId: endpointId,
      payload: { webhookEndpointId: endpointId, webhookDeliveryId: id },
    });
    return delivery;
  });
}

/** Where sending again begins: behind a cursor, or at a time. */
interface SendSince {
  readonly cursor?: string | undefined;
  readonly since?: string | undefined;
}

/**
 * Sends everything behind a cursor, or since a time, again. Fails with WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_PARAMS,
 * INVALID_CURSOR or CURSOR_EXPIRED.
 */
export async function sendSince(
  { context }: Pick<WebhookService, 'context'>,
  manager: WebhookManager,
  endpointId: number,
  begin: SendSince,
): Promise<void> {
  const { origin, organization, integratorId } = manager;
  const cursor = await cursorOf(context, organization, begin);
  const page = await eventFeedOf(context.database).after(organization, cursor, 1);
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [[endpoint]] = await tx.run(lockWebhookEndpoint({ id: endpointId, integratorId }));
    if (endpoint === undefined) throw endpointNotFound();
    assertMayManage(manager, endpoint.types);
    refuseToRepeatCodes(endpoint.types);
    if (page === null) throw failure('CURSOR_EXPIRED', 'The changes after this cursor are no longer kept.');
    // A cursor behind what the endpoint has reached leaves nothing out.
    const position = Math.min(cursor.position, endpoint.position);
    tx.queue(setWebhookPosition({ id: endpointId, position }));
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.sent_again',
      subjectType: 'webhook_endpoint',
      subjectId: endpointId,
      payload: { webhookEndpointId: endpointId, cursor: cursorText(cursor) },
    });
  });
}

async function cursorOf(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  { cursor: text, since }: SendSince,
): Promise<FeedCursor> {
  if ((text === undefined) === (since === undefined)) {
    throw failure('INVALID_PARAMS', 'Send either cursor or since.');
  }
  if (since !== undefined) return eventFeedOf(database).before(organization, isoTimestamp(Date.parse(since)));
  const cursor = readCursor(text!);
  if (cursor === null) throw failure('INVALID_CURSOR', 'cursor must be the id of a change.');
  return cursor;
}

/** Sends an event of its own, which no other endpoint gets. Fails with WEBHOOK_ENDPOINT_NOT_FOUND. */
export async function sendTest(
  { context }: Pick<WebhookService, 'context'>,
  manager: WebhookManager,
  endpointId: number,
): Promise<WebhookDeliveryRow> {
  const { origin, organization, integratorId } = manager;
  const [id, eventId] = await context.ids.take(2);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const messageId = `test-${eventId!.toString(36)}`;
  const change = {
    id: messageId,
    type: testEventType,
    at,
    resource: { type: 'webhook_endpoint', id: String(endpointId) },
    facts: { webhookEndpointId: endpointId },
  };
  return context.database.write(organization, async (tx) => {
    const [[endpoint]] = await tx.run(lockWebhookEndpoint({ id: endpointId, integratorId }));
    if (endpoint === undefined) throw endpointNotFound();
    assertMayManage(manager, endpoint.types);
    await tx.run(
      ...insertDeliveries([
        {
          id: id!,
          endpointId,
          eventId: eventId!,
          position: 0,
          messageId,
          type: testEventType,
          resource: messageId,
          body: messageBody(testEventType, nowMs, JSON.stringify(change)),
          nextAttemptAt: at,
          createdAt: at,
        },
      ]),
    );
    const [[delivery]] = await tx.run(selectDelivery({ endpointId, id: id! }));
    await announce(tx, context, origin, nowMs, {
      event: 'webhook_endpoint.tested',
      subjectType: 'webhook_endpoint',
      subjectId: endpointId,
      payload: { webhookEndpointId: endpointId, webhookDeliveryId: id! },
    });
    return delivery!;
  });
}

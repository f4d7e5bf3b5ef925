import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type AbsentField, type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { addLoyaltyEvent } from './add-loyalty-event.ts';
import { LoyaltyEventBody, LoyaltyEventShape } from './customer-schemas.ts';
import { isBlank } from './find-customer.ts';

/** Operation on customers' points for integrators. */
export function loyaltyEventRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'addLoyaltyEvent',
      method: 'POST',
      path: '/api/v1/loyalty-events',
      address: 'base',
      permission: 'customers',
      publishableKey: 'refused',
      kind: 'write',
      summary: 'Add loyalty points',
      description:
        'Adds points to a customer or removes them. Safe to retry with `idempotencyKey`: if an event exists for the key, it is the response (with the header `Idempotent-Replayed: true`) to any valid body; a refused attempt leaves the key free.',
      tag: 'Customers',
      body: LoyaltyEventBody,
      alsoMissing: missingCustomer,
      requestExample: {
        customerId: 3101,
        pointsAmount: 25,
        reason: 'Brought a friend',
        idempotencyKey: '0f9f1a53-3c1b-4e02-9a53-5b7c1f6f2d11',
      },
      success: {
        status: 200,
        data: LoyaltyEventShape,
        description: 'The event',
        example: {
          id: 5201,
          organizationId: 1001,
          userId: 3101,
          type: 'open-api',
          pointsAmount: 25,
          reason: 'Brought a friend',
          createdAt: '2026-03-10T17:05:09.123Z',
          updatedAt: '2026-03-10T17:05:09.123Z',
        },
      },
      failures: ['INVALID_IDEMPOTENCY_KEY', 'USER_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ caller, body, requestId }) => {
        const { event, replayed } = await addLoyaltyEvent(
          context,
          { actor: `key:${caller.clientKeyId}`, requestId },
          caller.organizationId,
          caller.integratorId,
          {
            customer: { id: body.customerId, email: body.customerEmail, phone: body.customerPhone },
            pointsAmount: pointsText(body.pointsAmount),
            reason: body.reason,
            idempotencyKey: body.idempotencyKey?.toLowerCase() ?? null,
          },
        );
        const at = isoTimestamp(event.created_at);
        return reply(
          {
            id: event.id,
            organizationId: caller.organizationId,
            userId: event.user_id,
            type: 'open-api',
            pointsAmount: Number(event.points_amount),
            reason: event.reason,
            createdAt: at,
            updatedAt: at,
          },
          replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {},
        );
      },
    }),
  ];
}

/** The number as text: its shortest text is what was sent, so no float arithmetic is involved. */
function pointsText(points: number): string {
  const text = String(points);
  if (!/^-?\d+(?:\.\d{1,2})?$/.test(text) || points === 0) {
    throw failure('INVALID_PARAMS', 'pointsAmount must be a number other than 0 with at most 2 decimals');
  }
  return text;
}

/** D38: the request must name a customer. */
function missingCustomer(body: unknown): AbsentField[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const { customerId, customerEmail, customerPhone } = body as Record<string, unknown>;
  const isNamed = customerId !== undefined || !isBlank(customerEmail) || !isBlank(customerPhone);
  return isNamed ? [] : [['customerId', 'customerEmail', 'customerPhone']];
}

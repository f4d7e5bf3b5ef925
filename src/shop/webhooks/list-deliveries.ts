import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { SortQuery } from '../../kernel/list-sort.ts';
import type { Context } from '../../platform/database/context.ts';
import { assertReadsAll } from './code-endpoints.ts';
import { deliveryList, selectDelivery, type WebhookDeliveryRow } from './delivery-queries.ts';
import { endpointNotFound, type WebhookManager } from './manage-endpoints.ts';
import { selectWebhookEndpoint } from './webhook-queries.ts';

/** A page of deliveries, newest first unless turned. Fails with WEBHOOK_ENDPOINT_NOT_FOUND, INSUFFICIENT_PERMISSIONS or INVALID_CURSOR. */
export async function deliveryPage(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  {
    integratorId,
    permissions,
    endpointId,
  }: Pick<WebhookManager, 'integratorId' | 'permissions'> & { readonly endpointId: number },
  query: SortQuery<'createdAt'> & { readonly startingAfter?: number | undefined },
): Promise<WebhookDeliveryRow[]> {
  const { startingAfter } = query;
  const [[endpoint], page, cursor] = await database.read(
    organization,
    selectWebhookEndpoint({ id: endpointId, integratorId }),
    deliveryList.page(query, { endpointId }),
    startingAfter === undefined ? null : selectDelivery({ endpointId, id: startingAfter }),
  );
  if (endpoint === undefined) throw endpointNotFound();
  assertReadsAll({ permissions }, endpoint);
  if (startingAfter !== undefined && cursor.length === 0) {
    throw failure('INVALID_CURSOR', 'startingAfter must be the id of a delivery of this endpoint.');
  }
  return page;
}

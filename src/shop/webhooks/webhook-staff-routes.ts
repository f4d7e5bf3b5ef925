import Type, { type TObject, type TSchema } from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { type RowSorts, sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { List, Text } from '../../platform/http/schemas.ts';
import { readTotal } from '../../platform/lists/read-total.ts';
import { publicEventOf } from '../changes/changes.ts';
import { codeEventType } from './code-endpoints.ts';
import { countDeliveries, deliveryList } from './delivery-queries.ts';
import type { WebhookService } from './manage-endpoints.ts';
import { type WebhookOperation, webhookOperations } from './webhook-operations.ts';
import {
  ownerExample,
  StaffCreateWebhookEndpointBody,
  StaffWebhookEndpoint,
  StaffWebhookEndpointWithSecret,
  shownToStaff,
} from './webhook-schemas.ts';
import { webhookWords } from './webhook-words.ts';

/** Staff's operations on the webhook endpoints of all integrators. */
export function webhookStaffRoutes(service: WebhookService): StaffEndpoint[] {
  const operations = webhookOperations(service, {
    data: StaffWebhookEndpoint,
    dataWithSecret: StaffWebhookEndpointWithSecret,
    example: ownerExample,
    createBody: StaffCreateWebhookEndpointBody,
    createExample: { clientKeyId: 1_001 },
    createWords: webhookWords.codes,
    createFailures: ['CLIENT_KEY_NOT_FOUND'],
    updateUrl: 'https://hooks.example.com/moved',
    listWords: 'The endpoints of all integrators. `meta.types` lists the events that an endpoint may get.',
    endpointsMax: 10_000,
    shown: shownToStaff,
  });
  const types = service.eventTypes.filter((type) => publicEventOf(type) !== null);
  return operations.map((operation) => {
    const { handle, id, path, ...shared } = operation;
    const more = moreOf(operation, service.context, types);
    return staffEndpoint({
      roles: ['manager'],
      tag: 'Webhooks',
      ...shared,
      ...more?.declared,
      id: `staff${id[0]!.toUpperCase()}${id.slice(1)}`,
      path: `/staff/v1/webhook-endpoints${path}`,
      success: { ...shared.success, ...more?.success },
      handle: async ({ staff, requestId, ...sent }) => {
        const answer = await handle({
          ...sent,
          clientKeyId: null,
          manager: {
            origin: staffOrigin(staff, requestId),
            organization: staff.organizationId,
            integratorId: null,
            mayCarryCodes: staff.role === 'owner',
            permissions: null,
          },
        });
        if (more === null || answer.kind !== 'json') return answer;
        return reply(answer.data, { meta: await more.meta(staff, sent.params) });
      },
    });
  });
}

/** What lists have for staff beside the rows. */
interface StaffList {
  readonly declared: {
    readonly exported: { readonly not: string };
    readonly sorts?: RowSorts<unknown>;
    readonly query?: TObject;
  };
  readonly success: { readonly meta: TSchema; readonly metaExample: object };
  meta(staff: StaffCaller, params: object): Promise<object>;
}

function moreOf(
  { id, query }: WebhookOperation,
  { database }: Context,
  types: readonly string[],
): StaffList | null {
  if (id === 'listWebhookEndpoints') {
    return {
      declared: {
        exported: { not: 'settings of integrators; their secrets cannot be exported' },
        sorts: {
          id: 'ascending',
          url: 'ascending',
          integratorName: 'ascending',
          createdAt: 'descending',
          lastSuccessAt: 'descending',
        },
      },
      success: {
        meta: Type.Object({ types: List(Text({ max: 100 }), { max: 500 }) }),
        metaExample: { types: ['order.placed', 'product.updated'] },
      },
      meta: async (staff: StaffCaller) => ({
        types: [...types, ...(staff.role === 'owner' ? [codeEventType] : [])],
      }),
    };
  }
  if (id === 'listWebhookDeliveries') {
    const page = query as TObject;
    return {
      declared: {
        exported: { not: 'a log with a retention of 30 days' },
        query: Type.Object({ ...sortFields(deliveryList.sorts), ...page.properties }),
      },
      success: { meta: ListTotal, metaExample: listTotalExample },
      meta: (staff: StaffCaller, params: object) => {
        const { webhookEndpointId: endpointId } = params as { webhookEndpointId: number };
        return readTotal(database, staff.organizationId, countDeliveries({ endpointId }));
      },
    };
  }
  return null;
}

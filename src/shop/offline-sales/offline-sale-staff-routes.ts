import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, replyRawJson, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Flag, Id, List, NonBlankText, Nullable, withErrorCode } from '../../platform/http/schemas.ts';
import type { MasterKeys } from '../../platform/storage/master-keys.ts';
import { settingsReaders } from '../settings/settings-schemas.ts';
import { makeOfflineTerms } from './make-offline-terms.ts';
import { selectOfflineLimits } from './offline-limit-queries.ts';
import { offlineSaleList, offlineSalesPerPage } from './offline-sale-queries.ts';
import {
  OfflineSaleBody,
  OfflineSaleSettings,
  OfflineSettingsBody,
  OfflineTerms,
  offlineSaleBodyExample,
  offlineSaleExample,
  offlineSettingsExample,
  offlineTermsExample,
  StaffOfflineSale,
} from './offline-sale-schemas.ts';
import { offlineSalePage, shownOfflineSaleById } from './offline-sale-view.ts';
import { signingKey } from './register-keys.ts';
import { changedAtMs, offlineSettings, setOfflineLimits } from './set-offline-limits.ts';
import { settleOfflineSale } from './settle-offline-sale.ts';
import { takeOfflineSale } from './take-offline-sale.ts';

const roles = ['owner', 'manager', 'budtender'] as const;
const ofRegister = {
  params: Type.Object({ registerId: Id() }),
  resourceParams: { registerId: 'REGISTER_NOT_FOUND' },
} as const;
const settingsPath = '/staff/v1/offline-sale-settings';

/** Terms are issued for a quarter of an hour at a time, so that a register that has them gets 304. */
const issueMs = 15 * 60_000;

/** Operations on sales that registers make while they cannot reach the service (D75). */
export function offlineSaleStaffRoutes(context: Context, keys: () => MasterKeys): StaffEndpoint[] {
  return [
    ...settingsEndpoints(context),
    termsEndpoint(context, keys),
    takeEndpoint(context, keys),
    listEndpoint(context),
    settleEndpoint(context),
  ];
}

function settingsEndpoints(context: Context): StaffEndpoint[] {
  const example = { ...offlineSettingsExample, updatedAt: '2026-03-01T17:05:09.123Z' };
  const success = { status: 200, data: OfflineSaleSettings, description: 'The settings', example } as const;
  const shown = async (organization: Parameters<Context['database']['read']>[0]) => {
    const [rows] = await context.database.read(organization, selectOfflineLimits({}));
    const atMs = changedAtMs(rows);
    return { ...offlineSettings(rows), updatedAt: atMs === null ? null : isoTimestamp(atMs) };
  };
  return [
    staffEndpoint({
      id: 'getOfflineSaleSettings',
      method: 'GET',
      path: settingsPath,
      roles: settingsReaders,
      kind: 'read',
      summary: 'Retrieve the limits of offline sales',
      description: 'Off until an owner switches them on.',
      tag: 'Settings',
      success,
      failures: [],
      handle: async ({ staff }) => reply(await shown(staff.organizationId)),
    }),
    staffEndpoint({
      id: 'setOfflineSaleSettings',
      method: 'PUT',
      path: settingsPath,
      roles: ['owner'],
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set the limits of offline sales',
      description:
        'Replaces the settings: whether registers sell while the service cannot be reached, for how long on the terms that they last had, and the most for one sale and for all sales of an outage. Registers follow with their next terms.',
      tag: 'Settings',
      body: OfflineSettingsBody,
      requestExample: offlineSettingsExample,
      success,
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      handle: async ({ staff, requestId, body, expectedUpdatedAtMs }) => {
        const ids = body.locations.map(({ inventoryLocationId }) => inventoryLocationId);
        if (new Set(ids).size < ids.length) {
          throw failure('INVALID_PARAMS', 'locations must name each location once.');
        }
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await setOfflineLimits(context, origin, staff.organizationId, body);
        return reply(await shown(staff.organizationId));
      },
    }),
  ];
}

function termsEndpoint(context: Context, keys: () => MasterKeys): StaffEndpoint {
  return staffEndpoint({
    id: 'getOfflineTerms',
    method: 'GET',
    path: '/staff/v1/registers/{registerId}/offline-terms',
    ...ofRegister,
    roles,
    kind: 'read',
    emptyInDemo: 'off until an owner wants them',
    summary: 'Retrieve the terms of offline sales',
    description:
      'What a register needs to sell while it cannot reach the service: the catalog with prices and stock as last known, taxes, limits, and the discounts that ask nothing of a customer. They are issued for a quarter of an hour at a time; `signingKey` is for you at this register and on these terms only: it signs no sale of another member of staff.',
    tag: 'Registers',
    success: {
      status: 200,
      data: Nullable(OfflineTerms),
      description: 'The terms; null: registers of this location do not sell offline',
      example: offlineTermsExample,
      revalidates: true,
    },
    failures: ['REGISTER_NOT_FOUND'],
    handle: async ({ staff, params: { registerId } }) => {
      const { organizationId: organization, staffId } = staff;
      const made = await makeOfflineTerms(context, organization, registerId);
      if (made === null)
        return replyRawJson('{"data":null}', { headers: { 'cache-control': 'private, no-cache' } });
      const { limits, text, version } = made;
      const issuedAtMs = Math.floor(context.clock.now() / issueMs) * issueMs;
      const issuedAt = isoTimestamp(issuedAtMs);
      const validUntil = isoTimestamp(issuedAtMs + limits.hoursMax * 3_600_000);
      const [master] = await keys().load((count) => context.randomBytes(count));
      const key = signingKey(master, { organization, registerId, staffId, version, issuedAt, validUntil });
      const { saleMax, outageMax } = limits;
      const data = {
        ...{ version, issuedAt, validUntil, keyName: master.id, saleMax, outageMax },
        ...{ signingKey: key.toString('base64'), terms: text },
      };
      const etag = `"${[version, issuedAtMs, limits.hoursMax, saleMax, outageMax, master.id, staffId].join('.')}"`;
      return replyRawJson(JSON.stringify({ data }), {
        etag,
        headers: { 'cache-control': 'private, no-cache' },
      });
    },
  });
}

function takeEndpoint(context: Context, keys: () => MasterKeys): StaffEndpoint {
  return staffEndpoint({
    id: 'takeOfflineSale',
    method: 'POST',
    path: '/staff/v1/registers/{registerId}/offline-sales',
    ...ofRegister,
    roles,
    kind: 'write',
    summary: 'Send a sale that was made offline',
    description:
      'Places and fulfills an order with the time of the sale, at the amounts that were charged, in the drawer session of that time. What the service would have refused or charged otherwise is placed all the same: `doubts` says what is to be reviewed. A `saleKey` places one order, whatever is sent again. A sale is signed by the key of the person who sold. Sent by another person, it is placed for review (`seller-is-not-sender`) and judged by the lower of the two roles. A time that cannot be right (`clock`), or more than seven days before its arrival, is kept, and the order is booked at its arrival. Signed by the register alone, as by terms of a former release, it is placed for review. Without a valid signature it is refused, unless the caller opened the drawer of that time: then it is placed for review.',
    tag: 'Registers',
    body: OfflineSaleBody,
    requestExample: offlineSaleBodyExample,
    success: { status: 201, data: StaffOfflineSale, description: 'The sale', example: offlineSaleExample },
    failures: [
      ...(['REGISTER_NOT_FOUND', 'OFFLINE_SALE_NOT_SIGNED', 'OFFLINE_SALE_DIFFERS'] as const),
      ...([
        'PRODUCT_OPTION_NOT_FOUND',
        'PACKAGE_NOT_FOUND',
        'PAYMENT_TYPE_NOT_FOUND',
        'DISCOUNT_NOT_FOUND',
      ] as const),
      'TRANSACTION_RETRY_EXCEEDED',
    ],
    handle: async ({ staff, requestId, params, body: { signature, ...sale } }) => {
      const { organizationId, staffId } = staff;
      const sent = {
        sale: { ...sale, saleKey: sale.saleKey.toLowerCase() },
        signature: signature ?? undefined,
      };
      const { id, replayed } = await takeOfflineSale(
        context,
        keys(),
        staffOrigin(staff, requestId),
        organizationId,
        staffId,
        params.registerId,
        sent,
      );
      return reply(
        await shownOfflineSaleById(context, organizationId, id),
        replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {},
      );
    },
  });
}

function listEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'listOfflineSales',
    method: 'GET',
    path: '/staff/v1/offline-sales',
    roles,
    kind: 'read',
    readsFrom: 'standby',
    list: {
      staysSmall: 'sales without a connection are few',
      notInConsole: {
        soldAt: 'a list of cards to settle, the oldest first',
        receivedAt: 'a list of cards to settle, the oldest first',
        total: 'a list of cards to settle, the oldest first',
      },
    },
    emptyInDemo: 'off until an owner wants them',
    summary: 'List offline sales',
    description: `Sales that registers made alone, the latest first, ${offlineSalesPerPage} a page.`,
    tag: 'Registers',
    query: Type.Object({
      needsReview: Type.Optional(
        Flag({ description: 'Those that are flagged and not settled, or all others' }),
      ),
      registerId: Type.Optional(Id()),
      ...sortFields(offlineSaleList.sorts),
      startingAfter: Type.Optional(
        withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(StaffOfflineSale, { max: offlineSalesPerPage }),
      meta: ListTotal,
      description: 'A page of sales',
      example: [offlineSaleExample],
      metaExample: listTotalExample,
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const { sales, count } = await offlineSalePage(context, staff.organizationId, query);
      return reply(sales, { meta: count });
    },
  });
}

function settleEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'settleOfflineSale',
    method: 'POST',
    path: '/staff/v1/offline-sales/{offlineSaleId}/settle',
    params: Type.Object({ offlineSaleId: Id() }),
    resourceParams: { offlineSaleId: 'OFFLINE_SALE_NOT_FOUND' },
    roles: ['owner', 'manager'],
    kind: 'write',
    summary: 'Settle a flagged offline sale',
    description:
      'Ends the review of a sale with a note of what was done. A person who sold it or sent it cannot settle it. The order stays as it is: return it, count the stock or move cash with their own operations.',
    tag: 'Registers',
    body: Type.Object({ note: NonBlankText({ max: 1000 }) }),
    requestExample: { note: 'Counted again, two jars were on the shelf' },
    success: {
      status: 200,
      data: StaffOfflineSale,
      description: 'The sale',
      example: { ...offlineSaleExample, needsReview: false },
    },
    failures: ['OFFLINE_SALE_NOT_FOUND', 'OFFLINE_SALE_SETTLED', 'OFFLINE_SALE_IS_OWN'],
    handle: async ({ staff, requestId, params, body }) => {
      const { organizationId, staffId } = staff;
      await settleOfflineSale(context, staffOrigin(staff, requestId), organizationId, params.offlineSaleId, {
        staffId,
        note: body.note.trim(),
      });
      return reply(await shownOfflineSaleById(context, organizationId, params.offlineSaleId));
    },
  });
}

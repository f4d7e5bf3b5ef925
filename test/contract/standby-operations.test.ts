import { afterAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { startTestService } from '../harness/test-service.ts';

const service = await startTestService();
afterAll(() => service.close());

const all: readonly AnyEndpoint[] = [...service.endpoints, ...service.staffEndpoints];
const marked = all.filter(({ readsFrom }) => readsFrom === 'standby');

/** Lists that the primary answers. */
const onPrimary: Readonly<Record<string, string>> = {
  listClientKeys: 'keys',
  listIntegrators: 'keys',
  listIntegratorHealth:
    'the log of requests is committed without waiting for the disk, so its place in the log is not known',
  listApiRequests: 'the log of requests, as above',
  listOwnRequests: 'the log of requests, as above',
  listParkedCarts: 'a few rows that another register takes at any moment',
  listStaff: 'accounts and their sessions',
  listMySessions: 'accounts and their sessions',
  listStaffSessions: 'accounts and their sessions',
  listMyPasskeys: 'accounts and their passkeys',
  listMails: 'codes and links that a customer waits for',
  listOrderStatuses: 'looks orders up by their ids, like a read of one order',
  listPageOrders: 'the page of a customer who has just ordered',
  listWebhookEndpoints: 'what the sender of webhooks goes by',
  listWebhookDeliveries: 'what the sender of webhooks goes by',
  staffListWebhookEndpoints: 'what the sender of webhooks goes by',
  staffListWebhookDeliveries: 'what the sender of webhooks goes by',
};

test('only operations that change nothing read from a standby', () => {
  expect(marked.filter(({ method, kind }) => method !== 'GET' || kind !== 'read')).toEqual([]);
});

test('every list reads from a standby, or says here why not', () => {
  const isList = ({ success }: AnyEndpoint) => (success.data as { type?: string })?.type === 'array';
  const lists = all.filter((endpoint) => endpoint.method === 'GET' && isList(endpoint));
  const others = lists.filter(({ readsFrom }) => readsFrom === undefined).map(({ id }) => id);
  expect(others.sort()).toEqual(Object.keys(onPrimary).sort());
});

test('besides lists, reports, checksums and the end of the feed read from a standby, and nothing else', () => {
  const isList = ({ success }: AnyEndpoint) => (success.data as { type?: string })?.type === 'array';
  expect(
    marked
      .filter((endpoint) => !isList(endpoint))
      .map(({ id }) => id)
      .sort(),
  ).toEqual([
    'getCustomersChecksum',
    'getInventoryValueReport',
    'getLatestChange',
    'getOrdersChecksum',
    'getPackagesChecksum',
    'getProductsChecksum',
    'getPurchaseOrdersChecksum',
    'getPurchaseSuggestions',
    'getSalesReport',
    'getTaxReport',
    // Two lists in one.
    'listInstoreQueues',
    'staffListInstoreQueues',
  ]);
});

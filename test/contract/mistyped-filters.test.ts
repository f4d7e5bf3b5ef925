import { afterAll, afterEach, expect, test } from 'vitest';
import type { StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import { startTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';
import { pathOf, propertyNames } from './contract-world.ts';

/* A filter that is ignored for its name answers with everything. So staff's lists, reports and single reads refuse it. */

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);

const reads = service.staffEndpoints.filter(({ method, roles }) => method === 'GET' && roles !== 'anyone');
const ask = (endpoint: StaffEndpoint, query: Readonly<Record<string, string>>) => {
  const ids = Object.fromEntries(propertyNames(endpoint.params).map((name) => [name, 1]));
  return owner.call('GET', pathOf(endpoint, ids), undefined, { query });
};

test('every read of staff refuses a name in the query that it does not know', async () => {
  expect(reads.length).toBeGreaterThan(80);
  const taken: unknown[] = [];
  for (const endpoint of reads) {
    const required = { from: '2026-03-01', to: '2026-03-02' };
    const names = propertyNames(endpoint.query);
    const given = Object.fromEntries(Object.entries(required).filter(([name]) => names.includes(name)));
    const { status, error } = await ask(endpoint, { ...given, quux: '1' });
    if (status !== 400 || !['INVALID_PARAMS', 'MISSING_PARAMS'].includes(error?.code ?? '')) {
      taken.push([endpoint.id, status, error?.code]);
    }
  }
  expect(taken).toEqual([]);
});

test('the refusal of a mistyped filter names the nearest one', async () => {
  for (const [path, mistyped, meant] of [
    ['/staff/v1/orders', 'statsu', 'status'],
    ['/staff/v1/customers', 'serach', 'search'],
    ['/staff/v1/products', 'actve', 'active'],
    ['/staff/v1/audit-log', 'acter', 'actor'],
    ['/staff/v1/orders', 'Status', 'status'],
  ] as const) {
    const { status, error } = await owner.call('GET', path, undefined, { query: { [mistyped]: 'new' } });
    expect([path, mistyped, status]).toEqual([path, mistyped, 400]);
    expect(error?.message).toContain(`${mistyped} is not known; the nearest is ${meant}`);
  }
});

test('every read of staff by days takes the first and the last day of the calendar', async () => {
  const faulty: unknown[] = [];
  const byDays = reads.filter(({ query }) => propertyNames(query).includes('to'));
  expect(byDays.length).toBeGreaterThan(5);
  for (const endpoint of byDays) {
    for (const day of ['0001-01-01', '9999-12-31']) {
      const { status, error } = await ask(endpoint, { from: day, to: day });
      if (status >= 500) faulty.push([endpoint.id, day, error]);
    }
  }
  expect(faulty).toEqual([]);
});

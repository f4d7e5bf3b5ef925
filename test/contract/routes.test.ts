import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../harness/test-service.ts';
import { createTenant, pathOf, validRequest } from './contract-world.ts';

const service = await startTestService();
const tenant = await createTenant(service);
afterAll(() => service.close());

const { endpoints } = service;
const keys = tenant.shop.keys;
const paths = [...new Set(endpoints.map(({ path }) => path))];

/** D1 and, for the shop, D68. */
const menuPaths = ['/api/v1/menu', '/api/v1/products/all', '/api/v1/products/tags', '/api/v1/shop'];

test('every operation asks for a permission, except those that every key may use (D57, D60, D64, D66, D76)', () => {
  const free = endpoints.filter(({ permission }) => permission === null).map(({ path }) => path);
  const ofWebhooks = free.filter((path) => path.startsWith('/api/v1/webhook-endpoints'));
  expect(free).toEqual([
    '/api/v1/whoami',
    '/api/v1/requests',
    '/api/v1/changes',
    '/api/v1/changes/latest',
    ...ofWebhooks,
    '/api/v1/sandbox',
    '/api/v1/sandbox/clock',
    '/api/v1/sandbox/reset',
  ]);
});

test('the operations of the menu are marked for the menu address (D1)', () => {
  for (const { path, address } of endpoints) {
    expect([path, address]).toEqual([path, menuPaths.includes(path) ? 'menu' : 'base']);
  }
});

test('only the menu and the list of all products count in the menu group (D10)', () => {
  const inMenuGroup = endpoints.filter(({ rateGroup }) => rateGroup === 'menu').map(({ path }) => path);
  expect(inMenuGroup.sort()).toEqual([...menuPaths].sort());
});

test('a staff path at the menu address gets a 404 that names the base address; an unknown path names none', async () => {
  const asked = async (path: string, address: 'base' | 'menu') =>
    (await service.call('GET', path, { address })).error?.message;
  expect(await asked('/staff/v1/orders/x', 'menu')).toMatch(/ base address, https:/);
  for (const address of ['base', 'menu'] as const) {
    expect(await asked('/api/v1/nothing', address)).toBe('There is no such path at this address.');
  }
});

describe.each(paths)('%s', (path) => {
  const here = endpoints.filter((endpoint) => endpoint.path === path);
  const [endpoint] = here;
  const url = pathOf(endpoint!, validRequest(endpoint!, tenant).params);
  const methods = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

  if (endpoint!.address === 'menu') {
    test('is served at both addresses alike', async () => {
      const [atBase, atMenu] = await Promise.all(
        (['base', 'menu'] as const).map((address) => service.call('GET', url, { keys, address })),
      );
      expect([atBase!.status, atBase!.text]).toEqual([200, atMenu!.text]);
      expect(atBase!.headers.etag).toBe(atMenu!.headers.etag);
    });
  } else {
    test('is a 404 at the menu address, which names the base address, with valid keys and with none', async () => {
      for (const request of [{ keys }, {}]) {
        for (const { method } of here) {
          const reply = await service.call(method, url, { ...request, address: 'menu' });
          expect(reply).toMatchObject({ status: 404, error: { code: 'ROUTE_NOT_FOUND' } });
          expect(reply.error?.message).toMatch(
            /It is served at the base address, https:\/\/shop\.example\.com\.$/,
          );
        }
      }
    });
  }

  test('matches only its exact spelling', async () => {
    for (const other of [
      `${url}//`,
      `${url}/x/y`,
      url.replace('/api/v1', '/API/v1'),
      url.replace('v1', 'v2'),
    ]) {
      const reply = await service.call('GET', other, { keys });
      expect([other, reply.status, reply.error?.code]).toEqual([other, 404, 'ROUTE_NOT_FOUND']);
    }
  });

  test('answers other methods with 405 and its own methods, before it checks keys', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (methods.includes(method)) continue;
      const reply = await service.call(method, url);
      expect([method, reply.status, reply.error?.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(reply.headers.allow).toBe(methods.join(', '));
    }
  });
});

test('every reply has the sent request id, or a new one if the sent one is invalid', async () => {
  const ask = async (path: string, id?: string) => {
    const reply = await service.call('GET', path, { keys, ...(id && { headers: { 'x-request-id': id } }) });
    return reply.headers['x-request-id'];
  };
  for (const path of ['/api/v1/organization', '/api/v1/orders/none', '/nowhere', '/api/v1/menu']) {
    expect(await ask(path, 'checkout-42')).toBe('checkout-42');
    for (const insane of ['a b', 'x'.repeat(101), 'é', '<script>']) {
      expect(await ask(path, insane)).toMatch(/^[\w-]{8,40}$/);
    }
    expect(await ask(path)).not.toBe(await ask(path));
  }
});

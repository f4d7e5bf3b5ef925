import { afterAll, expect, test, vi } from 'vitest';
import { startOwnTestService } from './test-service.ts';
import { createTestShop, deliveryBody, pickupBody } from './test-shop.ts';

const service = await startOwnTestService();
afterAll(() => service.close());
const shop = await createTestShop(service.context);

test('a test shop sells: by delivery as a draft, by pickup with stock taken', async () => {
  const { keys } = shop;
  const delivery = await service.call('POST', '/api/v1/orders', { keys, body: deliveryBody(shop) });
  expect(delivery).toMatchObject({ status: 201, data: { status: 'draft', deliveryFee: 500 } });
  const pickup = await service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop) });
  expect(pickup).toMatchObject({ status: 201, data: { status: 'new' } });
  const status = await service.call('GET', `/api/v1/orders/${pickup.data.id}`, { keys });
  expect(status.data).toEqual({ id: pickup.data.id, status: 'new' });
  const menu = await service.call('GET', '/api/v1/menu', { keys, query: { type: 'pickup' } });
  expect(menu.data.map((product: { name: string }) => product.name)).toContain('Moonlit Grove');
  expect(service.faults).toEqual([]);
});

test('a test service answers on real sockets too', async () => {
  const { baseUrl, menuUrl } = await service.listen();
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${menuUrl}/api/v1/menu`)).status).toBe(401);
});

test('a file that fakes timers leaves the clock by which the shared service finds itself late', () => {
  vi.useFakeTimers();
  const beganMs = performance.now();
  vi.advanceTimersByTime(3_600_000);
  expect(performance.now() - beganMs).toBeLessThan(3_600_000);
  vi.useRealTimers();
});

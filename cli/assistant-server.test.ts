import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../test/harness/test-shop.ts';
import { assistantServer } from './assistant-server.ts';

/* Driven by the client of the library, as an assistant does. */

const service = await startTestService();
const { baseUrl } = await service.listen();
const shop = await createTestShop(service.context);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

type Permissions = Parameters<typeof createTestKeys>[3] extends infer Settings
  ? NonNullable<NonNullable<Settings> extends { permissions?: infer All } ? All : never>
  : never;

async function assistant(permissions: Permissions, writes = false) {
  const { keys } = await createTestKeys(service.context, shop.organizationId, shop.integrator, {
    permissions,
  });
  const access = { baseUrl, consumerKey: keys.consumerKey!, clientKey: keys.clientKey };
  const server = await assistantServer(access, { writes });
  const client = new Client({ name: 'test', version: '1' });
  const [own, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(own)]);
  const { tools } = await client.listTools();
  const ask = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [{ text }] = content as [{ text: string }];
    return { isError: isError === true, text, reply: text.startsWith('{') ? JSON.parse(text) : null };
  };
  return { tools, ask, names: tools.map(({ name }) => name), close: () => client.close() };
}

test('an assistant gets the reads that the key may do, and answers of the shop', async () => {
  const { tools, names, ask, close } = await assistant(['menu', 'create-orders']);
  expect(names).toEqual(expect.arrayContaining(['getMenu', 'getShop', 'priceCart', 'whoAmI']));
  expect(names.filter((name) => /^(place|cancel|create|update|delete|set|save)/.test(name))).toEqual([]);
  expect(names).not.toContain('listCustomers');
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  const menu = await ask('getMenu', { type: 'pickup', limit: 1 });
  expect([menu.isError, menu.reply.data.length]).toEqual([false, 1]);
  const [option] = menu.reply.data[0].options;
  const body = { type: 'pickup', lineItems: [{ productOptionId: option.id, quantity: 1 }] };
  const priced = await ask('priceCart', { body });
  expect(priced.reply.data.customerGrandTotal).toBeGreaterThan(0);
  await close();
});

test('a refusal of the service is told with its code, and a tool that the key lacks is none', async () => {
  const { ask, close } = await assistant(['menu']);
  const unknown = await ask('getMenu', { type: 'drone' });
  expect([unknown.isError, unknown.reply.error.code]).toEqual([true, 'INVALID_PARAMS']);
  for (const name of ['placeOrder', 'listCustomers', 'nothing']) {
    expect(await ask(name)).toMatchObject({ isError: true, text: expect.stringContaining('no tool') });
  }
  await close();
});

test('with writes it places an order and cancels it; schemas stand alone', async () => {
  const { tools, ask, close } = await assistant(['menu', 'create-orders'], true);
  for (const { inputSchema } of tools) expect(JSON.stringify(inputSchema)).not.toContain('#/components/');
  const place = tools.find(({ name }) => name === 'placeOrder')!;
  expect(place.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  const order = await ask('placeOrder', { body: pickupBody(shop) });
  expect([order.isError, order.reply.data?.status], order.text).toEqual([false, 'new']);
  const canceled = await ask('cancelOwnOrder', { orderId: order.reply.data.id, body: {} });
  expect(canceled.reply.data.status).toBe('canceled');
  expect(await ask('cancelOwnOrder')).toMatchObject({ isError: true, text: 'Required but absent: orderId.' });
  await close();
});

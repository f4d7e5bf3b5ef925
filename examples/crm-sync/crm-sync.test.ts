import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../sdk/integrator/src/commerce-sdk.ts';
import { startOwnTestService, type TestService } from '../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop } from '../../test/harness/test-shop.ts';
import type { TestStaff } from '../../test/harness/test-staff.ts';
import { Crm } from './crm.ts';
import { mailingListCsv } from './mailing-list.ts';

let service: TestService;
let shop: TestShop;
let owner: TestStaff;
let crm: Crm;
const folder = mkdtempSync(join(tmpdir(), 'crm-'));

beforeAll(async () => {
  service = await startOwnTestService();
  const { baseUrl } = await service.listen();
  shop = await createTestShop(service.context);
  owner = await service.staff(shop);
  crm = await Crm.open(folder, createClient({ baseUrl, ...shop.keys }));
});
afterAll(async () => {
  await crm.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

const emailOf = (name: string) => `${name.toLowerCase()}@customers.example.com`;
const list = () => readFileSync(join(folder, 'mailing-list.csv'), 'utf8');

/** A customer with an order that is closed. Resolves to the id. */
async function customer(name: string): Promise<number> {
  const person = { firstName: name, lastName: 'Okonedo', email: emailOf(name) };
  const placed = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, { customer: person }),
  });
  const { id } = placed.data;
  const canceled = await owner.call('POST', `/staff/v1/orders/${id}/cancel`, { reason: 'Closed' });
  expect([placed.error, canceled.error]).toEqual([undefined, undefined]);
  const { data } = await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys });
  return data.userId;
}

async function consent(id: number, marketingOptIn: boolean): Promise<void> {
  const { error } = await owner.call('PATCH', `/staff/v1/customers/${id}`, { marketingOptIn });
  expect(error).toBeUndefined();
}

test('the mailing list has who agreed, and loses who withdraws with the next sync', async () => {
  const [ada] = [await customer('Ada'), await customer('Ida')];
  await consent(ada, true);
  expect(await crm.sync()).toMatchObject({ contacts: 1 });
  expect(list()).toContain(emailOf('Ada'));
  expect(list()).not.toContain(emailOf('Ida'));
  await consent(ada, false);
  expect(await crm.sync()).toMatchObject({ contacts: 0 });
  expect(list()).not.toContain(emailOf('Ada'));
});

test('an erased customer leaves copy, notes and list, and a search of every byte proves it', async () => {
  const noor = await customer('Noor');
  await consent(noor, true);
  await crm.sync();
  crm.notes.add(noor, 'Noor likes to be called in the evening');
  const traces = [emailOf('Noor'), 'Noor likes'];
  expect((await crm.prove(traces)).found.map(({ file }) => file)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^copy\.db/), 'mailing-list.csv', 'notes.json']),
  );
  expect((await owner.call('DELETE', `/staff/v1/customers/${noor}`, {})).error).toBeUndefined();
  expect(await crm.sync()).toMatchObject({ forgotten: 1 });
  expect(await crm.prove(traces)).toMatchObject({ found: [], isExact: true });
  expect(crm.notes.of(noor)).toEqual([]);
});

test('the notes of a merged customer go to the one who has the data now', async () => {
  const [twin, kept] = [await customer('Bo'), await customer('Bobby')];
  crm.notes.add(twin, 'gummies');
  crm.notes.add(kept, 'vapes');
  await crm.sync();
  const merged = await owner.call('POST', `/staff/v1/customers/${twin}/merge`, { intoCustomerId: kept });
  expect(merged.error).toBeUndefined();
  expect(await crm.sync()).toMatchObject({ merged: 1 });
  expect(crm.notes.of(kept)).toEqual(['vapes', 'gummies']);
  // Done again, nothing changes.
  expect(await crm.sync()).toMatchObject({ merged: 0 });
});

test('a name that looks like a formula is text in the mailing list', () => {
  const contact = {
    id: 7,
    email: 'a@customers.example.com',
    firstName: '=1+1, "x"',
    consentSince: '',
    orderCount: 0,
    spentCents: 0,
  };
  expect(mailingListCsv([contact])).toContain(`7,a@customers.example.com,"'=1+1, ""x""",`);
});

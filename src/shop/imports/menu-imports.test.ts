import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { comparableProducts } from '../../../test/harness/comparable-products.ts';
import { runMenuJobs } from '../../../test/harness/run-menu-jobs.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { sampleBodies, sampleCategories, sampleMenus } from './sample-menus.test-support.ts';

/* Menus that staff upload. */

const service = await startTestService();
afterAll(() => service.close());

const newShop = () => createTestShop(service.context, { products: [], categories: sampleCategories });
type Staff = Awaited<ReturnType<typeof service.staff>>;

async function upload(staff: Staff, fileName: string, content: string | Buffer) {
  const path = `/staff/v1/menu-imports?fileName=${encodeURIComponent(fileName)}`;
  const { data, error } = await staff.call('POST', path, Buffer.from(content), {
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(error).toBeUndefined();
  return data;
}

/** Does what was asked for, and resolves to the import. */
async function work({ organizationId }: TestShop, staff: Staff, { id }: { id: number }) {
  await runMenuJobs(service, organizationId);
  return (await staff.call('GET', `/staff/v1/menu-imports/${id}`)).data;
}

async function start(staff: Staff, { id }: { id: number }, mode: string, dryRun: boolean) {
  const { error, data } = await staff.call('POST', `/staff/v1/menu-imports/${id}/runs`, { mode, dryRun });
  expect(error).toBeUndefined();
  return data;
}

/** Uploads, imports and resolves to the import. */
async function importMenu(shop: TestShop, staff: Staff, rows: readonly string[], mode = 'change') {
  const uploaded = await upload(staff, 'menu.csv', [header, ...rows].join('\n'));
  await start(staff, uploaded, mode, false);
  return work(shop, staff, uploaded);
}

const header = 'name,category,unit,strainType,optionName,amount,price,content';

test('a menu in any of the four shapes becomes what the interface makes of the same products', async () => {
  const byInterface = await newShop();
  for (const body of sampleBodies) {
    const { error } = await service.call('POST', '/api/v1/products', { keys: byInterface.keys, body });
    expect(error).toBeUndefined();
  }
  const expected = await comparableProducts(service, byInterface);
  for (const { file, path, preset } of sampleMenus) {
    const shop = await newShop();
    const staff = await service.staff(shop, 'inventory');
    const uploaded = await upload(staff, file, readFileSync(path));
    expect(uploaded).toMatchObject({ status: 'uploaded', mapping: { preset }, percent: 0, products: 0 });
    const look = (await staff.call('GET', `/staff/v1/menu-imports/${uploaded.id}/look`)).data;
    expect(look).toMatchObject({ looked: 12, refused: 0 });
    expect(look.products).toHaveLength(10);
    await start(staff, uploaded, 'change', true);
    const checked = await work(shop, staff, uploaded);
    expect(checked).toMatchObject({ status: 'checked', percent: 100, created: 12, changed: 0, refused: 0 });
    expect(await comparableProducts(service, shop)).toEqual([]);
    await start(staff, uploaded, 'change', false);
    const done = await work(shop, staff, uploaded);
    expect(done).toMatchObject({
      status: 'done',
      created: 12,
      refused: 0,
      hasFile: false,
      canBeUndone: true,
    });
    expect(await comparableProducts(service, shop), file).toEqual(expected);
  }
});

describe('what a run does', () => {
  const grove = 'Grove,Flower,gram,hybrid,Eighth,3.5,$35,3.5';
  const fog = 'Fog,Flower,gram,sativa,,1,$12,1';

  test('a mapping that was corrected counts, and a wrong one is refused with its place', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop);
    const { id, mapping } = await upload(staff, 'menu.csv', 'Item,Type,Size,Price\nGrove,Blossom,1g,12');
    const look = async () => (await staff.call('GET', `/staff/v1/menu-imports/${id}/look`)).data;
    expect(await look()).toMatchObject({
      refused: 1,
      products: [],
      doubts: expect.arrayContaining([
        {
          column: 'Type',
          message:
            'is not a category of the organization: "Blossom"; it must be the name of one of its categories',
          count: 1,
          line: 2,
        },
      ]),
    });
    const columns = mapping.columns.map((column: { column: string }) =>
      column.column === 'Type'
        ? {
            column: 'Type',
            rules: [
              { field: 'category', values: [{ text: 'blossom', value: 'Flower' }] },
              { field: 'unit', values: [{ text: 'blossom', value: 'gram' }] },
            ],
          }
        : column,
    );
    const put = (sent: object) =>
      staff.call('PUT', `/staff/v1/menu-imports/${id}/mapping`, { mapping: sent });
    expect((await put({ ...mapping, columns })).error).toBeUndefined();
    expect(await look()).toMatchObject({
      refused: 0,
      products: [{ name: 'Grove', category: 'Flower', unit: 'gram', options: [{ price: 1200 }] }],
    });
    const wrong = await put({ ...mapping, constants: [{ field: 'price', value: 'a lot' }] });
    expect(wrong.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('mapping is wrong: constants.price must be whole cents'),
    });
  });

  test('refused rows are listed with line, column and text, also as CSV; the others are imported', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop);
    const done = await importMenu(shop, staff, [
      grove,
      'Dune,Flower,gram,hybrid,,a lot,$9,1',
      'Tide,Nowhere,item,none,,1,$9,',
    ]);
    expect(done).toMatchObject({ status: 'done', products: 3, created: 1, refused: 2 });
    const path = `/staff/v1/menu-imports/${done.id}/problems`;
    expect((await staff.call('GET', path)).data.problems).toEqual([
      {
        ...{ line: 3, column: 'amount', isNote: false },
        message: expect.stringMatching(/^must be a number.*, not "a lot"$/),
      },
      {
        isNote: false,
        line: 4,
        column: 'category',
        message:
          'is not a category of the organization: "Nowhere"; it must be the name of one of its categories',
      },
    ]);
    const { text } = await staff.call('GET', `${path}?format=csv`);
    expect(text.split('\r\n')[2]).toBe(
      '4,category,"is not a category of the organization: ""Nowhere""; it must be the name of one of its categories",yes',
    );
  });

  test('each mode does no more than it says: add, change, sync', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop);
    const counts = { created: 0, changed: 0, retired: 0, refused: 0 };
    expect(await importMenu(shop, staff, [grove, fog])).toMatchObject({ ...counts, created: 2 });
    const dearer = 'Grove,Flower,gram,hybrid,Eighth,3.5,$36,3.5';
    expect(await importMenu(shop, staff, [dearer], 'add')).toMatchObject(counts);
    for (const product of await productsOf(shop)) {
      await staff.call('PATCH', `/staff/v1/products/${product.id}`, { isActive: true });
    }
    expect(await importMenu(shop, staff, [dearer], 'change')).toMatchObject({ ...counts, changed: 1 });
    const unread = await upload(staff, 'menu.csv', [header, dearer].join('\n'));
    await start(staff, unread, 'sync', true);
    expect(await work(shop, staff, unread)).toMatchObject({ ...counts, status: 'checked', retired: 1 });
    await start(staff, unread, 'sync', false);
    expect(await work(shop, staff, unread)).toMatchObject({ ...counts, status: 'done', retired: 1 });
    expect((await productsOf(shop)).map(({ name, isActive }) => [name, isActive])).toEqual([
      ['Fog', false],
      ['Grove', true],
    ]);
    expect(await importMenu(shop, staff, [dearer], 'sync')).toMatchObject(counts);
  });

  test('a file that is no menu is refused with what is wrong', async () => {
    const staff = await service.staff(await newShop());
    const send = async (fileName: string, content: string | Buffer) =>
      (
        await staff.call('POST', `/staff/v1/menu-imports?fileName=${fileName}`, Buffer.from(content), {
          headers: { 'content-type': 'application/octet-stream' },
        })
      ).error;
    const invalid = (message: string) => ({
      code: 'INVALID_MENU_FILE',
      message: expect.stringContaining(message),
    });
    expect(await send('menu.pdf', 'x')).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await send('menu.json', '{"a":')).toMatchObject(invalid('The file is not JSON'));
    expect(await send('menu.json', '{"a": 1}')).toMatchObject(invalid('must be a list of objects'));
    expect(await send('menu.csv', 'a,b\n')).toMatchObject(invalid('has no products'));
    const damaged = Buffer.concat([Buffer.from('[{"name": "é"}]\n'), Buffer.from([0xc3, 0xa9, 0xff])]);
    expect(await send('menu.json', damaged)).toMatchObject(invalid('menu.json, line 2'));
    expect(await send('menu.json', '[{"a\\u0000": 1, "name\\ud800": "x", "Price\\u0000": 3}]')).toSatisfy(
      (error: { code?: string } | undefined) => error === undefined || error.code === 'INVALID_MENU_FILE',
    );
  });

  test('one run at a time, and none without the file', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop);
    const first = await upload(staff, 'menu.csv', [header, grove].join('\n'));
    const second = await upload(staff, 'menu.csv', [header, fog].join('\n'));
    await start(staff, first, 'change', false);
    const busy = await staff.call('POST', `/staff/v1/menu-imports/${second.id}/runs`, {
      mode: 'add',
      dryRun: true,
    });
    expect(busy.error).toMatchObject({ code: 'MENU_IMPORT_NOT_READY' });
    await work(shop, staff, first);
    const again = await staff.call('POST', `/staff/v1/menu-imports/${first.id}/runs`, {
      mode: 'add',
      dryRun: true,
    });
    expect(again.error).toMatchObject({ code: 'MENU_IMPORT_NOT_READY' });
  });
});

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly strainType: string;
  readonly options: readonly { readonly id: number; readonly name: string; readonly price: number }[];
}

const productsOf = async ({ keys }: TestShop): Promise<readonly Shown[]> => {
  const { data } = await service.call('GET', '/api/v1/products/all', { keys });
  return data.sort((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name));
};

describe('undoing', () => {
  const rows = [
    'Grove,Flower,gram,hybrid,Eighth,3.5,$35,3.5',
    'Grove,Flower,gram,hybrid,Quarter,7,$65,7',
    'Fog,Flower,gram,sativa,,1,$12,1',
  ];
  const changed = [
    // Dearer, without the quarter, with an ounce, of another strain type; a new product; without Fog.
    'Grove,Flower,gram,indica,Eighth,3.5,$36,3.5',
    'Grove,Flower,gram,indica,Ounce,28,$200,28',
    'Tide,Flower,gram,sativa,,1,$15,1',
  ];

  async function twice() {
    const shop = await newShop();
    const staff = await service.staff(shop, 'manager');
    await importMenu(shop, staff, rows);
    for (const { id } of await productsOf(shop)) {
      await staff.call('PATCH', `/staff/v1/products/${id}`, { isActive: true });
    }
    const before = await comparableProducts(service, shop);
    const second = await importMenu(shop, staff, changed, 'sync');
    expect(second).toMatchObject({ created: 1, changed: 1, retired: 1, canBeUndone: true });
    return { shop, staff, before, second };
  }

  const undo = (staff: Staff, { id }: { id: number }) =>
    staff.call('POST', `/staff/v1/menu-imports/${id}/undo`);
  const find = async (shop: TestShop, name: string) =>
    (await productsOf(shop)).find((one) => one.name === name)!;

  test('the last import is undone: what it made, changed and took off the menu', async () => {
    const { shop, staff, before, second } = await twice();
    expect((await undo(staff, second)).data).toMatchObject({ status: 'undoing' });
    expect(await work(shop, staff, second)).toMatchObject({ status: 'undone', canBeUndone: false });
    expect(await comparableProducts(service, shop)).toEqual(before);
    const again = await undo(staff, second);
    expect(again.error).toMatchObject({ code: 'MENU_IMPORT_NOT_READY' });
  });

  test('what was edited since stays; what was not is undone', async () => {
    const { shop, staff, second } = await twice();
    const grove = await find(shop, 'Grove');
    await staff.call('PUT', `/staff/v1/products/${grove.id}`, { strainType: 'cbd' });
    const [eighth, ounce] = grove.options as [Shown['options'][0], Shown['options'][0]];
    await staff.call('PUT', `/staff/v1/products/${grove.id}/options`, {
      options: [{ id: eighth.id }, { id: ounce.id, price: 21000 }],
    });
    await undo(staff, second);
    await work(shop, staff, second);
    const after = await find(shop, 'Grove');
    expect(after.strainType).toBe('cbd');
    expect(after.options.map(({ name, price }) => [name, price]).sort()).toEqual([
      ['Eighth', 3500],
      ['Ounce', 21000],
      ['Quarter', 6500],
    ]);
  });

  test('an import of which something was sold is not undone, and the answer names it', async () => {
    const { shop, staff, second } = await twice();
    const tide = await find(shop, 'Tide');
    await staff.call('PATCH', `/staff/v1/products/${tide.id}`, { isActive: true });
    await staff.call('PUT', `/staff/v1/products/${tide.id}`, { inventoryType: 'none' });
    const body = {
      type: 'pickup',
      lineItems: [{ productOptionId: tide.options[0]!.id, quantity: 1 }],
      customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
      idempotencyKey: randomUUID(),
    };
    expect((await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).error).toBeUndefined();
    const refused = await undo(staff, second);
    expect(refused.error).toMatchObject({
      code: 'MENU_IMPORT_SOLD',
      message: 'The import cannot be undone, because these were sold: Tide.',
      meta: { products: [{ id: tide.id, name: 'Tide' }] },
    });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { productBody } from './product-bodies.test-support.ts';
import { unwrappedCell, whyNoCode } from './product-codes.ts';
import { setUpcs } from './product-queries.ts';

/* What is no UPC, SKU or id of another system: it would make one product of several. */

const nothing = [
  ...['N/A', 'n/a', 'NA', '-', '--', '–', '.', '?', '_', 'none', 'None', 'null', 'NULL', 'nil', 'undefined'],
  ...[
    '0',
    '00',
    '000000000000',
    '0.0',
    '000-000',
    '#N/A',
    '#REF!',
    'unknown',
    '(none)',
    'no UPC',
    'N.A.',
    'TBD',
  ],
];
const exponents = [
  ...['8.5E+11', '8.5e+11', '8.5E11', '8.50012345678E+11', '8,5E+11', '8E+11', '8E11', '85E10', '1e5'],
  ...['8.5 E+11', '8.5E-11', '8.E+11', '850.0E+9', '8.5x10^11', '8.5×10^11', '-8.5E+11', '2.68435E+17'],
];
const cells = ['="850012345678"', '="0850012345678"', "='850012345678'", "'0850012345678", '=A1', '= "85"'];
const codes = [
  ...[
    '850012345678',
    '0850012345678',
    '00850012345678',
    'AB12CD34',
    'E-11',
    'SKU-0',
    '10',
    'A0',
    'NAN-1',
    'x0',
  ],
  ...[
    '5078e191081097861861',
    '9fe31923-3471-4412-9094-f5842b1d09eb',
    '12E45678',
    'Null Object 3',
    "O'Brien 5",
    'Größe 0',
  ],
];

test.each(nothing)('%s stands for no code', (text) => {
  expect([whyNoCode(text), whyNoCode(` ${text} `)]).toEqual(['nothing', 'nothing']);
});
test.each(exponents)('%s is a number in exponent form, and no code', (text) => {
  expect(whyNoCode(text)).toBe('exponent');
});
test.each(cells)('%s is a cell of a spreadsheet, and no code', (text) => {
  expect(whyNoCode(text)).toBe('cell');
});
test.each(codes)('%s is a code, and is the same without the signs of a spreadsheet', (text) => {
  expect(whyNoCode(text)).toBeNull();
  expect([unwrappedCell(text), unwrappedCell(`="${text}"`), unwrappedCell(`= "${text}" `.trim())]).toEqual([
    text,
    text,
    text,
  ]);
});

describe('the interface refuses it with the field and the text, and writes nothing', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const shop = await createTestShop(service.context);
  const { keys } = shop;
  const staff = await service.staff(shop, 'manager');
  const productPath = `/api/v1/products/${await newProduct()}`;
  const staffPath = productPath.replace('/api/v1', '/staff/v1');
  const { data: before } = await staff.call('GET', staffPath);
  const [option] = before.options;
  const bodyOf = (change: object) => productBody({ name: randomUUID(), ...change });
  const withUpc = (upc: unknown) => bodyOf({ options: [{ amount: 3.5, price: 3500, content: '3.5', upc }] });
  const api = (method: string, path: string, body: object) => service.call(method, path, { keys, body });
  const external = (id: string) => `/api/v1/products/by-external-id/${encodeURIComponent(id)}`;
  const sentOption = { id: option.id, amount: 3.5, price: 3500, content: '3.5' };

  async function newProduct(): Promise<number> {
    const { data } = await service.call('POST', '/api/v1/products', { keys, body: productBody() });
    return data.id;
  }

  const ways: readonly (readonly [way: string, path: string, send: (code: string) => Promise<TestReply>])[] =
    [
      ['POST product, UPC', 'options[0].upc', (code) => api('POST', '/api/v1/products', withUpc(code))],
      ['POST product, SKU', 'sku', (code) => api('POST', '/api/v1/products', bodyOf({ sku: code }))],
      ['PUT product, SKU', 'sku', (code) => api('PUT', productPath, { sku: code })],
      [
        'PUT options',
        'options[0].upc',
        (code) => api('PUT', `${productPath}/options`, { options: [{ ...sentOption, upc: code }] }),
      ],
      [
        'PUT options upc',
        'options[0].upc',
        (code) => api('PUT', `${productPath}/options/upc`, { options: [{ id: option.id, upc: code }] }),
      ],
      [
        'PUT by external id, UPC',
        'options[0].upc',
        (code) => api('PUT', external(randomUUID()), withUpc(code)),
      ],
      ['PUT by external id, SKU', 'sku', (code) => api('PUT', external(randomUUID()), bodyOf({ sku: code }))],
      ['PUT by external id, its id', 'externalId', (code) => api('PUT', external(code), bodyOf({}))],
      [
        'PUT by external id, that of an option',
        'options[0].externalId',
        (code) =>
          api(
            'PUT',
            external(randomUUID()),
            bodyOf({ options: [{ amount: 3.5, price: 3500, content: '3.5', externalId: code }] }),
          ),
      ],
      [
        'staff: POST product, UPC',
        'options[0].upc',
        (code) => staff.call('POST', '/staff/v1/products', withUpc(code)),
      ],
      [
        'staff: POST product, SKU',
        'sku',
        (code) => staff.call('POST', '/staff/v1/products', bodyOf({ sku: code })),
      ],
      ['staff: PUT product, SKU', 'sku', (code) => staff.call('PUT', staffPath, { sku: code })],
      [
        'staff: PUT options',
        'options[0].upc',
        (code) => staff.call('PUT', `${staffPath}/options`, { options: [{ ...sentOption, upc: code }] }),
      ],
      [
        'staff: PUT options upc',
        'options[0].upc',
        (code) => staff.call('PUT', `${staffPath}/options/upc`, { options: [{ id: option.id, upc: code }] }),
      ],
    ];

  test.each(ways)('%s', async (_, path, send) => {
    for (const code of ['N/A', '-', 'null', '0', '000000', '8.5E+11', '8e11', '="850012345678"']) {
      const { status, error } = await send(code);
      expect([code, status, error?.code]).toEqual([code, 400, 'INVALID_PARAMS']);
      expect(error?.message).toMatch(new RegExp(`^${path.replace(/[[\]]/g, '\\$&')} must be `));
      expect(error?.message).toContain(JSON.stringify(code));
    }
    expect((await staff.call('GET', staffPath)).data).toEqual(before);
  });

  test('a batch refuses the entry and saves the others', async () => {
    const options = [{ amount: 3.5, price: 3500, content: '3.5' }];
    const bad = [
      bodyOf({ externalId: 'N/A', options }),
      bodyOf({ externalId: '0', options }),
      bodyOf({ externalId: randomUUID(), options: [{ ...options[0], upc: 'none' }] }),
      bodyOf({ externalId: randomUUID(), options: [{ ...options[0], externalId: '8.5E+11' }] }),
      bodyOf({ externalId: randomUUID(), options, sku: '-' }),
    ];
    const good = bodyOf({ externalId: randomUUID(), options: [{ ...options[0], upc: '850012345678' }] });
    const { data } = await api('POST', '/api/v1/products/batch', { products: [...bad, good] });
    expect(data.results.map(({ error }: { error?: { code: string } }) => error?.code)).toEqual([
      ...bad.map(() => 'INVALID_PARAMS'),
      undefined,
    ]);
  });

  test('a code that was stored before stays, and does not stop another change', async () => {
    const id = await newProduct();
    const path = `/api/v1/products/${id}`;
    const { data } = await staff.call('GET', `/staff/v1/products/${id}`);
    const upcs = JSON.stringify([{ id: data.options[0].id, upc: 'N/A' }]);
    await service.context.database.write(shop.organizationId, async (tx) => {
      await tx.run(setUpcs({ productId: id, upcs, at: new Date().toISOString() }));
    });
    const options = data.options.map((sent: { id: number; price: number }) => ({
      id: sent.id,
      upc: 'N/A',
      price: sent.price + 1,
    }));
    expect((await api('PUT', `${path}/options`, { options })).error).toBeUndefined();
    const other = options.map(({ id: optionId }: { id: number }) => ({ id: optionId, upc: 'none' }));
    expect((await api('PUT', `${path}/options/upc`, { options: other })).status).toBe(400);
    const none = options.map(({ id: optionId }: { id: number }) => ({ id: optionId, upc: null }));
    expect((await api('PUT', `${path}/options/upc`, { options: none })).error).toBeUndefined();
  });
});

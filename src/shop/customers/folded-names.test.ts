import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { comparedName, foldName } from '../../kernel/person-name.ts';
import { importPeople } from './people.test-support.ts';

/* Names of people are compared folded (D85): in searches, and when a card is scanned. */

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

/** Each line has spellings of one last name. */
const spellings = [
  ["O'Brien", 'O’Brien', 'OBRIEN', 'O Brien', 'o`brien', 'OʼBrien', 'O´Brien'],
  ['Łukaszewicz', 'Lukaszewicz', 'LUKASZEWICZ'],
  ['Sørensen', 'Sorensen', 'SORENSEN', 'So\u0308rensen'],
  ['Groß', 'Gross', 'GROSS'],
  ['Æsop', 'Aesop'],
  ['Þórðarson', 'Thordarson'],
  ['Đặng', 'Dang'],
  ['Yılmaz', 'Yilmaz', 'YILMAZ', 'YİLMAZ'],
  ['Garcia-López', 'GARCIA LOPEZ', 'GarcíaLopez', 'Garcia‐Lopez'],
  ['de la Cruz', 'DELACRUZ', 'De La Cruz'],
  ['Smithe Jr.', 'SMITHE', 'Smithe, III', 'smithe iv'],
  ['Нов\u0430к', 'Новак', 'НОВАК'],
];

async function openShop(): Promise<{ shop: TestShop; staff: TestStaff }> {
  const shop = await createTestShop(context);
  return { shop, staff: await service.staff(shop, 'budtender') };
}

describe('a search', () => {
  test('finds each spelling of a name by each other, alone, beside the first name, and among orders', async () => {
    const { shop, staff } = await openShop();
    const owner = await service.staff(shop);
    const people = spellings.flatMap((line, at) =>
      line.map((lastName) => ({ firstName: `Zoë${'abcdefghijklm'.charAt(at)}`, lastName })),
    );
    await importPeople(context, shop.organizationId, people);
    for (const [at, line] of spellings.entries()) {
      const first = `ZOE${'abcdefghijklm'.charAt(at)}`;
      for (const typed of line) {
        for (const search of [typed, `${first} ${typed}`, `${typed}, ${first}`]) {
          const { data } = await staff.call(
            'GET',
            `/staff/v1/customers?search=${encodeURIComponent(search)}`,
          );
          const found = (data as { lastName: string }[]).map(({ lastName }) => lastName);
          expect([search, found.toSorted()]).toEqual([search, line.toSorted()]);
        }
      }
    }
    const customer = { firstName: 'Ann', lastName: 'O’Brien', phone: '5555555555' };
    await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop, { customer }) });
    for (const search of ['ann obrien', "Ann O'Bri", 'ANN O’BRIEN']) {
      const { data } = await owner.call('GET', `/staff/v1/orders?search=${encodeURIComponent(search)}`);
      expect([search, data.length]).toEqual([search, 1]);
    }
  });

  test('folds in the database as the program does', async () => {
    const shop = await createTestShop(context);
    const letters =
      'AÁÀÂÄÃÅĀĂĄÆBCÇĆČDĐÐEÉÈÊËĒĖĘĚFGĞHĦIÍÌÎÏĪĮİıJKLŁĽMNÑŃŇOÓÒÔÖÕØŌŐŒPQRŘSŚŠŞẞßTŤŦŢUÚÙÛÜŪŮŰŲVWXYÝŸZŹŻŽÞŋαβενορτυχабвгдежзиклмнопрстухцчшщъыьэюя王小明أحمد김';
    const names = [
      ...letters,
      ...letters.toLowerCase(),
      ...spellings.flat(),
      'Ｊｏｈｎ',
      'a\u200Bb',
      'J. R.',
    ];
    for (const name of names) {
      const [row] = await tenantSql(
        context.database,
        shop.organizationId,
        `select person_key(convert_from('\\x${Buffer.from(name).toString('hex')}', 'UTF8')) as key`,
      );
      expect([name, row!.key]).toEqual([name, comparedName({ firstName: '', lastName: name }).last]);
    }
    expect(foldName('Ｊｏｈｎ')).toBe('john');
  });
});

describe('a card', () => {
  const scan = (staff: TestStaff, person: object, answer: object = {}) =>
    staff.call('POST', '/staff/v1/customers/by-license', {
      ...{ issuer: '636014', number: 'Y1234567', birthday: '1980-05-06', ...person },
      ...answer,
    });

  test.each([
    [
      { firstName: 'Ann', lastName: 'O’Brien' },
      { firstName: 'ANN', lastName: 'OBRIEN' },
    ],
    [
      { firstName: 'Søren', lastName: 'Groß' },
      { firstName: 'SOREN', lastName: 'GROSS' },
    ],
    [
      { firstName: 'Łukasz', lastName: 'Dąb' },
      { firstName: 'LUKASZ', lastName: 'DAB' },
    ],
    [
      { firstName: 'Maria José', lastName: 'García-López' },
      { firstName: 'MARIA-JOSE', lastName: 'GARCIA LOPEZ' },
    ],
    [
      { firstName: 'Suharto', lastName: '' },
      { firstName: 'Suharto', lastName: '' },
    ],
  ])('of %j that prints %j finds the customer with the same birthday', async (onFile, printed) => {
    const { shop, staff } = await openShop();
    const [id] = await importPeople(context, shop.organizationId, [{ ...onFile, birthday: '1980-05-06' }]);
    const { data, error } = await scan(staff, printed);
    expect([error, data?.isNew, data?.customer?.id, data?.suspected]).toEqual([undefined, false, id, []]);
  });

  test.each([
    [
      { firstName: 'Robert', lastName: 'Hale' },
      { firstName: 'ROBERT JAMES', lastName: 'HALE' },
    ],
    [
      { firstName: 'Robert James', lastName: 'Hale' },
      { firstName: 'ROBERT', lastName: 'HALE' },
    ],
    [
      { firstName: 'Robert', lastName: 'Hale' },
      { firstName: 'ROBERT', lastName: 'HALE III' },
    ],
    [
      { firstName: 'Anne', lastName: 'O’Neil' },
      { firstName: 'ANNE-MARIE', lastName: 'ONEIL' },
    ],
  ])('of %j that prints %j asks staff, who say whether it is the customer', async (onFile, printed) => {
    const { shop, staff } = await openShop();
    const [id, other] = await importPeople(context, shop.organizationId, [
      { ...onFile, birthday: '1980-05-06' },
      { ...onFile, birthday: '1980-05-07' },
    ]);
    const asked = await scan(staff, printed);
    expect(asked.data).toMatchObject({ isNew: false, customer: null, suspected: [{ id }] });
    expect((await scan(staff, printed)).data.suspected).toHaveLength(1);
    expect((await scan(staff, printed, { customerId: other })).error?.code).toBe('USER_NOT_FOUND');
    const known = await scan(staff, printed, { customerId: id });
    expect(known.data).toMatchObject({ isNew: false, customer: { id, ...onFile }, suspected: [] });
    // The card is recorded: it is not asked about again.
    expect((await scan(staff, printed)).data).toMatchObject({ customer: { id }, suspected: [] });
    const another = await scan(staff, { ...printed, number: 'Y7654321' }, { isAnother: true });
    expect(another.data).toMatchObject({ isNew: true, suspected: [] });
    expect(another.data.customer.id).not.toBe(id);
  });

  test('whose name several customers have asks which one it is', async () => {
    const { shop, staff } = await openShop();
    const twin = { firstName: 'Ann', lastName: 'Hale', birthday: '1980-05-06' };
    await importPeople(context, shop.organizationId, [twin, twin]);
    const { data } = await scan(staff, { firstName: 'ANN', lastName: 'HALE' });
    expect([data.customer, data.suspected.length]).toEqual([null, 2]);
  });

  test('of a person with one name makes a customer with an empty last name, who can order', async () => {
    const { staff } = await openShop();
    const { data, error } = await scan(staff, { firstName: 'Suharto', lastName: '' });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ isNew: true, customer: { firstName: 'Suharto', lastName: '' } });
    const visit = await staff.call('POST', '/staff/v1/instore-queues/intake', {
      customerId: data.customer.id,
    });
    expect(visit.status).toBe(201);
  });
});

import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../test/harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../../test/harness/test-shop.ts';
import { createIntegrator } from '../access/keys/keys.ts';
import { createOrganization } from '../access/organizations/organizations.ts';
import { readCustomerRow } from '../shop/customers/customers.ts';
import { emailProblem, nameProblem } from './look-alikes.ts';

const service = await startTestService();
const { context } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const strangeNames = [
  ...[
    'Mar\u200Bisol',
    'Mar\u202Eisol',
    'Mari\u00ADsol',
    'M\u0430risol',
    'Maris\u03BFl',
    'Ｍarisol',
    'Mari\u0007sol',
  ],
  ...[
    '\u2066Marisol',
    'Marisol\u200D',
    'Ma\uFE0Frisol',
    'Mari\u3164sol',
    'Marisol 🌿',
    'O’Br\u0456en',
    'Anna-М\u0430ria x\u0430',
  ],
];
const strangeEmails = [
  ...[
    'm\u200Bia@x.example',
    'm\u202Eia@x.example',
    'mi\u0430@x.example',
    'mia@\u0445.example',
    'mi\u03BF@x.example',
  ],
  ...['ｍia@x.example', 'm\u0131a@x.example', 'ﬁa@x.example', 'миа@почта.example', 'mia@x.ex\u00ADample'],
];

describe('characters that are invisible or look like others', () => {
  test.each([
    'Анна',
    'Θεοδώρα',
    '王小明',
    'أحمد',
    '김철수',
    'Zoë',
    'Łukasz',
    'Nguyễn',
    'علی\u200Cرضا',
    'देवनागरी',
    'Anna (Анна)',
    'O’Brien',
    ' Ann ',
  ])('are not seen in the name %s', (name) => expect(nameProblem(name)).toBe(null));

  test('are not seen in emails with accents', () => {
    expect(['müller@käse.example', 'jose\u0301@x.example', 'A.B+c@x.example'].map(emailProblem)).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('are refused with the field in names and emails of customers, from staff, integrators, cards and imports', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const person = { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' };
    const known = await owner.call('POST', '/staff/v1/customers', person);
    const wrongs = [
      ...strangeNames.flatMap((name) => [{ firstName: name }, { lastName: name }]),
      ...strangeEmails.map((email) => ({ email })),
    ];
    for (const wrong of wrongs) {
      const [field] = Object.keys(wrong);
      const sent = { ...person, email: 'other@customers.example.com', ...wrong };
      const body = pickupBody(shop, { customer: sent });
      const { idempotencyKey: _, ...cart } = body;
      const card = {
        issuer: '636014',
        number: 'N1',
        birthday: '1980-01-01',
        firstName: sent.firstName,
        lastName: sent.lastName,
      };
      const replies = [
        await owner.call('POST', '/staff/v1/customers', sent),
        await owner.call('PATCH', `/staff/v1/customers/${known.data.id}`, wrong),
        await owner.call('POST', '/staff/v1/instore-queues/intake', { person: sent }),
        await service.call('POST', '/api/v1/orders', { keys: shop.keys, body }),
        await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body: cart }),
        ...(field === 'email' ? [] : [await owner.call('POST', '/staff/v1/customers/by-license', card)]),
      ];
      for (const { status, error } of replies) {
        expect([wrong, status, error?.code, error?.message]).toEqual([
          wrong,
          400,
          'INVALID_PARAMS',
          expect.stringContaining(field!),
        ]);
      }
      expect(() => readCustomerRow(sent)).toThrow(field);
    }
    const { data } = await owner.call('GET', '/staff/v1/customers');
    expect(data).toHaveLength(1);
  });

  test('are refused in names and emails of staff, organizations and integrators', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const member = {
      firstName: 'Ines',
      lastName: 'Okonkwo',
      email: 'ines@shop.example.com',
      role: 'budtender',
    };
    const added = await owner.call('POST', '/staff/v1/staff', member);
    expect(added.status).toBe(201);
    for (const name of strangeNames) {
      const replies = [
        await owner.call('POST', '/staff/v1/staff', {
          ...member,
          email: 'b@shop.example.com',
          lastName: name,
        }),
        await owner.call('PATCH', `/staff/v1/staff/${added.data.id}`, { firstName: name }),
        await owner.call('PATCH', '/staff/v1/organization', { name }),
      ];
      expect([name, replies.map(({ error }) => error?.code)]).toEqual([
        name,
        Array(3).fill('INVALID_PARAMS'),
      ]);
      await expect(createIntegrator(context, 'production', name)).rejects.toThrow('name');
      await expect(
        createOrganization(context, testOrigin, { name, state: 'CA', tz: 'America/Los_Angeles' }),
      ).rejects.toThrow('name');
    }
    for (const email of strangeEmails) {
      const { error } = await owner.call('POST', '/staff/v1/staff', { ...member, email });
      expect([email, error?.code, error?.message]).toEqual([
        email,
        'INVALID_PARAMS',
        expect.stringContaining('email'),
      ]);
      const shops = await owner.call('PATCH', '/staff/v1/organization', { customerEmail: email });
      expect([email, shops.error?.code]).toEqual([email, 'INVALID_PARAMS']);
    }
    // A whole name that only looks like Latin: for a business no name, for a person one.
    await expect(createIntegrator(context, 'production', 'Асме')).rejects.toThrow('Latin');
    await expect(createIntegrator(context, 'production', 'Лавка')).resolves.toBeDefined();
    expect(
      (await owner.call('PATCH', `/staff/v1/staff/${added.data.id}`, { firstName: 'Сара' })).status,
    ).toBe(200);
  });
});

import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { limitedShops } from './limited-shops.test-support.ts';

const service = await startTestService();
const { shopIn, buy, at, known, setRule, price, step } = limitedShops(service);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

test("a budtender reads what is left for a customer, by the state's limits and the shop's own, with the law", async () => {
  at('2026-05-20T19:00:00Z');
  const shop = await shopIn('CO');
  const [clerk, ada] = [await service.staff(shop, 'budtender'), await known(shop)];
  await setRule(shop, { name: 'House', limit: '20', customerType: 'adult-use', window: 'local-day' });
  await setRule(shop, { name: 'Patients', limit: '1', customerType: 'medical' });
  await step(shop, await buy(shop, { '100 mg': 4 }, ada), 'cancel');
  await buy(shop, { '100 mg': 2 }, ada);
  const ask = (body: object) => clerk.call('POST', '/staff/v1/law/limits', { goods: [], ...body });

  const goods = [{ cannabisType: 'non-concentrated', amount: '1/4 oz' }];
  const { data } = await ask({ customerId: ada.id, goods });
  expect(data).toMatchObject({
    day: '2026-05-20',
    customerType: 'adult-use',
    mayBeSold: true,
    uncounted: [],
  });
  const limits: { name: string; used: string; remaining: string; law: object | null }[] = data.limits;
  expect(limits).toMatchObject([
    {
      ...{ name: 'All forms together', used: '0.5', remaining: '0.5' },
      counted: [
        { amount: '200', unit: 'mg', uses: '0.25', isFromBefore: true },
        { amount: '7.087381', unit: 'g', uses: '0.25', isFromBefore: false },
      ],
      law: { citation: '1 CCR 212-3 Rule 6-110; HB21-1317' },
    },
    { name: 'House', used: '7.087381', remaining: '12.912619', law: null },
  ]);
  // Carts use the same limits.
  const priced = await price(shop, { '1 oz': 1 }, ada);
  const asked = await ask({
    customerId: ada.id,
    goods: [{ cannabisType: 'non-concentrated', amount: '1 oz' }],
  });
  expect(asked.data.mayBeSold).toBe(false);
  expect(asked.data.limits.map((it: { used: string }) => it.used)).toEqual(
    priced.data.purchaseLimits.map((it: { used: string }) => it.used),
  );
  const patient = await ask({ customerType: 'medical', goods });
  expect(patient.data.limits.map((it: { name: string }) => it.name)).toEqual([
    'Flower',
    'Concentrate',
    'Patients',
  ]);
});

test('where a limit counts THC, that of earlier purchases and of the goods is told', async () => {
  at('2026-05-20T19:00:00Z');
  const shop = await shopIn('OH');
  const [clerk, ada] = [await service.staff(shop, 'budtender'), await known(shop)];
  await buy(shop, { '100 mg': 2, '1 g of extract': 1 }, ada);
  const ask = async (cannabisType: string, ...amounts: string[]) => {
    const goods = amounts.map((amount) => ({ cannabisType, amount }));
    return (await clerk.call('POST', '/staff/v1/law/limits', { customerId: ada.id, goods })).data;
  };
  const before = await ask('edibles');
  expect(before).toMatchObject({ mayBeSold: true, uncounted: [] });
  expect(before.limits[1]).toMatchObject({
    ...{ name: 'THC of other forms', used: '415', remaining: '14585' },
    counted: [
      // 21.5 % of a gram.
      { cannabisType: 'concentrated', amount: '215', uses: '215', isFromBefore: true },
      { cannabisType: 'edibles', amount: '200', uses: '200', isFromBefore: true },
    ],
  });
  const more = await ask('edibles', '100 mg');
  expect(more).toMatchObject({ mayBeSold: true, limits: [{}, { used: '515' }] });
  expect(await ask('edibles', '14586 mg')).toMatchObject({ mayBeSold: false });
  const stated = await ask('concentrated', '1 g with 80 % THC', '1 g');
  expect(stated).toMatchObject({ mayBeSold: true, limits: [{}, { used: '2215' }] });
  const alaska = await shopIn('AK');
  const other = await service.staff(alaska, 'budtender');
  const flower = { goods: [{ cannabisType: 'non-concentrated', amount: '3.5 g' }] };
  const { data } = await other.call('POST', '/staff/v1/law/limits', flower);
  expect([data.mayBeSold, data.warnings[0]]).toEqual([
    false,
    'A limit counts the THC of flower: say it as well, such as 3.5 g with 20 % THC',
  ]);
});

test('an unreadable amount and a customer of another shop are refused', async () => {
  const shop = await shopIn('CA');
  const owner = await service.staff(shop);
  const stranger = await known(await shopIn('CA'));
  const ask = async (body: object) =>
    (await owner.call('POST', '/staff/v1/law/limits', { goods: [], ...body })).error;
  expect(await ask({ goods: [{ cannabisType: 'edibles', amount: '1 fl oz' }] })).toMatchObject({
    code: 'INVALID_PARAMS',
    message: 'goods[0].amount must be an amount such as 100 mg.',
  });
  expect(await ask({ customerId: stranger.id })).toMatchObject({ code: 'USER_NOT_FOUND' });
});

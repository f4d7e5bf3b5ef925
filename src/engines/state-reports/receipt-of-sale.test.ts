import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, zero } from '../../kernel/decimal.ts';
import { externalNumber, isExternalNumber } from './external-number.ts';
import { receiptBody, receiptOfSale, type SoldGoods } from './receipt-of-sale.ts';
import { splitCents } from './split-cents.ts';
import { isSameSale, readStateReceipt } from './state-receipt.ts';

const flags = {
  ...{ sellsToConsumers: true, sellsToPatients: true, tellsMoney: false },
};
const sale = {
  soldAtMs: Date.parse('2026-03-10T18:00:00.000Z'),
  timeZone: 'America/Los_Angeles',
  isMedical: false,
  customerId: 7,
};
const part = (label: string | null, amount: string, multiplier = '1') => ({
  label,
  unit: 'Grams',
  amount,
  multiplier,
});
const goods = (parts: SoldGoods['parts'], amountCents = 1_000): SoldGoods => ({
  ...{ name: 'Fern Flower', isCannabis: true, amountCents, parts },
  money: { priceCents: amountCents + 100, salesTaxCents: 7, exciseTaxCents: 37 },
});

test('parts of cents add up to the whole, and none is a cent away from its share', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), weights, (cents, each) => {
      const total = each.reduce((sum, it) => sum + it, 0);
      const parts = splitCents(cents, each.map(decimal));
      expect(parts.reduce((sum, it) => sum + it, 0)).toBe(cents);
      for (const [at, weight] of each.entries()) {
        expect(Math.abs(parts[at]! - (cents * weight) / total)).toBeLessThan(1);
      }
    }),
  );
});

test('a receipt has one line for each package, whatever lines took from it, and the amounts of the sale', () => {
  const line = fc.record({
    cents: fc.integer({ min: 0, max: 100_000 }),
    parts: fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 1, max: 5_000 })), {
      ...{ minLength: 1, maxLength: 4 },
    }),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const sold = lines.map(({ cents, parts }) =>
        goods(
          parts.map(([label, thousandths]) => part(label, decimal(thousandths).div(1_000).toFixed())),
          cents,
        ),
      );
      const { content, problems } = receiptOfSale({ ...sale, goods: sold }, flags);
      const labels = content.lines.map(({ label }) => label);
      const sum = (values: readonly { amountCents: number }[]) =>
        values.reduce((all, it) => all + it.amountCents, 0);
      const weight = content.lines.reduce((all, { quantity }) => all.plus(quantity), zero);
      const took = lines.flatMap(({ parts }) => parts).reduce((all, [, thousandths]) => all + thousandths, 0);
      expect(problems).toEqual([]);
      expect(labels).toEqual([...new Set(labels)].toSorted());
      expect(sum(content.lines)).toBe(sum(sold));
      expect(weight.toFixed()).toBe(decimal(took).div(1_000).toFixed());
    }),
  );
});

test('cannabis without the label of a package, and what a license may not do, is a problem; other goods are left out', () => {
  const of = (changes: object, ofFlags = {}) =>
    receiptOfSale({ ...sale, goods: [goods([part('A', '1')])], ...changes }, { ...flags, ...ofFlags });
  expect(of({ goods: [goods([part(null, '1')])] }).problems).toEqual([
    'Fern Flower was sold without the label of a package.',
  ]);
  expect(of({ goods: [{ ...goods([part(null, '1')]), isCannabis: false }] })).toMatchObject({
    ...{ problems: [], content: { lines: [] } },
  });
  expect(of({}, { sellsToConsumers: false }).problems).toEqual(['The license may not sell to consumers.']);
  expect(of({ isMedical: true }).content.customerType).toBe('Patient');
  expect(of({ isMedical: true }, { sellsToPatients: false }).content.customerType).toBe('Consumer');
  expect([of({ isMedical: true }).content.patientId, of({}).content.patientId]).toEqual([7, undefined]);
});

test('the time is that of the clocks of the shop; in the hour that autumn repeats both instants are kept', () => {
  const at = (text: string) =>
    receiptOfSale({ ...sale, soldAtMs: Date.parse(text), goods: [] }, flags).content;
  expect(at('2026-11-01T08:30:00.000Z')).toMatchObject({
    ...{ soldAt: '2026-11-01T01:30:00.000', alsoReadAs: '2026-11-01T09:30:00.000Z' },
  });
  expect(at('2026-11-01T09:30:00.000Z')).toMatchObject({
    ...{ soldAt: '2026-11-01T01:30:00.000', alsoReadAs: '2026-11-01T08:30:00.000Z' },
  });
  expect(at('2026-11-01T10:30:00.000Z')).toMatchObject({
    soldAt: '2026-11-01T02:30:00.000',
    alsoReadAs: null,
  });
});

test('what is sent is what is read back, in either names of members, whatever numbers it has', () => {
  const cents = fc.integer({ min: 0, max: 9_999_999 });
  const thousandths = fc.integer({ min: 1, max: 99_999_999 });
  fc.assert(
    fc.property(cents, thousandths, fc.boolean(), (amountCents, amount, isOld) => {
      const { content } = receiptOfSale(
        { ...sale, goods: [goods([part('A', decimal(amount).div(1_000).toFixed())], amountCents)] },
        flags,
      );
      const [sent] = JSON.parse(receiptBody(content, '1-1-X', 7));
      const [line] = sent.Transactions;
      const shown = isOld
        ? { PackageLabel: 'A', QuantitySold: line.Quantity, TotalPrice: line.TotalAmount }
        : line;
      const read = readStateReceipt({ ...sent, Transactions: [shown] })!;
      expect(read).toMatchObject({ id: 7, externalNumber: '1-1-X', isVoid: false });
      expect(isSameSale(content, read)).toBe(true);
      const off = readStateReceipt({
        ...sent,
        Transactions: [{ ...line, TotalAmount: line.TotalAmount + 0.01 }],
      })!;
      expect(isSameSale(content, off)).toBe(false);
    }),
  );
});

test('a number of ours is known again, and not with a typing error', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.integer({ min: 1, max: 99 }),
      (order, revision) => {
        const number = externalNumber(order, revision);
        expect(isExternalNumber(number)).toBe(true);
        const digit = (Number(number[0]) + 1) % 10;
        expect(isExternalNumber(`${digit}${number.slice(1)}`)).toBe(false);
      },
    ),
  );
  for (const text of ['', '12', 'K7Q2-1-9', '1042-1']) expect(isExternalNumber(text)).toBe(false);
});

import parsePhone from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { californiaShop } from './california-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import { generateCustomers } from './people.ts';
import { seededRandom } from './seeded-random.ts';

const cases = [
  [californiaShop, 2500],
  [michiganShop, 300],
] as const;

describe.each(cases.map(([shop, count]) => [shop.slug, shop, count] as const))(
  'the customers of %s',
  (slug, shop, count) => {
    const customers = generateCustomers(seededRandom(slug), shop, count);

    it('are the same for the same seed', () => {
      expect(generateCustomers(seededRandom(slug), shop, count)).toEqual(customers);
      expect(customers).toHaveLength(count);
    });

    it('can each be reached by a fictitious email or a valid phone of their own', () => {
      const emails = customers.flatMap(({ email }) => email ?? []);
      const phones = customers.flatMap(({ phone }) => phone ?? []);
      expect(new Set(emails).size).toBe(emails.length);
      expect(new Set([...phones, shop.organization.customerPhone]).size).toBe(phones.length + 1);
      for (const email of emails) expect(email).toMatch(/^[a-z0-9.-]+@[a-z]+\.example\.(com|org|net)$/);
      for (const phone of phones) {
        expect(phone).toMatch(/^\+1\d{3}55501\d{2}$/);
        expect(parsePhone(phone)?.isValid()).toBe(true);
      }
      for (const { email, phone } of customers) expect(email ?? phone).not.toBeNull();
      expect(emails.length).toBeLessThan(count);
      expect(phones.length).toBeLessThan(count);
    });

    it('are of age on every day of the history, younger ones only with a valid card', () => {
      const { minimumAge, medicalMinimumAge } = shop.neighborhood;
      for (const { bornDaysAgo, medicalExpiresInDays } of customers) {
        const isPatient = medicalExpiresInDays !== null && medicalExpiresInDays > 0;
        const least = isPatient ? medicalMinimumAge : minimumAge;
        expect(bornDaysAgo - 60).toBeGreaterThan(least * 365.25);
      }
    });

    it('include patients with valid and with expired cards, group members and newcomers', () => {
      const cards = customers.flatMap(({ medicalExpiresInDays }) => medicalExpiresInDays ?? []);
      expect(cards.length / count).toBeGreaterThan(0.03);
      expect(cards.length / count).toBeLessThan(0.09);
      expect(cards.some((days) => days > 0) && cards.some((days) => days < 0)).toBe(true);
      const groups = new Set(customers.flatMap(({ groupNames }) => groupNames));
      expect(groups).toEqual(new Set(shop.customerGroups.map(({ name }) => name)));
      expect(customers.some(({ joinedDaysAgo }) => joinedDaysAgo < 60)).toBe(true);
    });

    it('joined before they opted in', () => {
      for (const { joinedDaysAgo, marketingOptInDaysAgo } of customers) {
        expect(marketingOptInDaysAgo ?? 0).toBeLessThanOrEqual(joinedDaysAgo);
      }
    });
  },
);

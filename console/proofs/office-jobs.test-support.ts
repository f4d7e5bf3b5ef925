import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { Job } from './hands.test-support.ts';
import type { JobName } from './job-bounds.ts';
import { placeDraft } from './placed-orders.test-support.ts';
import { shelfOf, soldOrder } from './shelf.test-support.ts';

type OfficeJob = Extract<
  JobName,
  | 'delivery of ten lines'
  | 'online order handed over'
  | 'last order of a customer'
  | 'product counted'
  | 'new product with a price'
>;

/** A package tag that no package has. */
const freshTag = () => `1A4060300003B01${String(randomInt(1_000_000_000)).padStart(9, '0')}`;

/** The jobs away from the counter. */
export const officeJobs: Readonly<Record<OfficeJob, Job>> = {
  'delivery of ten lines': {
    prepare: async (shop) => {
      const { owner } = shop;
      const items = (await shelfOf(shop)).slice(0, 10);
      expect(items).toHaveLength(10);
      const made = await owner.call('POST', '/staff/v1/purchase-orders', {
        lineItems: items.map(({ productId, optionId }) => ({
          productId,
          productOptionId: optionId,
          amount: '12',
          costPerUnit: '4',
        })),
        inventoryVendor: { name: 'Stopwatch Distribution' },
        paymentTerms: 'net30',
      });
      expect(made).toMatchObject({ status: 201 });
      const console = await shop.open('inventory');
      await console.goto('/purchasing');
      return {
        console,
        work: async (hands) => {
          await hands.tap(hands.the('row', /Stopwatch Distribution/).nth(0));
          await hands.tap(hands.the('link', 'Receive goods'));
          await hands.tap(hands.the('button', 'Fill in all remaining'));
          // A tag on each carton: a tap into its field, and a scan.
          for (let line = 0; line < items.length; line += 1) {
            await hands.tap(hands.the('textbox', 'Package label').nth(line));
            await hands.scan(freshTag());
          }
          await hands.tap(hands.the('button', 'Receive'));
          await hands.read('The goods are in stock.');
          const { data } = await owner.call('GET', `/staff/v1/purchase-orders/${made.data.id}`);
          expect(data.totalAmountReceived).toBe('120');
        },
      };
    },
  },
  'online order handed over': {
    prepare: async (shop) => {
      const { id } = await placeDraft(shop);
      const console = await shop.open('manager');
      await console.goto('/orders');
      return {
        console,
        work: async (hands) => {
          const card = hands.the('listitem').to(`/orders/${id}`);
          await hands.tap(card.the('button', /^Accept/));
          await hands.tap(card.the('button', /^Mark as packed/));
          await hands.tap(card.the('link', /^Take payment/));
          await hands.see(hands.the('button', 'Take payment and hand over').enabled());
          await hands.press('Enter');
          await hands.seeGone(hands.the('dialog', /^Take payment for/));
          const { data } = await shop.owner.call('GET', `/staff/v1/orders/${id}`);
          expect(data.status).toBe('fulfilled');
        },
      };
    },
  },
  'last order of a customer': {
    prepare: async (shop) => {
      const { owner } = shop;
      const lastName = `Stopwatch${randomInt(1_000_000)}`;
      const person = { firstName: 'Lena', lastName, birthday: '1980-05-05' };
      const { data: customer } = await owner.call('POST', '/staff/v1/customers', person);
      const [item] = await shelfOf(shop);
      await soldOrder(shop, [item!], customer.id);
      const { number } = await soldOrder(shop, [item!], customer.id);
      const console = await shop.open('manager');
      await console.goto('/customers');
      return {
        console,
        work: async (hands) => {
          await hands.press('Control+k');
          await hands.see(hands.the('combobox', 'Find'));
          await hands.typeHere(lastName);
          // The newest is the first.
          await hands.see(hands.the('option', new RegExp(`^Order ${number}`)).selected());
          await hands.press('Enter');
          await hands.see(hands.the('heading', new RegExp(`${number}$`)));
        },
      };
    },
  },
  'product counted': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      const console = await shop.open('inventory');
      await console.goto('/inventory/count');
      return {
        console,
        work: async (hands) => {
          await hands.scan(item!.upc);
          await hands.see(hands.the('textbox', new RegExp(`^Counted of ${item!.name}`)).focused());
          await hands.typeHere(String(item!.left - 1));
          await hands.tap(hands.the('button', 'Save 1 counted'));
          await hands.see(hands.the('dialog', 'Count saved'));
        },
      };
    },
  },
  'new product with a price': {
    prepare: async (shop) => {
      const name = `Stopwatch mug ${randomInt(1_000_000)}`;
      const console = await shop.open('owner');
      await console.goto('/catalog');
      return {
        console,
        work: async (hands) => {
          await hands.tap(hands.the('link', 'New product'));
          await hands.type(hands.the('textbox', 'Name'), name);
          await hands.type(hands.the('combobox', 'Category'), 'Apparel');
          await hands.press('Enter');
          await hands.type(hands.the('textbox', 'Price of option 1'), '12');
          await hands.press('Enter');
          await hands.see(hands.the('heading', name));
        },
      };
    },
  },
};

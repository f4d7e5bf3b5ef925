import { randomInt } from 'node:crypto';
import { organizationId } from '../../src/kernel/ids.ts';
import { atCounter } from './counter-jobs.test-support.ts';
import type { Job } from './hands.test-support.ts';
import type { JobName } from './job-bounds.ts';
import { fillCart } from './outage-proofs.test-support.ts';
import { shelfOf, soldByWeight, soldOrder } from './shelf.test-support.ts';

type TillJob = Extract<
  JobName,
  | 'item scanned into the cart'
  | 'card sale of one item'
  | 'exchange by the receipt'
  | 'sale voided'
  | 'flower weighed out'
  | 'person changed by PIN'
  | 'package received'
>;

/** More jobs of the counter. Other proofs do the same things in `npm test`; these count acts and time. */
export const tillJobs: Readonly<Record<TillJob, Job>> = {
  'item scanned into the cart': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          await hands.scan(item!.upc);
          await hands.see(hands.the('region', 'Cart').the('textbox', /^Quantity of/));
        },
      };
    },
  },
  'card sale of one item': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          await hands.scan(item!.upc);
          await hands.press('F9');
          const dialog = hands.the('dialog', 'Take payment');
          await hands.tap(dialog.the('button', 'Debit'));
          await hands.see(dialog.the('button', 'Take payment and hand over').enabled());
          await hands.press('Enter');
          await hands.see(hands.the('dialog', /is sold$/));
        },
      };
    },
  },
  'exchange by the receipt': {
    prepare: async (shop) => {
      const [first, second] = await shelfOf(shop);
      const { number } = await soldOrder(shop, [first!, second!]);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          await hands.scan(`ORDER${String(number).padStart(6, '0')}`);
          await hands.see(hands.the('dialog', /^Return goods/));
          await hands.scan(second!.upc);
          await hands.see(hands.the('region', 'Refund'));
          await hands.tap(hands.the('button', 'Exchange for other goods'));
          await hands.see(hands.the('group', 'Goods that come back'));
          for (let units = 0; units < 2; units += 1) await hands.scan(second!.upc);
          await hands.see(hands.the('button', /^Pay \$/));
          await hands.press('F9');
          await hands.see(hands.the('button', 'Take payment and hand over').enabled());
          await hands.press('Enter');
          await hands.see(hands.the('dialog', /is sold$/));
        },
      };
    },
  },
  'sale voided': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      const { id } = await soldOrder(shop, [item!]);
      const console = await shop.open('manager');
      await console.goto(`/orders/${id}`);
      return {
        console,
        work: async (hands) => {
          await hands.tap(hands.the('button', 'More actions'));
          await hands.tap(hands.the('menuitem', 'Void sale'));
          const dialog = hands.the('dialog', /^Void order/);
          await hands.type(dialog.the('textbox', 'Reason'), 'Rung up twice');
          await hands.tap(dialog.the('button', 'Void sale'));
          await hands.read('The sale is voided. Stock, points and the drawer are as before.');
        },
      };
    },
  },
  'flower weighed out': {
    prepare: async (shop) => {
      const product = await soldByWeight(shop);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          await hands.type(hands.the('combobox', /scan a UPC/), product.name);
          await hands.tap(hands.the('option').saying(product.name).nth(0));
          await hands.see(hands.the('dialog', `Weigh ${product.name}`));
          // A scale that is a keyboard types the weight and Enter.
          await hands.typeHere('1.25');
          await hands.press('Enter');
          await hands.see(hands.the('region', 'Cart').the('button', '1.25 g'));
        },
      };
    },
  },
  'person changed by PIN': {
    prepare: async (shop) => {
      const ofShop = { organizationId: organizationId(shop.demo.id) };
      const [clerk, manager] = [
        await shop.service.staff(ofShop, 'budtender'),
        await shop.service.staff(ofShop, 'manager'),
      ];
      const pin = String(randomInt(100_000, 1_000_000));
      await manager.call('PUT', '/staff/v1/me/pin', { pin });
      const console = await shop.openWith(clerk.token);
      await fillCart(await console.goto('/point-of-sale'));
      return {
        console,
        work: async (hands) => {
          await hands.press('F7');
          await hands.see(hands.the('textbox', 'Your PIN').focused());
          await hands.typeHere(pin);
          await hands.press('Enter');
          // The cart waits for who began it.
          await hands.read('Scan a UPC or search for an item.');
        },
      };
    },
  },
  'package received': {
    prepare: async (shop) => {
      const label = `1A4060300003B02${String(randomInt(1_000_000_000)).padStart(9, '0')}`;
      const { data } = await shop.owner.call('POST', '/staff/v1/packages', {
        ...{ label, initialAmount: '12', unit: 'Each' },
      });
      const [item] = await shelfOf(shop);
      const console = await shop.open('inventory');
      await console.goto(`/inventory/packages/${data.id}`);
      return {
        console,
        work: async (hands) => {
          await hands.tap(hands.the('button', 'Receive'));
          const dialog = hands.the('dialog', 'Receive package');
          await hands.type(dialog.the('combobox', /^Product/), item!.name);
          await hands.tap(hands.the('option').saying(item!.name).nth(0));
          await hands.tap(dialog.the('combobox', /^Location/));
          await hands.tap(hands.the('option').nth(0));
          await hands.type(dialog.the('textbox', /^Cost per/), '3.25');
          await hands.press('Enter');
          await hands.read('The package is in stock.');
        },
      };
    },
  },
};

import { randomInt } from 'node:crypto';
import type { Job } from './hands.test-support.ts';
import type { JobName } from './job-bounds.ts';
import type { ProofShop } from './proof-shop.test-support.ts';
import { newRegister, shelfOf, soldOrder } from './shelf.test-support.ts';

type CounterJob = Extract<
  JobName,
  | 'cash sale of three items'
  | 'license to customer'
  | 'return of one item'
  | 'open a drawer'
  | 'close a drawer'
  | 'cart parked and taken up'
  | 'line reduced with a reason'
>;

/** A register of its own, with the drawer open or not, that the device already is. */
async function atRegister(shop: ProofShop, { isOpen }: { readonly isOpen: boolean }) {
  const { id, name } = await newRegister(shop, { isOpen });
  const console = await shop.open('manager');
  const page = await console.goto('/point-of-sale');
  await page.evaluate(`localStorage.setItem('register-of-${shop.demo.id}', '${id}')`);
  await console.goto('/point-of-sale');
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
  return { console, name };
}

export async function atCounter(shop: ProofShop) {
  const console = await shop.open('manager');
  await console.goto('/point-of-sale');
  return console;
}

const card = [
  '@',
  'ANSI 636014080102DL00410288ZA03290015DLDAQS7654321',
  'DCSSTOPWATCH',
  'DACSELMA',
  'DBB11231971',
  `DBA1123${new Date().getUTCFullYear() + 4}`,
  'DBC2',
  'DAG789 E OAK ST',
  'DAIANYTOWN',
  'DAJCA',
  'DAK902230000',
  'DCGUSA',
];

/** The jobs at the counter. */
export const counterJobs: Readonly<Record<CounterJob, Job>> = {
  'cash sale of three items': {
    prepare: async (shop) => {
      const items = (await shelfOf(shop)).slice(0, 3);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          for (const { upc } of items) await hands.scan(upc);
          // Before the price is there, too: what is pressed ahead counts as soon as it can.
          await hands.press('F9');
          await hands.see(hands.the('button', 'Take payment and hand over').enabled());
          await hands.press('Enter');
          await hands.see(hands.the('dialog', /is sold$/));
          await hands.press('Enter');
          await hands.read('Scan a UPC or search for an item.');
        },
      };
    },
  },
  'license to customer': {
    prepare: async (shop) => ({
      console: await atCounter(shop),
      work: async (hands) => {
        await hands.scanLicense(card);
        await hands.see(hands.the('region', 'Cart').the('button', 'Remove Selma Stopwatch'));
      },
    }),
  },
  'return of one item': {
    prepare: async (shop) => {
      const [first, second] = await shelfOf(shop);
      const { id, number } = await soldOrder(shop, [first!, second!]);
      return {
        console: await atCounter(shop),
        work: async (hands) => {
          // The receipt, then the item that comes back.
          await hands.scan(`ORDER${String(number).padStart(6, '0')}`);
          await hands.see(hands.the('dialog', /^Return goods/));
          await hands.scan(second!.upc);
          await hands.see(hands.the('region', 'Refund'));
          await hands.type(hands.the('dialog', /^Return goods/).the('textbox', 'Reason'), 'Unopened');
          await hands.press('Enter');
          await hands.read(/^The return is recorded: refund \$/);
          const { data } = await shop.owner.call('GET', `/staff/v1/orders/${id}`);
          if (data.returns[0].lineItems[0].quantity !== 1) throw new Error('Not one unit came back.');
        },
      };
    },
  },
  'open a drawer': {
    prepare: async (shop) => {
      const { console, name } = await atRegister(shop, { isOpen: false });
      return {
        console,
        work: async (hands) => {
          await hands.tap(hands.the('button', `${name}: drawer closed`));
          await hands.tap(hands.the('menuitem', 'Open drawer'));
          await hands.type(hands.the('dialog', 'Open drawer').the('textbox', 'Cash in the drawer'), '150');
          await hands.press('Enter');
          await hands.read('The drawer is open with $150.00.');
        },
      };
    },
  },
  'close a drawer': {
    prepare: async (shop) => {
      const { console, name } = await atRegister(shop, { isOpen: true });
      return {
        console,
        work: async (hands) => {
          const dialog = hands.the('dialog', 'Count and close');
          await hands.tap(hands.the('button', name));
          await hands.tap(hands.the('menuitem', 'Count and close'));
          await hands.type(dialog.the('textbox', 'Cash counted'), '100');
          await hands.type(dialog.the('textbox', 'Debit'), '0');
          await hands.press('Enter');
          await hands.see(hands.the('dialog', `Z report: ${name}`));
          await hands.press('Enter');
          await hands.see(hands.the('button', `${name}: drawer closed`));
        },
      };
    },
  },
  'cart parked and taken up': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      const console = await atCounter(shop);
      const name = `Scarf ${randomInt(1_000_000)}`;
      return {
        console,
        work: async (hands) => {
          await hands.scan(item!.upc);
          await hands.see(hands.the('button', /^Pay \$/));
          await hands.press('F8');
          await hands.see(hands.the('textbox', 'Hold the sale as'));
          await hands.typeHere(name);
          await hands.press('Enter');
          await hands.read('Scan a UPC or search for an item.');
          await hands.press('F8');
          await hands.tap(hands.the('button', `Resume ${name}`));
          await hands.see(hands.the('button', /^Pay \$/));
        },
      };
    },
  },
  'line reduced with a reason': {
    prepare: async (shop) => {
      const [item] = await shelfOf(shop);
      const console = await atCounter(shop);
      return {
        console,
        work: async (hands) => {
          await hands.scan(item!.upc);
          await hands.tap(hands.the('button', /^Number pad for/));
          const dialog = hands.the('dialog');
          await hands.tap(dialog.word('% off'));
          await hands.type(dialog.the('textbox', 'Percent off'), '5');
          await hands.type(dialog.the('textbox', 'Reason'), 'Short dated');
          await hands.press('Enter');
          await hands.read(/^5% off \(was \$.*\): Short dated$/);
        },
      };
    },
  },
};

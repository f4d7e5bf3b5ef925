import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

type Step = Schema['FirstSteps']['steps'][number]['step'];

interface StepWords {
  readonly title: string;
  /** Why, in one line. */
  readonly why: string;
  /** The name of the link to the form. */
  readonly verb: string;
  /** The address of the form; of a dialog, with what opens it. */
  readonly to: string;
}

/** What each first step asks for, and where it is done. */
export const stepWords: Readonly<Record<Step, StepWords>> = {
  license: {
    title: t`License number`,
    why: t`Receipts and labels must show it.`,
    verb: t`Enter it`,
    to: '/settings/organization',
  },
  taxes: {
    title: t`Taxes`,
    why: t`The preset of your state sets them up, with the source of each. Add local taxes yourself.`,
    verb: t`See the preset`,
    to: '/settings/taxes?do=preset',
  },
  locations: {
    title: t`Stock location`,
    why: t`Stock is kept somewhere: the sales floor, a vault, a vehicle.`,
    verb: t`Add a location`,
    to: '/inventory/locations?do=new',
  },
  'order-locations': {
    title: t`Where orders take their stock`,
    why: t`Deliveries, pickups and in-store sales each need a location. Turn off what you do not offer.`,
    verb: t`Choose locations`,
    to: '/settings/organization#orders',
  },
  'payment-types': {
    title: t`Payment type`,
    why: t`How customers pay: cash, a debit terminal, a transfer.`,
    verb: t`Add a payment type`,
    to: '/settings/payment-types?do=new',
  },
  categories: {
    title: t`Product categories`,
    why: t`Each says what kind of cannabis its products are: taxes and purchase limits follow from it.`,
    verb: t`Add a category`,
    to: '/catalog/categories?do=new',
  },
  products: {
    title: t`Products`,
    why: t`Upload the menu of your former system as CSV or JSON, or create the first product by hand.`,
    verb: t`Import a menu`,
    to: '/catalog/imports',
  },
  stock: {
    title: t`Stock`,
    why: t`Only what is in stock can be sold. Take in the first goods.`,
    verb: t`Take in stock`,
    to: '/inventory?do=adjust',
  },
  staff: {
    title: t`Colleagues`,
    why: t`Each person signs in alone, so the audit log names who did what.`,
    verb: t`Invite a colleague`,
    to: '/settings/staff?do=new',
  },
  register: {
    title: t`Register`,
    why: t`A register has a drawer; opened and counted, it proves the cash of a day.`,
    verb: t`Add a register`,
    to: '/settings/registers?do=new',
  },
  'client-key': {
    title: t`First key of an integrator`,
    why: t`A web shop or menu reads and orders with it. The operator of the service registers the integrator first.`,
    verb: t`Issue a key`,
    to: '/integrations/keys?do=new',
  },
};

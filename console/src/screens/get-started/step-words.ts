import type { Schema } from '../../api.ts';

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
    title: 'License number',
    why: 'Receipts and labels must show it.',
    verb: 'Enter it',
    to: '/settings/organization',
  },
  taxes: {
    title: 'Taxes',
    why: 'The preset of your state sets them up, with the source of each. Add local taxes yourself.',
    verb: 'See the preset',
    to: '/settings/taxes?do=preset',
  },
  locations: {
    title: 'Stock location',
    why: 'Stock is kept somewhere: the sales floor, a vault, a vehicle.',
    verb: 'Add a location',
    to: '/inventory/locations?do=new',
  },
  'order-locations': {
    title: 'Where orders take their stock',
    why: 'Deliveries, pickups and in-store sales each need a location. Turn off what you do not offer.',
    verb: 'Choose locations',
    to: '/settings/organization#orders',
  },
  'payment-types': {
    title: 'Payment type',
    why: 'How customers pay: cash, a debit terminal, a transfer.',
    verb: 'Add a payment type',
    to: '/settings/payment-types?do=new',
  },
  categories: {
    title: 'Product categories',
    why: 'Each says what kind of cannabis its products are: taxes and purchase limits follow from it.',
    verb: 'Add a category',
    to: '/catalog/categories?do=new',
  },
  products: {
    title: 'Products',
    why: 'Upload the menu of your former system as CSV or JSON, or create the first product by hand.',
    verb: 'Import a menu',
    to: '/catalog/imports',
  },
  stock: {
    title: 'Stock',
    why: 'Only what is in stock can be sold. Take in the first goods.',
    verb: 'Take in stock',
    to: '/inventory?do=adjust',
  },
  staff: {
    title: 'Colleagues',
    why: 'Each person signs in alone, so the audit log names who did what.',
    verb: 'Invite a colleague',
    to: '/settings/staff?do=new',
  },
  register: {
    title: 'Register',
    why: 'A register has a drawer; opened and counted, it proves the cash of a day.',
    verb: 'Add a register',
    to: '/settings/registers?do=new',
  },
  'client-key': {
    title: 'First key of an integrator',
    why: 'A web shop or menu reads and orders with it. The operator of the service registers the integrator first.',
    verb: 'Issue a key',
    to: '/integrations/keys?do=new',
  },
};

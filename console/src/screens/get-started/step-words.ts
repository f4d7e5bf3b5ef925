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
    why: t`Your state's preset sets them up, each with its source. Add local taxes yourself.`,
    verb: t`See the preset`,
    to: '/settings/taxes?do=preset',
  },
  locations: {
    title: t`Stock location`,
    why: t`Where you keep stock: the sales floor, a vault, a vehicle.`,
    verb: t`Add a location`,
    to: '/inventory/locations?do=new',
  },
  'order-locations': {
    title: t`Where orders get their stock`,
    why: t`Deliveries, pickups and in-store sales each need a location. Turn off what you do not offer.`,
    verb: t`Choose locations`,
    to: '/settings/organization#orders',
  },
  'payment-types': {
    title: t`Payment type`,
    why: t`How customers pay: cash, debit, bank transfer.`,
    verb: t`Add a payment type`,
    to: '/settings/payment-types?do=new',
  },
  categories: {
    title: t`Product categories`,
    why: t`The category decides which taxes and purchase limits apply.`,
    verb: t`Add a category`,
    to: '/catalog/categories?do=new',
  },
  products: {
    title: t`Products`,
    why: t`Upload the menu of your previous system as CSV or JSON, or create the first product by hand.`,
    verb: t`Import a menu`,
    to: '/catalog/imports',
  },
  stock: {
    title: t`Stock`,
    why: t`You can sell only what is in stock. Receive your first goods.`,
    verb: t`Receive stock`,
    to: '/inventory?do=adjust',
  },
  staff: {
    title: t`Colleagues`,
    why: t`Everyone signs in as themselves, so the audit log shows who did what.`,
    verb: t`Invite a colleague`,
    to: '/settings/staff?do=new',
  },
  register: {
    title: t`Register`,
    why: t`Each register has a cash drawer. Open and count it to balance each day.`,
    verb: t`Add a register`,
    to: '/settings/registers?do=new',
  },
  'client-key': {
    title: t`First key for an integrator`,
    why: t`A web shop or menu orders with it. The service operator registers the integrator first.`,
    verb: t`Issue a key`,
    to: '/integrations/keys?do=new',
  },
};

import Type from 'typebox';
import { cashRoundings } from '../../engines/offline-pricing/cash-rounding.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import {
  Cents,
  Flag,
  Id,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { schemasOf, settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { PercentText, settingsReaders, settingsWriters } from './settings-schemas.ts';

const fields = {
  name: settingField(NonBlankText({ max: 200 }), 'name'),
  fee: settingField(Cents({ description: 'Flat fee in cents' }), 'fee_cents', { absent: 0 }),
  feeDescription: settingField(
    Nullable(Text({ max: 500, description: 'Text for customers' })),
    'fee_description',
    { absent: null },
  ),
  method: settingField(OneOf(['cash', 'debit', 'other', 'processor']), 'method'),
  feePercent: settingField(
    PercentText({ description: 'Fee on the amount paid with this type, in percent' }),
    'fee_percent',
    { absent: '0', reads: canonicalDecimalText, shows: canonicalDecimalText },
  ),
  availableDelivery: settingField(
    Flag({ description: 'Whether delivery orders can use it' }),
    'available_delivery',
    { absent: true },
  ),
  cashRounding: settingField(
    Nullable(
      OneOf(cashRoundings, {
        description:
          'Cash only: how it is rounded to five cents, after taxes and fees. `down` never charges more than was due. Null: as the state ' +
          'says, which for most is not at all',
      }),
    ),
    'cash_rounding',
    { absent: null },
  ),
  takesGiftCards: settingField(
    Flag({
      description:
        'Payments by it come from gift cards of the shop, named by code when the order is handed over. Not looked up for each state: read ' +
        'the law of yours first',
    }),
    'takes_gift_cards',
    { absent: false },
  ),
  agreedFee: settingField(
    Cents({
      description:
        'What the provider keeps of each payment, as agreed with it. With `agreedFeePercent` 0 as well: nothing is compared',
    }),
    'agreed_fee_cents',
    { absent: 0 },
  ),
  agreedFeePercent: settingField(
    PercentText({ description: 'The same, in percent of the payment' }),
    'agreed_fee_percent',
    { absent: '0', reads: canonicalDecimalText, shows: canonicalDecimalText },
  ),
};

const paymentTypeTable = settingTable('payment_types', {
  fields,
  ends: 'archived',
  lock: 'for no key update',
});

const requestExample = {
  name: 'Debit at the door',
  fee: 350,
  feeDescription: 'Terminal fee',
  method: 'debit',
  feePercent: '0',
  availableDelivery: true,
  cashRounding: null,
  takesGiftCards: false,
  agreedFee: 10,
  agreedFeePercent: '0.85',
} as const;

/** Payment types, with their fees. Orders keep the fees that they were placed with. */
export const paymentTypes = settingResource({
  table: paymentTypeTable,
  noun: 'payment type',
  subject: 'payment_type',
  idName: 'paymentTypeId',
  notFound: 'PAYMENT_TYPE_NOT_FOUND',
  tells: ['name'],
  path: '/staff/v1/payment-types',
  tag: 'Settings',
  readers: settingsReaders,
  writers: settingsWriters,
  data: Named(
    'PaymentTypeSetting',
    Type.Object({
      id: Id(),
      ...schemasOf(fields),
      archivedAt: Nullable(Timestamp({ description: 'Carts cannot use it since then' })),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    }),
  ),
  example: {
    id: 2301,
    ...requestExample,
    archivedAt: null,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
  },
  list: {
    id: 'listPaymentTypeSettings',
    summary: 'List payment types',
    description: 'All payment types, including archived ones.',
    max: 10_000,
    sorts: { id: 'ascending', name: 'ascending', fee: 'descending', createdAt: 'descending' },
  },
  create: {
    id: 'createPaymentType',
    summary: 'Create a payment type',
    description: 'By default without fees and available for deliveries.',
    requestExample,
  },
  replace: {
    id: 'replacePaymentType',
    summary: 'Replace the settings of a payment type',
    description: 'Absent fields get their defaults. An archived one stays archived; orders keep their fees.',
    requestExample,
  },
  update: {
    id: 'updatePaymentType',
    summary: 'Change a payment type',
    description:
      'Changes the given fields; orders keep their fees. `archived: false` or `archivedAt: null` restores one.',
    requestExample: { fee: 300 },
    fields: {
      archivedAt: Type.Optional(Nullable(Timestamp({ description: 'null restores, a time archives (now)' }))),
    },
  },
  end: {
    id: 'archivePaymentType',
    summary: 'Archive a payment type',
    description: 'Carts cannot use it any more; it stays listed here. Archiving it again changes nothing.',
    changed: { archivedAt: '2026-05-01T17:05:09.123Z' },
  },
});

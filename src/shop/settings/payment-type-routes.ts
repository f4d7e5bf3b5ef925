import Type from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import {
  Cents,
  DecimalText,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../platform/http/schemas.ts';
import { selectPaymentTypes } from './payment-type-queries.ts';

const PaymentType = Named(
  'PaymentType',
  Type.Object({
    id: Id(),
    name: Text({ max: 200 }),
    fee: Cents({ description: 'Flat fee in cents' }),
    feeDescription: Nullable(Text({ max: 500, description: 'Text for customers' })),
    method: OneOf(['cash', 'debit', 'other', 'processor'], { description: 'How it is paid' }),
    feePercent: DecimalText({ description: 'Percentage fee on the amount paid with this type' }),
    availableDelivery: Flag({ description: 'Whether delivery orders can use it' }),
    createdAt: Timestamp(),
  }),
);

/** Operations on payment types for integrators. */
export function paymentTypeRoutes(context: Context): Endpoint[] {
  return [
    endpoint({
      id: 'listPaymentTypes',
      method: 'GET',
      path: '/api/v1/payment-types',
      address: 'base',
      permission: 'create-orders',
      publishableKey: 'allowed',
      kind: 'read',
      readsFrom: 'standby',
      list: { staysSmall: 'settings of the shop' },
      namesNoContact: true,
      summary: 'List payment types',
      description: 'The payment types that an order can name, with their fees.',
      tag: 'Settings',
      success: {
        status: 200,
        data: List(PaymentType, { max: 10_000 }),
        description: 'The payment types',
        example: [
          {
            id: 2301,
            name: 'Debit at the door',
            fee: 350,
            feeDescription: 'Terminal fee',
            method: 'debit',
            feePercent: '0',
            availableDelivery: true,
            createdAt: '2026-03-01T17:05:09.123Z',
          },
        ],
      },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await context.database.read(caller.organizationId, selectPaymentTypes({}));
        return reply(
          rows.map((row) => ({
            id: row.id,
            name: row.name,
            fee: row.fee_cents,
            feeDescription: row.fee_description,
            method: row.method,
            feePercent: canonicalDecimalText(row.fee_percent),
            availableDelivery: row.available_delivery,
            createdAt: isoTimestamp(row.created_at),
          })),
        );
      },
    }),
  ];
}

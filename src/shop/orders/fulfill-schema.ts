import Type from 'typebox';
import { Cents, Flag, Id, List, Text } from '../../platform/http/schemas.ts';
import { CartPaymentBody, paymentCentsMax } from '../carts/cart-schemas.ts';
import { IdCheck } from './seen-id.ts';

/** How an order is handed over: paid, where, and who was seen. */
export const FulfillBody = Type.Object({
  idCheck: Type.Optional(IdCheck),
  registerId: Type.Optional(
    Id({
      description: 'The register where it is paid: the payments belong to the open session of its drawer',
    }),
  ),
  leavesUnknownPayment: Type.Optional(
    Flag({
      description:
        'Owners and managers only: the order is paid otherwise although a provider does not say what became of a payment. What it ' +
        'took turns out later, as a task',
    }),
  ),
  payments: Type.Optional(
    List(
      Type.Object({
        ...CartPaymentBody.properties,
        giftCard: Type.Optional(
          Text({
            min: 1,
            max: 100,
            description: 'The code of the gift card that pays, for payment types with `takesGiftCards`',
          }),
        ),
        tendered: Type.Optional(
          Cents({
            max: paymentCentsMax,
            description: 'Cash received; what exceeds the amount due is `change`',
          }),
        ),
      }),
      {
        max: 20,
        description:
          'How the order was paid, in place of the intended payments, with the same fields: one `remaining: true`, or amounts that ' +
          'add up to `netPrice` + `deliveryFee`',
      },
    ),
  ),
});

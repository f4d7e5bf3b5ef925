import Type from 'typebox';
import { type Failure, failure } from '../../kernel/failure.ts';
import type { StaffCaller } from '../../platform/http/endpoint.ts';
import { Id, Nullable, OneOf, Text, WholeNumber, withErrorCode } from '../../platform/http/schemas.ts';
import { quantityMax } from '../carts/cart-schemas.ts';
import type { StaffName } from '../orders/order-record.ts';
import { inventoryActions } from '../orders/order-return-schema.ts';
import type { UnprovenRefund } from './return-order.ts';

/* What the operations on goods that come back share. */

export const returnedLine = {
  orderLineItemId: Id(),
  quantity: withErrorCode(
    WholeNumber({ min: 1, max: quantityMax, description: 'At most what is left to return' }),
    'INVALID_ORDER_QUANTITY',
  ),
  inventoryAction: Type.Optional(
    OneOf(inventoryActions, {
      description:
        '`inventory`: for sale again; `quarantine`: kept apart until staff move it; `waste`, `vendor`: not kept. Default: `quarantine` for cannabis, else `inventory`',
    }),
  ),
};

/** Where goods for sale again go, of a whole return. */
export const backAtLocation = Type.Optional(
  Nullable(
    Id({
      description:
        'Where goods with `inventoryAction` `inventory` go: not a vehicle. Absent: where they came from; what was delivered with a vehicle, where it was loaded from',
    }),
  ),
);

/** The same, with why. */
export const ReturnedGoods = Type.Object({ ...returnedLine, reason: Text({ min: 1, max: 500 }) });

/** The reason without outer space. Fails with INVALID_PARAMS for a blank one, naming the field. */
export function readReason(reason: string, field: string): string {
  const text = reason.trim();
  if (text === '') throw failure('INVALID_PARAMS', `${field} must not be blank`);
  return text;
}

/** The caller as records name them. */
export function staffNameOf({ staffId, email, firstName, lastName }: StaffCaller): StaffName {
  return { id: staffId, email, firstName, lastName };
}

/** What the caller may refund without a recent proof (D72); null: anything. */
export async function unprovenRefund(
  { standing: { proofAboveCents: cents } }: StaffCaller,
  lackOfProof: () => Promise<Failure | null>,
): Promise<UnprovenRefund | null> {
  const refusal = cents === null ? null : await lackOfProof();
  return cents === null || refusal === null ? null : { cents, refusal };
}

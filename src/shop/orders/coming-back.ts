import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { BoughtRow } from '../carts/cart-customer-queries.ts';
import { limitedLines } from './limits-used.ts';
import { loadOrder } from './loaded-order-queries.ts';

/** Units of an earlier order that come back in exchange for a cart. */
export interface ComingBack {
  readonly orderId: string;
  readonly lineItems: readonly { readonly orderLineItemId: number; readonly quantity: number }[];
}

/**
 * What purchase limits no longer count once these goods are back: purchases of less than nothing, on the day on which they were bought.
 * Only a preview of the exchange, which takes them back before it checks the limits again. Fails with ORDER_NOT_FOUND and INVALID_PARAMS.
 */
export async function boughtBack(
  tx: Pick<TenantTransaction, 'organizationId' | 'run'>,
  { orderId, lineItems }: ComingBack,
): Promise<BoughtRow[]> {
  const [[shop]] = await tx.run(selectOrganization({}));
  const order = await loadOrder(tx, orderId, { lock: false });
  assert(shop !== undefined, 'the organization exists');
  if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  const { head, lines } = order;
  const { userId } = head;
  if (userId === null) return [];
  const local_date = localDateAt(head.fulfilledAt ?? head.createdAt, shop.tz);
  return lineItems.flatMap(({ orderLineItemId, quantity }, index) => {
    const line = lines.find(({ id }) => id === orderLineItemId);
    if (line === undefined || quantity > line.quantity) {
      throw failure('INVALID_PARAMS', `returned.lineItems[${index}] must be units of a line of that order`);
    }
    const [{ cannabisType, content, thcMg }] = limitedLines([line]) as [
      ReturnType<typeof limitedLines>[number],
    ];
    if (cannabisType === 'none') return [];
    const less = (unit: string) => decimalText(zero.minus(decimal(unit).times(quantity)));
    const rowOf = (cannabis_type: BoughtRow['cannabis_type'], unit: string | null): BoughtRow[] =>
      unit === null ? [] : [{ customer_id: userId, local_date, cannabis_type, content: less(unit) }];
    return [...rowOf(cannabisType, content), ...rowOf(`thc:${cannabisType}`, thcMg)];
  });
}

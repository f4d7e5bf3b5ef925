import { accept } from './accept.ts';
import { cancel } from './cancel.ts';
import { fulfill } from './fulfill.ts';
import type { OrderAction } from './order-action.ts';
import { pack } from './pack.ts';
import { unaccept } from './unaccept.ts';
import { unpack } from './unpack.ts';
import { voidSale } from './void.ts';

/** All of D24: staff change a status in no other way. The order is that of the reference. */
const actions = [accept, unaccept, pack, unpack, fulfill, cancel, voidSale] as const;

export type OrderActionId = (typeof actions)[number]['id'];

/** Every action. `read` gets bodies that were checked against their schema. */
export const orderActions = actions as readonly OrderAction<OrderActionId>[];

const actionById = new Map(orderActions.map((action) => [action.id, action]));

/** The declaration of an action. */
export function orderActionOf(id: OrderActionId): OrderAction<OrderActionId> {
  return actionById.get(id)!;
}

import { accept } from './accept.ts';
import { cancel } from './cancel.ts';
import { fulfill } from './fulfill.ts';
import type { OrderAction } from './order-action.ts';
import { pack } from './pack.ts';
import { unaccept } from './unaccept.ts';
import { unpack } from './unpack.ts';

/** D24, whole: staff cannot change a status in any other way. In the order of the reference. */
const actions = [accept, unaccept, pack, unpack, fulfill, cancel] as const;

export type OrderActionId = (typeof actions)[number]['id'];

/** Every action. The bodies have been checked against their schemas before `read` gets them. */
export const orderActions = actions as readonly OrderAction<OrderActionId>[];

const actionById = new Map(orderActions.map((action) => [action.id, action]));

/** The declaration of an action. */
export function orderActionOf(id: OrderActionId): OrderAction<OrderActionId> {
  return actionById.get(id)!;
}

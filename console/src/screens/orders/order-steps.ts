import { staffOrderActions } from '../../../../sdk/src/staff-order-actions.ts';
import { api, dataOf } from '../../api.ts';
import { said, t } from '../../words/words.ts';
import type { Order } from './order-words.ts';

/** The actions of staff on an order: those that move its status, and edit, dispatch and return. */
export type OrderAction = Order['allowedActions'][number];

type MovingAction = keyof typeof staffOrderActions;

/** The actions that run at once, without a dialog. */
export type PlainStep = {
  [Id in MovingAction]: (typeof staffOrderActions)[Id]['opens'] extends 'nothing' ? Id : never;
}[MovingAction];

export function isPlainStep(action: OrderAction): action is PlainStep {
  return action in staffOrderActions && staffOrderActions[action as MovingAction].opens === 'nothing';
}

/** The actions in the overflow menu: they go back a step or end the order. */
export const rareActions: readonly OrderAction[] = (Object.keys(staffOrderActions) as MovingAction[]).filter(
  (action) => staffOrderActions[action].isRare,
);

export function takePlainStep(step: PlainStep, orderId: string): Promise<Order> {
  return dataOf(api.POST(staffOrderActions[step].path, { params: { path: { orderId } } }));
}

/** Accepts a draft; its stock comes from the locations of its order type, or from one location. */
export function acceptOrder(orderId: string, inventoryLocationId?: number): Promise<Order> {
  const body = inventoryLocationId === undefined ? {} : { inventoryLocationId };
  return dataOf(api.POST(staffOrderActions.accept.path, { params: { path: { orderId } }, body }));
}

interface StepWords {
  readonly verb: string;
  readonly done: string;
}

/** The label of each action's button, and the message when it is done. */
export const stepWords: Readonly<Record<OrderAction, StepWords>> = {
  ...(Object.fromEntries(
    Object.entries(staffOrderActions).map(([id, { verb, done }]) => [
      id,
      { verb: said(verb), done: said(done) },
    ]),
  ) as Record<MovingAction, StepWords>),
  edit: { verb: t`Edit`, done: t`The order is saved.` },
  dispatch: { verb: t`Dispatch`, done: t`The delivery is updated.` },
  return: { verb: t`Return goods`, done: t`The return is recorded.` },
};

/** The next step in the lifecycle; an order at the counter is not packed first. */
export function nextStep({
  allowedActions,
  type,
}: Pick<Order, 'allowedActions' | 'type'>): 'accept' | 'pack' | 'fulfill' | undefined {
  const steps =
    type === 'in-store' ? (['accept', 'fulfill', 'pack'] as const) : (['accept', 'pack', 'fulfill'] as const);
  return steps.find((step) => allowedActions.includes(step));
}

import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { type OrderAction, type PlainStep, stepWords, takePlainStep } from './order-steps.ts';
import { isConflict, type useOrderStep } from './use-order-step.ts';

/** The step that takes another one back. */
const back: Partial<Record<OrderAction, PlainStep>> = { accept: 'unaccept', pack: 'unpack', unpack: 'pack' };

/** Takes back a step of an order that was just taken; undefined: there is no way back. */
export function undoOf(
  action: OrderAction,
  orderId: string,
  step: ReturnType<typeof useOrderStep>,
): (() => void) | undefined {
  const undo = back[action];
  if (undo === undefined) return undefined;
  return () =>
    void step(orderId, () => takePlainStep(undo, orderId)).then(
      () => notifyDone(stepWords[undo].done),
      (error: unknown) => isConflict(error) || notifyError(error),
    );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { acceptOrder, nextStep, stepWords, takePlainStep } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { undoOf } from './undo-step.ts';
import { isConflict, useOrderStep } from './use-order-step.ts';

/** The button of a card: the next step of the order. Fulfilling takes payments, so it opens the order. */
export function QuickStep({
  order,
  className,
  isOver = false,
  onTake,
}: {
  order: Order;
  className?: string | undefined;
  /** The step is done; only the card is still shown. */
  isOver?: boolean;
  onTake: () => void;
}) {
  const step = useOrderStep();
  const next = nextStep(order);
  /** The order as it was when its step was taken. */
  const [taken, setTaken] = useState<string | null>(null);
  const take = useWrite({
    mutationFn: () =>
      step(order.id, () => (next === 'accept' ? acceptOrder(order.id) : takePlainStep('pack', order.id))),
    onSuccess: () => {
      setTaken(order.updatedAt);
      if (next) notifyDone(`${orderTitle(order)}: ${stepWords[next].done}`, undoOf(next, order.id, step));
    },
    onError: (error) => isConflict(error) || notifyError(error),
  });
  if (next === undefined) return null;
  const looks = {
    className,
    variant: 'light',
    size: 'sm',
    fullWidth: true,
    mt: 8,
    px: 4,
    'aria-label': `${stepWords[next].verb}: ${orderTitle(order)}`,
  } as const;
  if (next === 'fulfill') {
    return (
      <Button component={Link} to={`/orders/${order.id}?do=fulfill`} {...looks}>
        {stepWords.fulfill.verb}
      </Button>
    );
  }
  return (
    <Button
      loading={take.isPending}
      // The board shows the old state until it is refetched; a step that is taken back can be taken again.
      disabled={isOver || taken === order.updatedAt}
      onClick={() => {
        onTake();
        take.mutate();
      }}
      {...looks}
    >
      {stepWords[next].verb}
    </Button>
  );
}

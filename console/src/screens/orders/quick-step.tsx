import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { acceptOrder, nextStep, stepWords, takePlainStep } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { isConflict, useOrderStep } from './use-order-step.ts';

/** On a card: the next step of the lifecycle. Handing over takes payments, so it opens the order. */
export function QuickStep({
  order,
  className,
  isOver = false,
  onTake,
}: {
  order: Order;
  className?: string | undefined;
  /** The step is taken; only the card is still there. */
  isOver?: boolean;
  onTake: () => void;
}) {
  const step = useOrderStep();
  const next = nextStep(order);
  const take = useWrite({
    mutationFn: () =>
      step(order.id, () => (next === 'accept' ? acceptOrder(order.id) : takePlainStep('pack', order.id))),
    onSuccess: () => next && notifyDone(`${orderTitle(order)}: ${stepWords[next].done}`),
    onError: (error) => isConflict(error) || notifyError(error),
  });
  if (next === undefined) return null;
  const looks = {
    className,
    variant: 'light',
    size: 'compact-sm',
    fullWidth: true,
    mt: 8,
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
      // Until the board is asked again it has the order as it was.
      disabled={isOver || take.isSuccess}
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

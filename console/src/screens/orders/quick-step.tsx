import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { sayDone, sayFailed } from '../../parts/toasts.tsx';
import { acceptOrder, nextStep, stepWords, takePlainStep } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { isConflict, useOrderStep } from './use-order-step.ts';

/** On a card: the next step of the lifecycle. Handing over takes payments, so it opens the order. */
export function QuickStep({ order, className }: { order: Order; className?: string | undefined }) {
  const step = useOrderStep();
  const next = nextStep(order);
  const take = useMutation({
    mutationFn: () =>
      step(order.id, () => (next === 'accept' ? acceptOrder(order.id) : takePlainStep('pack', order.id))),
    onSuccess: () => next && sayDone(`${orderTitle(order)}: ${stepWords[next].done}`),
    onError: (error) => isConflict(error) || sayFailed(error),
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
    <Button loading={take.isPending} onClick={() => take.mutate()} {...looks}>
      {stepWords[next].verb}
    </Button>
  );
}

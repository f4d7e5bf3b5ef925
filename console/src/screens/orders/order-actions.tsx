import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { notifyError, sayDone } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { AcceptDialog, CancelDialog } from './accept-and-cancel.tsx';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { EditOrderDialog } from './edit-order.tsx';
import { FulfillDialog } from './fulfill-dialog.tsx';
import { nextStep, type OrderAction, type PlainStep, stepWords, takePlainStep } from './order-steps.ts';
import type { Order } from './order-words.ts';
import { ReturnDialog } from './return-dialog.tsx';
import { isConflict, useOrderStep } from './use-order-step.ts';

const plainSteps: readonly OrderAction[] = ['pack', 'unpack', 'unaccept'];

/** What stands in the menu behind the dots: what goes back, and what ends an order. */
const rare: readonly OrderAction[] = ['unpack', 'unaccept', 'cancel'];

/** Everything that can be done with an order now (`allowedActions`): the next step first, what is rare behind the dots. */
export function OrderActions({ order }: { order: Order }) {
  const step = useOrderStep();
  const [parameters, setParameters] = useSearchParams();
  const [opened, setOpened] = useState<OrderAction | null>(
    parameters.get('do') === 'fulfill' ? 'fulfill' : null,
  );
  const { allowedActions } = order;
  const close = () => {
    setOpened(null);
    if (parameters.has('do')) setParameters({}, { replace: true });
  };
  const plain = useWrite({
    mutationFn: (action: PlainStep) => step(order.id, () => takePlainStep(action, order.id)),
    onSuccess: (_, action) => sayDone(stepWords[action].done),
    onError: (error) => isConflict(error) || notifyError(error),
  });
  const start = (action: OrderAction) => {
    if (plainSteps.includes(action)) plain.mutate(action as PlainStep);
    else setOpened(action);
  };
  const next = nextStep(order);
  const beside = allowedActions.filter((action) => action !== next && !rare.includes(action));
  const behind = rare.filter((action) => allowedActions.includes(action));
  return (
    <>
      <PrintMenu order={order} />
      {beside.map((action) => (
        <Button key={action} variant="default" onClick={() => start(action)}>
          {stepWords[action].verb}
        </Button>
      ))}
      {next && (
        <Button loading={plain.isPending} onClick={() => start(next)}>
          {stepWords[next].verb}
        </Button>
      )}
      {behind.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {behind.map((action) => (
              <Menu.Item
                key={action}
                color={action === 'cancel' ? 'var(--mantine-color-error)' : undefined}
                onClick={() => start(action)}
              >
                {stepWords[action].verb}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {opened && allowedActions.includes(opened) && (
        <ActionDialog order={order} action={opened} onClose={close} />
      )}
    </>
  );
}

function ActionDialog(props: { order: Order; action: OrderAction; onClose: () => void }) {
  switch (props.action) {
    case 'accept':
      return <AcceptDialog {...props} />;
    case 'cancel':
      return <CancelDialog {...props} />;
    case 'fulfill':
      return <FulfillDialog {...props} />;
    case 'dispatch':
      return <DispatchDialog {...props} />;
    case 'edit':
      return <EditOrderDialog {...props} />;
    case 'return':
      return <ReturnDialog {...props} />;
    default:
      return null;
  }
}

function PrintMenu({ order }: { order: Order }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="Print">
          <IconPrinter size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/print/orders/${order.id}/receipt`} target="_blank">
          Receipt
        </Menu.Item>
        <Menu.Item component={Link} to={`/print/orders/${order.id}/packing-slip`} target="_blank">
          Packing slip
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconMail, IconPrinter } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { AcceptDialog, CancelDialog, VoidDialog } from './accept-and-cancel.tsx';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { EditOrderDialog } from './edit-order.tsx';
import { FulfillDialog } from './fulfill-dialog.tsx';
import {
  isPlainStep,
  nextStep,
  type OrderAction,
  type PlainStep,
  rareActions,
  stepWords,
  takePlainStep,
} from './order-steps.ts';
import type { Order } from './order-words.ts';
import { RepriceDialog } from './reprice-dialog.tsx';
import { ReturnDialog } from './return-dialog.tsx';
import { ReturnScans } from './return-scans.tsx';
import { undoOf } from './undo-step.ts';
import { useMailReceipt } from './use-mail-receipt.ts';
import { isConflict, useOrderStep } from './use-order-step.ts';

/** The allowed actions of an order (`allowedActions`): the next step as a button, rare ones in the menu. */
export function OrderActions({ order }: { order: Order }) {
  const step = useOrderStep();
  const [parameters, setParameters] = useSearchParams();
  const [opened, setOpened] = useState<DialogAction | null>(
    parameters.get('do') === 'fulfill' ? 'fulfill' : null,
  );
  const [scannedLine, setScannedLine] = useState<number | null>(null);
  const [isRepricing, setIsRepricing] = useState(false);
  // Who may not void a sale alone needs a manager's PIN.
  const { allowedActions } = order;
  // An act that is undone is allowed again: its dialog must not come back by itself.
  if (opened && !allowedActions.includes(opened)) setOpened(null);
  const close = () => {
    setOpened(null);
    setScannedLine(null);
    if (parameters.has('do')) setParameters({}, { replace: true });
  };
  const plain = useWrite({
    mutationFn: (action: PlainStep) => step(order.id, () => takePlainStep(action, order.id)),
    onSuccess: (_, action) => notifyDone(stepWords[action].done, undoOf(action, order.id, step)),
    onError: (error) => isConflict(error) || notifyError(error),
  });
  const start = (action: OrderAction) => {
    if (isPlainStep(action)) plain.mutate(action);
    else setOpened(action);
  };
  const Dialog = opened ? dialogs[opened] : null;
  const next = nextStep(order);
  const beside = allowedActions.filter((action) => action !== next && !rareActions.includes(action));
  const behind = rareActions.filter((action) => allowedActions.includes(action));
  return (
    <>
      <PrintMenu order={order} />
      {order.status === 'fulfilled' && order.customer && <SendReceipt order={order} />}
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
            <ActionIcon variant="default" size={36} aria-label={t`More actions`}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {allowedActions.includes('edit') && (
              <Menu.Item onClick={() => setIsRepricing(true)}>{t`Use current prices`}</Menu.Item>
            )}
            {behind.map((action) => (
              <Menu.Item
                key={action}
                color={action === 'cancel' || action === 'void' ? 'var(--mantine-color-error)' : undefined}
                onClick={() => start(action)}
              >
                {stepWords[action].verb}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {allowedActions.includes('return') && opened === null && (
        <ReturnScans
          order={order}
          onUnit={(lineId) => {
            setScannedLine(lineId);
            setOpened('return');
          }}
        />
      )}
      {isRepricing && <RepriceDialog order={order} onClose={() => setIsRepricing(false)} />}
      {Dialog && <Dialog order={order} scannedLine={scannedLine} onClose={close} />}
    </>
  );
}

type DialogAction = Exclude<OrderAction, PlainStep>;

/** The dialog of each action that has one; the compiler names an action that is missing. */
const dialogs: Readonly<
  Record<DialogAction, ComponentType<{ order: Order; scannedLine: number | null; onClose: () => void }>>
> = {
  accept: AcceptDialog,
  cancel: CancelDialog,
  fulfill: FulfillDialog,
  dispatch: DispatchDialog,
  edit: EditOrderDialog,
  return: ReturnDialog,
  void: VoidDialog,
};

function SendReceipt({ order }: { order: Order }) {
  const send = useMailReceipt(order.id);
  return (
    <Tooltip label={t`Email the receipt to the customer`}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t`Email the receipt`}
        loading={send.isPending}
        onClick={() => send.mutate()}
      >
        <IconMail size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

function PrintMenu({ order }: { order: Order }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t`Print`}>
          <IconPrinter size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/print/orders/${order.id}/receipt`} target="_blank">
          {t`Receipt`}
        </Menu.Item>
        <Menu.Item component={Link} to={`/print/orders/${order.id}/packing-slip`} target="_blank">
          {t`Packing slip`}
        </Menu.Item>
        <Menu.Item component={Link} to={`/print/orders/${order.id}/exit-labels`} target="_blank">
          {t`Exit labels`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

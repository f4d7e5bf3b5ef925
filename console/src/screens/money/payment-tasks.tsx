import { Anchor, Menu, Modal, Text, Textarea } from '@mantine/core';
import { IconCheck, IconCreditCardRefund } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { ReportTabs } from '../reports/report-tabs.tsx';
import { Batches } from './batches.tsx';
import { MoneyToday } from './money-today.tsx';

type Task = Schema['PaymentTask'];

const kindInWords: Readonly<Record<Task['kind'], string>> = {
  refund: t`Give back`,
  collect: t`Collect: the bank took the payment back`,
  unknown: t`Unclear whether it was taken`,
  dispute: t`Disputed by the customer`,
  'cash-back': t`Cash back paid out of the drawer`,
  settlement: t`The provider paid out something else`,
};

const reasonInWords: Readonly<Record<string, string>> = {
  late: t`paid late`,
  'voided-at-terminal': t`voided at the terminal`,
  'order-canceled': t`order canceled`,
  'paid-otherwise': t`paid another way`,
  'more-than-due': t`more than was due`,
  'goods-returned': t`goods returned`,
  'card-needed': t`needs the card`,
  'refund-refused': t`the provider refused`,
  'not-ours': t`not known here`,
  'amount-differs': t`another amount`,
  'not-paid-out': t`not paid out`,
  'batch-differs': t`the total of its batch`,
  'fee-differs': t`its fees are not as agreed`,
};

/** What people have to do about payments at terminals and banks, newest first. */
export function Component() {
  const tasks = useQuery({
    queryKey: ['payment-tasks'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/payment-tasks', { signal })),
  });
  useLive(['payment-tasks', 'orders']);
  const [ended, setEnded] = useState<Task | null>(null);
  const mayAct = useCan('refundPaymentTask');
  const refund = useRefund();
  return (
    <Page>
      <PageHeader title={t`Money`}>
        {t`Terminal and bank payments that need attention: money to give back, to collect, or unclear.`}
      </PageHeader>
      <ReportTabs />
      <MoneyToday />
      <Batches />
      <DataTable
        label={t`Money`}
        list={listOf(tasks, (rows) => rows)}
        columns={mayAct ? [...columns, actionsWith(refund, setEnded)] : columns}
        maxHeight={640}
        empty={
          <EmptyState title={t`No payments need attention`}>
            {t`Late, returned and unclear payments show here.`}
          </EmptyState>
        }
      />
      {ended && <EndDialog task={ended} onClose={() => setEnded(null)} />}
    </Page>
  );
}

function useRefund(): (task: Task, hasCard: boolean) => void {
  const queryClient = useQueryClient();
  const refund = useWrite({
    about: ({ task }) => task.id,
    mutationFn: ({ task, hasCard }: { task: Task; hasCard: boolean }) =>
      dataOf(
        api.POST('/staff/v1/payment-tasks/{paymentTaskId}/refund', {
          params: { path: { paymentTaskId: task.id } },
          body: { hasCard },
        }),
      ),
    onSuccess: () => {
      notifyDone(t`The money is on its way back.`);
      void queryClient.invalidateQueries({ queryKey: ['payment-tasks'] });
    },
    onError: notifyError,
  });
  return (task, hasCard) => refund.mutate({ task, hasCard });
}

const columns: readonly Column<Task>[] = [
  {
    id: 'kind',
    header: t`What to do`,
    cell: ({ kind, reason }) => (
      <>
        {kindInWords[kind]}
        {reasonInWords[reason] && (
          <Text span size="sm" c="dimmed">
            {' '}
            ({reasonInWords[reason]})
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'amount',
    header: t`Amount`,
    width: 120,
    align: 'end',
    cell: ({ amount }) => <Money cents={amount} />,
  },
  {
    id: 'order',
    header: t`Order`,
    width: 120,
    cell: ({ orderId, orderNumber, reference }) =>
      orderId === null ? (
        reference
      ) : (
        <Anchor component={Link} to={`/orders/${orderId}`}>
          {orderNumber === null ? t`Order` : `#${orderNumber}`}
        </Anchor>
      ),
  },
  { id: 'since', header: t`Since`, width: 180, cell: ({ createdAt }) => <ShopTime at={createdAt} /> },
];

function actionsWith(
  refund: (task: Task, hasCard: boolean) => void,
  end: (task: Task) => void,
): Column<Task> {
  return {
    id: 'actions',
    header: <span className="unseen">{t`Actions`}</span>,
    width: 64,
    align: 'end',
    cell: (task) => (
      <RowMenu label={t`Actions`}>
        {task.kind === 'refund' && (
          <>
            <Menu.Item
              leftSection={<IconCreditCardRefund size={16} aria-hidden />}
              onClick={() => refund(task, true)}
            >
              {t`Give back, the customer is here with the card`}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCreditCardRefund size={16} aria-hidden />}
              onClick={() => refund(task, false)}
            >
              {t`Give back without the customer`}
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<IconCheck size={16} aria-hidden />} onClick={() => end(task)}>
          {t`Done another way`}
        </Menu.Item>
      </RowMenu>
    ),
  };
}

function EndDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState('');
  const send = () =>
    dataOf(
      api.POST('/staff/v1/payment-tasks/{paymentTaskId}/done', {
        params: { path: { paymentTaskId: task.id } },
        body: { note },
      }),
    );
  return (
    <Modal opened onClose={onClose} title={t`Done another way`}>
      <ServerForm
        submit={t`Done`}
        onSubmit={send}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['payment-tasks'] });
          onClose();
        }}
        onCancel={onClose}
        isReady={note.trim() !== ''}
      >
        <Field path="note">
          {(error) => (
            <Textarea
              label={t`What was done`}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              error={error}
              maxLength={500}
              required
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}

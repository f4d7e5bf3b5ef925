import { Alert, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useLive } from '../../parts/use-live.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type Mail = Schema['Mail'];

/** The mail of the shop: what went out, or, without a mail server, what lies here to be read. */
export function Component() {
  const mails = useQuery({
    queryKey: ['mails'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/mails', { signal })),
  });
  const [opened, setOpened] = useState<Mail | null>(null);
  useLive(['mails']);
  return (
    <Page>
      <PageHeader title={t`Email`}>{t`Emails to customers and staff, newest first.`}</PageHeader>
      {mails.data?.some(({ state }) => state === 'kept') && (
        <Alert color="yellow" title={t`No email server`}>
          {t`Emails stay here and are not sent. Links and codes are for the recipient only: hand over the link that you see when you invite a person. With an email server, new emails are sent.`}
        </Alert>
      )}
      <DataTable
        label={t`Email`}
        list={listOf(mails, (rows) => rows)}
        columns={columns}
        onOpen={setOpened}
        maxHeight={640}
        empty={
          <EmptyState title={t`No emails yet`}>
            {t`Codes, receipts and notices for customers, and links for staff.`}
          </EmptyState>
        }
      />
      <Modal opened={opened !== null} onClose={() => setOpened(null)} title={opened?.subject} size="lg">
        <Stack gap="sm">
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {rich`To ${opened?.recipient}, ${<ShopTime at={opened?.createdAt ?? null} />}`}
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {opened?.text ?? opened?.failure ?? t`The text is for the recipient only.`}
          </Text>
        </Stack>
      </Modal>
    </Page>
  );
}

const columns: readonly Column<Mail>[] = [
  {
    id: 'subject',
    header: t`Email`,
    cell: (mail) => <TwoLines name={mail.subject}>{mail.recipient}</TwoLines>,
  },
  { id: 'state', header: t`State`, width: 140, cell: ({ state }) => <StatusBadge status={state} /> },
  { id: 'created', header: t`Written`, width: 184, cell: (mail) => <ShopTime at={mail.createdAt} /> },
];

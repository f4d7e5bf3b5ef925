import { Button, Group, Modal, Skeleton } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { t } from '../../words/words.ts';
import { DrawerReport } from './drawer-report.tsx';
import { drawerQuery } from './registers-query.ts';

/** The X or Z report of a session, with a way to print it. */
export function DrawerReportDialog({ sessionId, onClose }: { sessionId: number; onClose: () => void }) {
  const report = useQuery(drawerQuery(sessionId));
  const title = report.data
    ? `${report.data.kind === 'x' ? t`X report` : t`Z report`}: ${report.data.registerName}`
    : t`Drawer report`;
  return (
    <Modal opened onClose={onClose} title={title}>
      {report.isPending && <Skeleton height={240} />}
      {report.error && !report.data && <LoadFailure error={report.error} onRetry={() => report.refetch()} />}
      {report.data && <DrawerReport report={report.data} />}
      <Group justify="flex-end" mt="lg">
        <Button
          component={Link}
          to={`/print/drawer?session=${sessionId}&now`}
          target="_blank"
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
        >
          {t`Print`}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t`Close`}
        </Button>
      </Group>
    </Modal>
  );
}

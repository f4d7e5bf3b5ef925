import { Button, Skeleton, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from '../orders/order-print.module.css';
import { DrawerReport } from './drawer-report.tsx';
import { drawerQuery } from './registers-query.ts';

/** A printable report of a drawer (`?session=`). With `?now` it prints automatically. */
export function Component() {
  const [parameters] = useSearchParams();
  const { organization } = useSession();
  const sessionId = Number(parameters.get('session'));
  const isAsked = Number.isSafeInteger(sessionId) && sessionId > 0;
  const report = useQuery({ ...drawerQuery(sessionId), enabled: isAsked });
  const title = report.data
    ? `${report.data.kind === 'x' ? t`X report` : t`Z report`} ${report.data.registerName}`
    : t`Drawer report`;
  useEffect(() => {
    document.title = `${title} · ${organization.name}`;
  }, [title, organization.name]);
  const printsNow = report.data !== undefined && parameters.has('now');
  useEffect(() => {
    if (!printsNow) return;
    const timer = setTimeout(() => window.print(), 100);
    return () => clearTimeout(timer);
  }, [printsNow]);
  return (
    <main>
      <div className={classes.bar}>
        <Button component={Link} to="/reports/drawers" variant="default">
          {t`Back to the drawers`}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          disabled={!report.data}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
      </div>
      <div className={`${classes.sheet} ${classes.receipt}`}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {isAsked && report.isPending && <Skeleton height={320} />}
        {!isAsked && <p>{t`Choose a drawer session to print its report.`}</p>}
        {report.error && !report.data && (
          <LoadFailure error={report.error} onRetry={() => report.refetch()} />
        )}
        {report.data && <DrawerReport report={report.data} />}
      </div>
    </main>
  );
}

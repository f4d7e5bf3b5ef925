import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadFailure } from '../parts/load-failure.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { t } from '../words/words.ts';

/** Replaces a screen that failed, or whose code could not be loaded (after an update, for example). */
export function ScreenFault() {
  const error = useRouteError();
  return <LoadFailure error={error} onRetry={() => window.location.reload()} />;
}

export function NoSuchScreen() {
  return (
    <Page>
      <PageHeader title={t`Not found`} />
      <EmptyState
        title={t`Page not found`}
        action={
          <Button component={Link} to="/" variant="default">
            {t`Go to home`}
          </Button>
        }
      >
        {t`The address may be wrong, or the page has moved.`}
      </EmptyState>
    </Page>
  );
}

import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadFailure } from '../parts/load-failure.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** Replaces a screen that failed, or whose code could not be loaded (after an update, for example). */
export function ScreenFault() {
  const error = useRouteError();
  return <LoadFailure error={error} onRetry={() => window.location.reload()} />;
}

export function NoSuchScreen() {
  return (
    <Page>
      <PageHeader title="Not found" />
      <EmptyState
        title="Page not found"
        action={
          <Button component={Link} to="/" variant="default">
            Go to home
          </Button>
        }
      >
        The address may be wrong, or the page has moved.
      </EmptyState>
    </Page>
  );
}

import { Button } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadFailure } from '../parts/load-failure.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';

/** In place of a screen that broke, or whose code could not be loaded (after an update, say). */
export function ScreenFault() {
  const error = useRouteError();
  return <LoadFailure error={error} onRetry={() => window.location.reload()} />;
}

export function NoSuchScreen() {
  return (
    <Page>
      <PageHeader title="Not found" />
      <EmptyState
        title="There is no such page"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the start
          </Button>
        }
      >
        The address may be mistyped, or the page has moved.
      </EmptyState>
    </Page>
  );
}

import { Button } from '@mantine/core';
import { Link, Outlet, useLocation, useMatches } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useCan } from '../session/session.tsx';
import { NoSuchScreen } from './screen-fault.tsx';
import { isWellFormed } from './screen-ids.ts';
import { type Section, sections } from './sections.ts';

/** The screen of the address: if there can be one, and the role sees its section, whoever gave the link. */
export function ScreenGate() {
  const { pathname } = useLocation();
  const params = useMatches().at(-1)?.params ?? {};
  const section = sections.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  const may = useCan(section?.roles ?? []);
  if (section && !may) return <NotForRole section={section} />;
  return isWellFormed(params) ? <Outlet /> : <NoSuchScreen />;
}

function NotForRole({ section: { title, roles } }: { section: Section }) {
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState
        title="This is not for your role"
        action={
          <Button component={Link} to="/" variant="default">
            Go to the start
          </Button>
        }
      >
        {title} is open to {listed(['owners', ...roles.map((role) => people[role])])}. Ask one of them, or for
        another role.
      </EmptyState>
    </Page>
  );
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const people = {
  owner: 'owners',
  manager: 'managers',
  budtender: 'budtenders',
  inventory: 'inventory staff',
} as const;

import { Button } from '@mantine/core';
import { Link, Outlet, useLocation, useMatches } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useCan } from '../session/session.tsx';
import { NoSuchScreen } from './screen-fault.tsx';
import { isWellFormed } from './screen-ids.ts';
import { type Section, sections } from './sections.ts';

/** Shows the screen of the address if its ids are valid and the role may see its section, also when opened by a link. */
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
        title="You do not have access"
        action={
          <Button component={Link} to="/" variant="default">
            Go to home
          </Button>
        }
      >
        {title} is open to {listed(['owners', ...roles.map((role) => people[role])])}. Ask one of them for
        help, or ask for another role.
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

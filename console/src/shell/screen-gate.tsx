import { Button } from '@mantine/core';
import { Link, Outlet, useLocation, useMatches } from 'react-router';
import { EmptyState } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useSession } from '../session/session.tsx';
import { peopleWith, roleHas } from '../session/staff-role.ts';
import { t } from '../words/words.ts';
import { NoSuchScreen } from './screen-fault.tsx';
import { isWellFormed } from './screen-ids.ts';
import { type Section, sections } from './sections.ts';

/** Shows the screen of the address if its ids are valid and the role may see its section, also when opened by a link. */
export function ScreenGate() {
  const { pathname } = useLocation();
  const params = useMatches().at(-1)?.params ?? {};
  const section = sections.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  const { role } = useSession().staff;
  if (section && !roleHas(role, section.right)) return <NotForRole section={section} />;
  return isWellFormed(params) ? <Outlet /> : <NoSuchScreen />;
}

function NotForRole({ section: { title, right } }: { section: Section }) {
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState
        title={t`You do not have access`}
        action={
          <Button component={Link} to="/" variant="default">
            {t`Go to home`}
          </Button>
        }
      >
        {t`${title} is open to ${peopleWith(right)}. Ask one of them for help, or ask for another role.`}
      </EmptyState>
    </Page>
  );
}

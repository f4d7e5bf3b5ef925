import { NavLink, Outlet, useLocation } from 'react-router';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSession } from '../../session/session.tsx';
import { peopleWith, roleHas } from '../../session/staff-role.ts';
import { t } from '../../words/words.ts';
import classes from './settings-frame.module.css';
import { settingsPages } from './settings-pages.ts';

/** The settings with their own navigation: beside them, or above on a narrow screen. */
export function Component() {
  const { role } = useSession().staff;
  const { pathname } = useLocation();
  const shown = settingsPages.filter(({ right }) => roleHas(role, right));
  const hidden = settingsPages.find((page) => pathname === `/settings/${page.path}` && !shown.includes(page));
  return (
    <div className={classes.frame}>
      <nav aria-label={t`Settings`} className={classes.pages}>
        {shown.map(({ path, title }) => (
          <NavLink key={path} to={path} className={classes.page}>
            {title}
          </NavLink>
        ))}
      </nav>
      <div className={classes.body}>
        {hidden ? (
          <Page>
            <PageHeader title={hidden.title} />
            <EmptyState title={t`You do not have access`}>
              {t`${hidden.title} is for ${peopleWith(hidden.right)} only.`}
            </EmptyState>
          </Page>
        ) : (
          <Outlet />
        )}
      </div>
    </div>
  );
}

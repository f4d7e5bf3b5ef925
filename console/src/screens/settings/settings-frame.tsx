import { NavLink, Outlet, useLocation } from 'react-router';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type StaffRole, useSession } from '../../session/session.tsx';
import classes from './settings-frame.module.css';

interface SettingsPage {
  readonly path: string;
  readonly title: string;
  readonly roles: readonly StaffRole[];
}

const pages: readonly SettingsPage[] = [
  { path: 'organization', title: 'Organization', roles: ['manager'] },
  { path: 'taxes', title: 'Taxes', roles: ['manager'] },
  { path: 'delivery-zones', title: 'Delivery zones', roles: ['manager'] },
  { path: 'payment-types', title: 'Payment types', roles: ['manager'] },
  { path: 'purchase-limits', title: 'Purchase limits', roles: ['manager'] },
  { path: 'what-applies', title: 'What applies', roles: ['manager', 'budtender'] },
  { path: 'state-law', title: 'State law', roles: ['manager', 'budtender'] },
  { path: 'staff', title: 'Staff', roles: [] },
  { path: 'audit-log', title: 'Audit log', roles: ['manager'] },
];

/** The settings with their own navigation: beside them, or above on a narrow screen. */
export function Component() {
  const { role } = useSession().staff;
  const { pathname } = useLocation();
  const shown = pages.filter(({ roles }) => role === 'owner' || roles.includes(role));
  const hidden = pages.find((page) => pathname === `/settings/${page.path}` && !shown.includes(page));
  return (
    <div className={classes.frame}>
      <nav aria-label="Settings" className={classes.pages}>
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
            <EmptyState title="You do not have access">{hidden.title} is for owners only.</EmptyState>
          </Page>
        ) : (
          <Outlet />
        )}
      </div>
    </div>
  );
}

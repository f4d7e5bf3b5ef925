import { NavLink, Outlet } from 'react-router';
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
  { path: 'staff', title: 'Staff', roles: [] },
  { path: 'audit-log', title: 'Audit log', roles: ['manager'] },
];

/** The settings, with their own navigation beside them, or above where it is narrow. */
export function Component() {
  const { role } = useSession().staff;
  return (
    <div className={classes.frame}>
      <nav aria-label="Settings" className={classes.pages}>
        {pages
          .filter(({ roles }) => role === 'owner' || roles.includes(role))
          .map(({ path, title }) => (
            <NavLink key={path} to={path} className={classes.page}>
              {title}
            </NavLink>
          ))}
      </nav>
      <div className={classes.body}>
        <Outlet />
      </div>
    </div>
  );
}

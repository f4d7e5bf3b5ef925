import { NavLink, Outlet, useLocation } from 'react-router';
import type { StaffRight } from '../../../../sdk/src/staff-rights.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSession } from '../../session/session.tsx';
import { peopleWith, roleHas } from '../../session/staff-role.ts';
import classes from './settings-frame.module.css';

interface SettingsPage {
  readonly path: string;
  readonly title: string;
  /** The operation that the page reads. */
  readonly right: StaffRight;
}

const pages: readonly SettingsPage[] = [
  { path: 'organization', title: 'Organization', right: 'getOrganizationSettings' },
  { path: 'web-shop', title: 'Web shop', right: 'getShopProfile' },
  { path: 'taxes', title: 'Taxes', right: 'listTaxes' },
  { path: 'delivery-zones', title: 'Delivery zones', right: 'listDeliveryZones' },
  { path: 'payment-types', title: 'Payment types', right: 'listPaymentTypeSettings' },
  { path: 'registers', title: 'Registers', right: 'updateRegister' },
  { path: 'offline-sales', title: 'Offline sales', right: 'settleOfflineSale' },
  { path: 'purchase-limits', title: 'Purchase limits', right: 'listPurchaseLimitRules' },
  { path: 'what-applies', title: 'What applies', right: 'readApplyingRules' },
  { path: 'state-law', title: 'State law', right: 'readStateLaw' },
  { path: 'staff', title: 'Staff', right: 'listStaff' },
  { path: 'sign-in', title: 'Sign-in', right: 'getSignInRules' },
  { path: 'mail', title: 'Mail', right: 'listMails' },
  { path: 'audit-log', title: 'Audit log', right: 'listAuditEntries' },
];

/** The settings with their own navigation: beside them, or above on a narrow screen. */
export function Component() {
  const { role } = useSession().staff;
  const { pathname } = useLocation();
  const shown = pages.filter(({ right }) => roleHas(role, right));
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
            <EmptyState title="You do not have access">
              {hidden.title} is for {peopleWith(hidden.right)} only.
            </EmptyState>
          </Page>
        ) : (
          <Outlet />
        )}
      </div>
    </div>
  );
}

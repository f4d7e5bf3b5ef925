import type { StaffRight } from '../../../../sdk/src/staff-rights.ts';

/** A page of the settings. */
interface SettingsPage {
  readonly path: string;
  readonly title: string;
  /** The operation that the page reads. */
  readonly right: StaffRight;
}

/** The pages of the settings, in the order of their navigation. */
export const settingsPages: readonly SettingsPage[] = [
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

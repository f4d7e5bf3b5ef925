import type { StaffRight } from '../../../../sdk/src/staff-rights.ts';
import { t } from '../../words/words.ts';

/** A page of the settings. */
interface SettingsPage {
  readonly path: string;
  readonly title: string;
  /** The operation that the page reads. */
  readonly right: StaffRight;
}

/** The pages of the settings, in the order of their navigation. */
export const settingsPages: readonly SettingsPage[] = [
  { path: 'organization', title: t`Organization`, right: 'getOrganizationSettings' },
  { path: 'web-shop', title: t`Web shop`, right: 'getShopProfile' },
  { path: 'taxes', title: t`Taxes`, right: 'listTaxes' },
  { path: 'delivery-zones', title: t`Delivery zones`, right: 'listDeliveryZones' },
  { path: 'time-slots', title: t`Time slots`, right: 'listTimeSlots' },
  { path: 'payment-types', title: t`Payment types`, right: 'listPaymentTypeSettings' },
  { path: 'payment-connections', title: t`Terminals and banks`, right: 'createPaymentConnection' },
  { path: 'registers', title: t`Registers`, right: 'updateRegister' },
  { path: 'vehicles', title: t`Vehicles`, right: 'updateVehicle' },
  { path: 'drivers', title: t`Drivers`, right: 'updateDriver' },
  { path: 'offline-sales', title: t`Offline sales`, right: 'settleOfflineSale' },
  { path: 'purchase-limits', title: t`Purchase limits`, right: 'listPurchaseLimitRules' },
  { path: 'what-applies', title: t`What applies`, right: 'readApplyingRules' },
  { path: 'readiness', title: t`Ready to open`, right: 'readReadiness' },
  { path: 'move', title: t`Move from another system`, right: 'getMove' },
  { path: 'state-reports', title: t`State reports`, right: 'listStateReports' },
  { path: 'state-law', title: t`State law`, right: 'readStateLaw' },
  { path: 'staff', title: t`Staff`, right: 'listStaff' },
  { path: 'sign-in', title: t`Sign-in`, right: 'getSignInRules' },
  { path: 'mail', title: t`Email`, right: 'listMails' },
  { path: 'audit-log', title: t`Audit log`, right: 'listAuditEntries' },
];

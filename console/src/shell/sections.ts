import {
  IconBox,
  IconBuildingStore,
  IconCashRegister,
  IconChartBar,
  IconClipboardList,
  IconInbox,
  IconListCheck,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconSpeakerphone,
  IconSun,
  IconTruckDelivery,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { StaffRight } from '../../../sdk/src/staff-rights.ts';
import { t } from '../words/words.ts';

/** A section of the navigation. */
export interface Section {
  readonly path: string;
  readonly title: string;
  readonly icon: typeof IconBox;
  /** The operation without which the section is of no use: those who may not call it do not see the section. */
  readonly right: StaffRight;
  /** The key pressed after `g`. */
  readonly key: string;
}

/** Shown while a new shop lacks something. */
export const getStarted: Section = {
  path: '/get-started',
  title: t`Get started`,
  icon: IconListCheck,
  right: 'getFirstSteps',
  key: 'f',
};

export const sections: readonly Section[] = [
  getStarted,
  { path: '/today', title: t`Today`, icon: IconSun, right: 'getToday', key: 't' },
  { path: '/orders', title: t`Orders`, icon: IconClipboardList, right: 'staffListOrders', key: 'o' },
  {
    path: '/point-of-sale',
    title: t`Point of sale`,
    icon: IconCashRegister,
    right: 'staffPlaceOrder',
    key: 'p',
  },
  { path: '/attention', title: t`Inbox`, icon: IconInbox, right: 'getAttention', key: 'a' },
  { path: '/queue', title: t`Queue`, icon: IconUsersGroup, right: 'staffListInstoreQueues', key: 'q' },
  { path: '/dispatch', title: t`Deliveries`, icon: IconRoute, right: 'getDispatchBoard', key: 'd' },
  {
    path: '/catalog',
    title: t`Menu & catalog`,
    icon: IconBuildingStore,
    right: 'staffUpdateProduct',
    key: 'm',
  },
  { path: '/inventory', title: t`Inventory`, icon: IconBox, right: 'staffListPackages', key: 'i' },
  {
    path: '/purchasing',
    title: t`Purchasing`,
    icon: IconTruckDelivery,
    right: 'staffListPurchaseOrders',
    key: 'u',
  },
  { path: '/customers', title: t`Customers`, icon: IconUsers, right: 'staffListCustomers', key: 'c' },
  { path: '/marketing', title: t`Marketing`, icon: IconSpeakerphone, right: 'createDiscount', key: 'k' },
  { path: '/reports', title: t`Reports`, icon: IconChartBar, right: 'getSalesReport', key: 'r' },
  {
    path: '/integrations',
    title: t`Integrations`,
    icon: IconPlugConnected,
    right: 'listClientKeys',
    key: 'n',
  },
  { path: '/settings', title: t`Settings`, icon: IconSettings, right: 'listAuditEntries', key: 's' },
];

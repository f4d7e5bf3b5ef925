import {
  IconBox,
  IconBuildingStore,
  IconCashRegister,
  IconChartBar,
  IconClipboardList,
  IconPlugConnected,
  IconSettings,
  IconSpeakerphone,
  IconTruckDelivery,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { StaffRole } from '../session/session.tsx';

/** A section of the navigation. */
export interface Section {
  readonly path: string;
  readonly title: string;
  readonly icon: typeof IconBox;
  /** The roles that see it; owners see all sections. */
  readonly roles: readonly StaffRole[];
  /** The key pressed after `g`. */
  readonly key: string;
}

const sellers: readonly StaffRole[] = ['manager', 'budtender'];
const keepers: readonly StaffRole[] = ['manager', 'inventory'];

export const sections: readonly Section[] = [
  { path: '/orders', title: 'Orders', icon: IconClipboardList, roles: sellers, key: 'o' },
  { path: '/point-of-sale', title: 'Point of sale', icon: IconCashRegister, roles: sellers, key: 'p' },
  { path: '/queue', title: 'Queue', icon: IconUsersGroup, roles: sellers, key: 'q' },
  { path: '/catalog', title: 'Menu & catalog', icon: IconBuildingStore, roles: keepers, key: 'm' },
  { path: '/inventory', title: 'Inventory', icon: IconBox, roles: keepers, key: 'i' },
  { path: '/purchasing', title: 'Purchasing', icon: IconTruckDelivery, roles: keepers, key: 'u' },
  { path: '/customers', title: 'Customers', icon: IconUsers, roles: sellers, key: 'c' },
  { path: '/marketing', title: 'Marketing', icon: IconSpeakerphone, roles: ['manager'], key: 'k' },
  { path: '/reports', title: 'Reports', icon: IconChartBar, roles: ['manager'], key: 'r' },
  { path: '/integrations', title: 'Integrations', icon: IconPlugConnected, roles: [], key: 'n' },
  { path: '/settings', title: 'Settings', icon: IconSettings, roles: ['manager'], key: 's' },
];

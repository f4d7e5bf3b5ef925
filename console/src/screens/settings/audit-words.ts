import type { Schema } from '../../api.ts';
import { sentence } from '../../parts/status-badge.tsx';

/** A subject type of the log. */
export type AuditSubject = Schema['AuditEntry']['subjectType'];

/** The labels of all subject types; a new one in the service is a type error here. */
const subjectNames: Readonly<Record<AuditSubject, string>> = {
  brand: 'Brand',
  client_key: 'Client key',
  customer_session: 'Customer session',
  compliance_transfer: 'Compliance transfer',
  customer: 'Customer',
  customer_credit: 'Customer credit',
  customer_document: 'Customer document',
  customer_group: 'Customer group',
  delivery_zone: 'Delivery zone',
  discount: 'Discount',
  drawer_session: 'Drawer session',
  inventory_location: 'Inventory location',
  inventory_vendor: 'Vendor',
  loyalty_event: 'Loyalty points',
  offline_sale: 'Offline sale',
  loyalty_reward: 'Loyalty reward',
  order: 'Order',
  organization: 'Organization',
  package: 'Package',
  parked_cart: 'Parked cart',
  payment_type: 'Payment type',
  product: 'Product',
  product_category: 'Product category',
  product_option: 'Product option',
  product_sub_category: 'Product sub-category',
  purchase_limit_rule: 'Purchase limit',
  purchase_order: 'Purchase order',
  queue_entry: 'Queue entry',
  register: 'Register',
  sandbox: 'Sandbox',
  staff: 'Staff',
  stock_balance: 'Stock balance',
  stock_operation: 'Stock operation',
  tag: 'Tag',
  menu_import: 'Import of a menu',
  tax: 'Tax',
  webhook_endpoint: 'Webhook endpoint',
};

export const auditSubjects = Object.keys(subjectNames) as AuditSubject[];

export function subjectInWords(subject: AuditSubject): string {
  return subjectNames[subject];
}

/** The subject type in an address; null: not a subject type of the log. */
export function auditSubject(text: string | undefined): AuditSubject | null {
  return auditSubjects.find((subject) => subject === text) ?? null;
}

/** The screen of a subject, for roles that may read the log; null: none. */
export function subjectPath(subject: AuditSubject, id: string): string | null {
  const path = paths[subject];
  return path === undefined ? null : path.replace(':id', id);
}

const paths: Readonly<Partial<Record<AuditSubject, string>>> = {
  brand: '/catalog/brands',
  customer: '/customers/:id',
  customer_group: '/marketing/groups',
  delivery_zone: '/settings/delivery-zones',
  discount: '/marketing/discounts/:id',
  drawer_session: '/reports/drawers?session=:id',
  inventory_location: '/inventory/locations',
  inventory_vendor: '/purchasing/vendors',
  loyalty_reward: '/marketing/loyalty',
  order: '/orders/:id',
  organization: '/settings/organization',
  package: '/inventory/packages/:id',
  payment_type: '/settings/payment-types',
  product: '/catalog/products/:id',
  product_category: '/catalog/categories',
  purchase_limit_rule: '/settings/purchase-limits',
  purchase_order: '/purchasing/:id',
  register: '/settings/registers',
  tag: '/catalog/tags',
  tax: '/settings/taxes',
};

/** `order.canceled` → `Order canceled`, `customer_group.created` → `Customer group created`. */
export function actionInWords(action: string): string {
  return sentence(action.replaceAll('.', ' '));
}

import type { Schema } from '../../api.ts';
import { sentence } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';

/** A subject type of the log. */
type AuditSubject = Schema['AuditEntry']['subjectType'];

/** The labels of all subject types; a new one in the service is a type error here. */
const subjectNames: Readonly<Record<AuditSubject, string>> = {
  brand: t`Brand`,
  client_key: t`Client key`,
  customer_session: t`Customer session`,
  compliance_transfer: t`Compliance transfer`,
  customer: t`Customer`,
  customer_credit: t`Customer credit`,
  customer_document: t`Customer document`,
  customer_group: t`Customer group`,
  delivery_zone: t`Delivery zone`,
  discount: t`Discount`,
  drawer_session: t`Drawer session`,
  driver: t`Driver`,
  trip: t`Trip`,
  vehicle: t`Vehicle`,
  gift_card: t`Gift card`,
  inventory_location: t`Inventory location`,
  inventory_vendor: t`Vendor`,
  loyalty_event: t`Loyalty points`,
  offline_sale: t`Offline sale`,
  loyalty_reward: t`Loyalty reward`,
  order: t`Order`,
  organization: t`Organization`,
  package: t`Package`,
  parked_cart: t`Parked cart`,
  payment_connection: t`Payment connection`,
  payment_type: t`Payment type`,
  product: t`Product`,
  product_category: t`Product category`,
  product_option: t`Product option`,
  product_sub_category: t`Product sub-category`,
  purchase_limit_rule: t`Purchase limit`,
  purchase_order: t`Purchase order`,
  queue_entry: t`Queue entry`,
  register: t`Register`,
  sandbox: t`Sandbox`,
  staff: t`Staff`,
  state_comparison: t`Comparison with the state`,
  state_connection: t`Connection to the state`,
  state_difference: t`Difference to the state`,
  state_report: t`Report to the state`,
  stock_balance: t`Stock balance`,
  stock_operation: t`Stock operation`,
  tag: t`Tag`,
  menu_import: t`Import of a menu`,
  tax: t`Tax`,
  webhook_endpoint: t`Webhook endpoint`,
  report_mail: t`Report mail`,
  time_slot: t`Time slot`,
  closed_day: t`Closed day`,
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
  time_slot: '/settings/time-slots',
  closed_day: '/settings/closed-days',
  discount: '/marketing/discounts/:id',
  drawer_session: '/reports/drawers?session=:id',
  driver: '/settings/drivers',
  trip: '/dispatch',
  vehicle: '/settings/vehicles',
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

/** Event subjects whose resource name is not the subject plus `s`. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  queue: ['instore-queues'],
  catalog: ['products', 'product-categories', 'product-sub-categories', 'brands', 'tags'],
  product_options: ['products'],
  option: ['products'],
  product_photo: ['products'],
  product_category: ['product-categories'],
  product_sub_category: ['product-sub-categories'],
  stock: ['inventory', 'inventory-ledger', 'packages'],
  customer_credit: ['customers'],
  customer_document: ['customers'],
  former_sales: ['customers'],
  loyalty_event: ['customers'],
  loyalty_program: ['loyalty-program'],
  compliance_transfer: ['packages', 'compliance-transfers'],
  package: ['packages', 'compliance-transfers'],
  organization: ['organization', 'me'],
  move: ['move'],
  tax: ['taxes'],
  offline_sale_limits: ['offline-sale-settings'],
  law: ['law', 'purchase-limit-rules', 'organization', 'taxes'],
  staff: ['staff'],
  customer_session: ['mails'],
  // Its clock changes what every screen shows; the session is read first.
  sandbox: ['me'],
};

/** The first words of the query keys that an event invalidates: `order` → `orders`, `customer_group` → `customer-groups`. */
export function liveKeys(subject: string): readonly string[] {
  return keysOf[subject] ?? [`${subject.replaceAll('_', '-')}s`];
}

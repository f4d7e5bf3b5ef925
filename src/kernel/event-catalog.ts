import { accessEvents } from './access-event-catalog.ts';
import { deliveryEvents } from './delivery-event-catalog.ts';
import {
  cents,
  count,
  decimal,
  type EventEntry,
  event,
  type Fact,
  type FactsOf,
  flag,
  id,
  ids,
  listOf,
  moment,
  nullable,
  oneOf,
  optional,
  uuid as orderId,
  text,
} from './event-facts.ts';
import { stateEvents } from './state-event-catalog.ts';
import { tripEvents, tripSubjects } from './trip-event-catalog.ts';

/** The products and packages whose stock moved with the event, if any. */
const stock = { productIds: optional(ids), packageIds: optional(ids) };
const document = oneOf('license', 'recommendation');
const orderStatus = oneOf('new', 'draft', 'packed', 'fulfilled', 'canceled');
const packageStatus = oneOf('ready', 'finished', 'shipped', 'transferred', 'transfer-returned', 'syncing');
const importStatus = oneOf(
  ...(['uploaded', 'checking', 'checked', 'importing', 'done'] as const),
  ...(['failed', 'canceled', 'undoing', 'undone'] as const),
);

/** A change of the law as owners are told of it. */
const lawChange: Fact<{ readonly kind: string; readonly from: string | null; readonly words: string }> = {
  schema: {
    type: 'object',
    required: ['kind', 'from', 'words'],
    properties: {
      kind: { type: 'string' },
      from: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      words: { type: 'string' },
    },
  },
  example: { kind: 'tax', from: '2027-01-01', words: 'The excise tax rises to 19%' },
};

/**
 * The events that writes announce (D56), except those that an action of orders declares itself: `allEvents` in app.ts has all.
 * Names are subject and past tense; the list only grows.
 */
export const eventCatalog = {
  ...accessEvents,
  'customer.created': event('A customer profile was made', { customerId: id() }),
  'customer.updated': event('A customer profile, or its points or credits by hand, changed', {
    customerId: id(),
  }),
  'customer.merged': event('A customer profile was merged into another one, and is gone', {
    customerId: id(),
    intoCustomerId: id(57),
  }),
  'customer.erased': event('A customer was erased: the profile has no personal data any more', {
    customerId: id(),
  }),
  'customer.exported': event('Staff made a copy of every record of a customer', { customerId: id() }),
  'customer_session.requested': event('A code was sent to a customer', { integratorId: id(3) }),
  'customer_session.started': event('A customer proved who they are by a code', {
    sessionId: id(91),
    integratorId: id(3),
  }),
  'customer_session.refused': event('A code was wrong', { integratorId: id(3) }),
  'customer_session.ended': event('The session of a customer ended', {
    sessionId: id(91),
    integratorId: id(3),
  }),
  'customer_group.created': event('A group of customers was made', { customerGroupId: id(5) }),
  'customer_group.updated': event('A group of customers changed', { customerGroupId: id(5) }),
  'customer_group.deleted': event('A group of customers was deleted', { customerGroupId: id(5) }),
  'customer_group.customer_added': event('A customer was put into a group', {
    customerGroupId: id(5),
    customerId: id(),
  }),
  'customer_group.customer_removed': event('A customer was taken out of a group', {
    customerGroupId: id(5),
    customerId: id(),
  }),
  'customer_credit.issued': event('A customer got a credit', {
    customerCreditId: id(12),
    customerId: id(),
    type: oneOf('store-credit', 'promo-code'),
  }),
  'former_sales.imported': event('Sales of a former system were read in', { count }),
  'customer_document.uploaded': event('A document of a customer was uploaded', {
    customerDocumentId: id(8),
    customerId: id(),
    type: document,
  }),
  'customer_document.viewed': event('Staff looked at a document of a customer', {
    customerDocumentId: id(8),
    customerId: id(),
    type: document,
  }),
  'customer_document.reviewed': event('Staff approved or rejected a document', {
    customerDocumentId: id(8),
    customerId: id(),
    type: document,
    decision: oneOf('approved', 'rejected'),
  }),
  'customer_document.rewrapped': event('Documents were sealed with a new key', { documents: count }),
  'customer_document.purged': event('A document was deleted after its time', {
    customerDocumentId: id(8),
    customerId: id(),
    type: document,
  }),
  'discount.created': event('A discount was made', { discountId: id(31) }),
  'discount.updated': event('A discount changed', { discountId: id(31) }),
  'discount.ended': event('A discount was ended', { discountId: id(31) }),
  'loyalty_program.updated': event('The loyalty program changed', {
    organizationId: id(),
    pointsPerDollar: decimal('1'),
  }),
  'loyalty_reward.created': event('A reward was made', { loyaltyRewardId: id(4) }),
  'loyalty_reward.updated': event('A reward changed', { loyaltyRewardId: id(4) }),
  'loyalty_reward.ended': event('A reward was ended', { loyaltyRewardId: id(4) }),
  'loyalty_event.created': event('Points of a customer moved', {
    loyaltyEventId: id(77),
    customerId: id(),
    type: oneOf('earned', 'redeemed', 'given-back', 'taken-back', 'adjusted', 'open-api'),
  }),
  'catalog.imported': event('Products were imported together', { products: count }),
  'menu_import.created': event('A file for an import was uploaded', {
    menuImportId: id(2),
    status: importStatus,
  }),
  'menu_import.updated': event('An import went on, ended or was taken back', {
    menuImportId: id(2),
    status: importStatus,
  }),
  'product.created': event('A product was made', { productId: id() }),
  'product.updated': event('A product, or its photos or lab results, changed', { productId: id() }),
  'product.deleted': event('A product was deleted', { productId: id() }),
  'product_photo.failed': event('A photo could not be fetched', { productId: id(), productPhotoId: id(15) }),
  'product_photo.retried': event('Staff asked to fetch a photo again', {
    productId: id(),
    productPhotoId: id(15),
  }),
  'product_options.replaced': event('The options of a product were set anew', {
    productId: id(),
    productOptionIds: ids,
  }),
  'product_options.updated': event('Options of a product changed', {
    productId: id(),
    productOptionIds: ids,
  }),
  'option.deleted': event('An option of a product was deleted', {
    productId: id(),
    productOptionId: id(101),
  }),
  'product_category.created': event('A category was made', { productCategoryId: id(3) }),
  'product_category.updated': event('A category changed', { productCategoryId: id(3) }),
  'product_category.deleted': event('A category was deleted', { productCategoryId: id(3) }),
  'product_sub_category.created': event('A subcategory was made', { productSubCategoryId: id(14) }),
  'product_sub_category.updated': event('A subcategory changed', { productSubCategoryId: id(14) }),
  'product_sub_category.deleted': event('A subcategory was deleted', { productSubCategoryId: id(14) }),
  'brand.created': event('A brand was made', { brandId: id(9) }),
  'brand.updated': event('A brand changed', { brandId: id(9) }),
  'brand.merged': event('A brand was merged into another one, and is gone', {
    brandId: id(9),
    intoBrandId: id(10),
  }),
  'brand.deleted': event('A brand was deleted', { brandId: id(9) }),
  'tag.created': event('A tag was made', { tagId: id(6) }),
  'tag.updated': event('A tag changed', { tagId: id(6) }),
  'tag.deleted': event('A tag was deleted', { tagId: id(6) }),
  'stock.changed': event('The first stock of products was entered together', { receptions: count }),
  'stock.adjusted': event('Staff corrected the stock of an item at a place', {
    operationId: id(500),
    inventoryLocationId: id(1),
    productId: id(),
    productOptionId: nullable(id(101)),
    packageId: nullable(id(70)),
    delta: decimal('-1'),
  }),
  'stock.moved': event('Stock went from one place to another', {
    operationId: id(500),
    fromInventoryLocationId: id(1),
    toInventoryLocationId: id(2),
    productId: id(),
    productOptionId: nullable(id(101)),
    packageId: nullable(id(70)),
    amount: decimal('5'),
  }),
  'stock.counted': event('Staff counted stock', {
    operationId: id(500),
    inventoryLocationId: id(1),
    lines: count,
    ...stock,
  }),
  'stock.repaired': event('A sum of stock that differed from the ledger was made equal to it', {
    productId: id(),
    productOptionId: nullable(id(101)),
    inventoryLocationId: id(1),
    packageId: nullable(id(70)),
  }),
  'package.created': event('A package was made', { packageId: id(70), status: packageStatus }),
  'package.updated': event('A package changed', { packageId: id(70), ...stock }),
  'package.received': event('A package came in', {
    packageId: id(70),
    productId: id(),
    productOptionId: nullable(id(101)),
    inventoryLocationId: id(1),
    amount: decimal('28'),
  }),
  'package.finished': event('A package is finished', { packageId: id(70), status: packageStatus }),
  'package.voided': event('A package that was made by mistake was voided', {
    packageId: id(70),
    status: packageStatus,
  }),
  'package.rejected': event('A package of a transfer was rejected', {
    packageId: id(70),
    complianceTransferId: nullable(id(8)),
    status: packageStatus,
  }),
  'compliance_transfer.imported': event('A transfer manifest was read', {
    complianceTransferId: id(8),
    packages: count,
    packageIds: ids,
  }),
  'inventory_vendor.created': event('A vendor was made', { inventoryVendorId: id(11) }),
  'inventory_vendor.updated': event('A vendor changed', { inventoryVendorId: id(11) }),
  'inventory_vendor.archived': event('A vendor was archived', { inventoryVendorId: id(11) }),
  'purchase_order.created': event('A purchase order was made', {
    purchaseOrderId: id(20),
    inventoryVendorId: id(11),
  }),
  'purchase_order.updated': event('A purchase order changed', { purchaseOrderId: id(20), ...stock }),
  'purchase_order.received': event('Goods of a purchase order came in', {
    purchaseOrderId: id(20),
    receptionIds: ids,
    ...stock,
  }),
  'purchase_order.paid': event('A purchase order was paid, or a part of it', {
    purchaseOrderId: id(20),
    amount: cents,
  }),
  'purchase_order.credited': event("A vendor's credit was booked", {
    purchaseOrderId: id(20),
    amount: cents,
  }),
  'purchase_order.closed': event('A purchase order was closed', {
    purchaseOrderId: id(20),
    status: oneOf('open', 'closed'),
  }),
  'purchase_order.reopened': event('A purchase order was opened again', {
    purchaseOrderId: id(20),
    status: oneOf('open', 'closed'),
  }),
  'inventory_location.created': event('A place for stock was made', { inventoryLocationId: id(1) }),
  'inventory_location.updated': event('A place for stock changed', { inventoryLocationId: id(1) }),
  'inventory_location.archived': event('A place for stock was archived', { inventoryLocationId: id(1) }),
  'register.created': event('A register was made', { registerId: id(2) }),
  'register.updated': event('A register changed', { registerId: id(2) }),
  ...tripEvents,
  ...stateEvents,
  ...deliveryEvents,
  'parked_cart.parked': event('A cart was parked', { parkedCartId: id(13) }),
  'parked_cart.taken_up': event('A parked cart was taken up', { parkedCartId: id(13) }),
  'parked_cart.discarded': event('A parked cart was discarded', { parkedCartId: id(13) }),
  'drawer_session.opened': event('A drawer was opened', { drawerSessionId: id(19), registerId: id(2) }),
  'drawer_session.cash_moved': event('Cash was put into a drawer or taken out', {
    drawerSessionId: id(19),
    registerId: id(2),
    kind: oneOf('paid-in', 'paid-out', 'drop'),
  }),
  'drawer_session.closed': event('A drawer was counted and closed', {
    drawerSessionId: id(19),
    registerId: id(2),
  }),
  'offline_sale_limits.updated': event('An owner changed what registers may sell without the service', {}),
  'offline_sale.placed': event('A sale that a register made without the service was placed', {
    offlineSaleId: id(6),
    orderId,
    registerId: id(2),
    reasons: listOf(text('price-differs')),
  }),
  'offline_sale.settled': event('Staff settled what was doubted about such a sale', {
    offlineSaleId: id(6),
    orderId,
  }),
  'order.placed': event(
    'An order was placed; with status `draft`, by an integrator that asks staff to accept it',
    {
      orderId,
      status: orderStatus,
      type: optional(oneOf('delivery', 'pickup', 'in-store')),
      source: optional(oneOf('open-api', 'web-admin', 'in-store', 'kiosk', 'menu')),
      ...stock,
    },
  ),
  'order.payment_changed': event('A payment at a terminal or a bank went on', {
    orderId,
    paymentIntentId: id(66),
    paymentStatus: text('captured'),
  }),
  'order.returned': event('Goods of an order came back', { orderId, orderReturnId: id(5), ...stock }),
  'order.return_voided': event('A return was voided', { orderId, orderReturnId: id(5), ...stock }),
  'order.updated': event('Staff edited an order', { orderId, status: orderStatus, ...stock }),
  'order.receipt_sent': event('A receipt was mailed', { orderId, status: orderStatus }),
  'order.reported': event('The state has a report of an order: it accepted it, or a person entered it', {
    orderId,
    reportId: id(9),
    kind: text('sale'),
  }),
  'report.refused': event('The state refused a report of an order', {
    orderId,
    reportId: id(9),
    kind: text('sale'),
  }),
  'queue.checked_in': event('A customer came into the shop', { entryId: id(33), customerId: id() }),
  'queue.admitted': event('A customer was let in', { entryId: id(33), customerId: id() }),
  'queue.called': event('A customer was called', { entryId: id(33), customerId: id() }),
  'queue.left': event('A customer left', { entryId: id(33), customerId: id() }),
  'demo.seeded': event('The demo shop was filled', {}),
  'tax.created': event('A tax was made', {
    taxId: id(6),
    startsAt: nullable(moment),
    replaces: nullable(id(5)),
  }),
  'tax.updated': event('The end or the rate of a tax changed', { taxId: id(6), endsAt: nullable(moment) }),
  'tax.ended': event('A tax was ended', { taxId: id(6), endsAt: nullable(moment) }),
  'gift_card.changed': event('A gift card was sold, loaded, spent, given value back, or paid out', {
    giftCardId: id(3),
    kind: oneOf('issued', 'loaded', 'spent', 'given-back', 'refunded', 'refund-voided', 'cashed-out'),
  }),
  'payment_connection.created': event('A connection to a terminal or a bank was set up', {
    paymentConnectionId: id(3),
  }),
  'payment_connection.settled': event('What a provider paid out for a day was read', {
    paymentConnectionId: id(3),
    day: text('2026-03-01'),
    differences: count,
  }),
  'payment_connection.changed': event('Such a connection changed', { paymentConnectionId: id(3) }),
  'payment_type.created': event('A payment type was made', { paymentTypeId: id(2) }),
  'payment_type.updated': event('A payment type changed', { paymentTypeId: id(2) }),
  'payment_type.archived': event('A payment type was archived', { paymentTypeId: id(2) }),
  'payment_type.restored': event('A payment type was restored', { paymentTypeId: id(2) }),
  'report_mail.created': event('A report mail was made', { reportMailId: id() }),
  'report_mail.updated': event('A report mail was changed', { reportMailId: id() }),
  'report_mail.archived': event('A report mail was archived', { reportMailId: id() }),
  'report_mail.restored': event('A report mail was restored', { reportMailId: id() }),
  'purchase_limit_rule.created': event('The shop made a purchase limit of its own', {
    purchaseLimitRuleId: id(4),
  }),
  'purchase_limit_rule.updated': event('Such a limit changed', { purchaseLimitRuleId: id(4) }),
  'purchase_limit_rule.deleted': event('Such a limit was deleted', { purchaseLimitRuleId: id(4) }),
  'law.changed': event("The law of the organization's state changed, or will", {
    inForce: flag,
    edition: text('2026-11'),
    formerEdition: text('2026-08'),
    changes: listOf(lawChange),
  }),
} as const;

/** What an action of orders announces. */
export const orderActionFacts = { orderId, status: orderStatus, ...stock };

/** All types of subjects of events; the audit log can be filtered by them. The list only grows. */
export const subjectTypes = [
  'brand',
  'client_key',
  'compliance_transfer',
  'customer',
  'customer_credit',
  'customer_document',
  'customer_group',
  'customer_session',
  'delivery_zone',
  'discount',
  'drawer_session',
  'gift_card',
  'inventory_location',
  'inventory_vendor',
  'loyalty_event',
  'loyalty_reward',
  'offline_sale',
  'order',
  'organization',
  'package',
  'parked_cart',
  'payment_connection',
  'payment_type',
  'product',
  'product_category',
  'product_option',
  'product_sub_category',
  'purchase_limit_rule',
  'purchase_order',
  'queue_entry',
  'register',
  'sandbox',
  'staff',
  'state_comparison',
  'state_connection',
  'state_difference',
  'state_report',
  'stock_balance',
  'stock_operation',
  'tag',
  'menu_import',
  'tax',
  ...tripSubjects,
  'webhook_endpoint',
  'report_mail',
  'time_slot',
  'closed_day',
] as const;

export type SubjectType = (typeof subjectTypes)[number];

type CatalogEvent = keyof typeof eventCatalog;

export type EventType = CatalogEvent | DeclaredEvent;

type CatalogFacts = {
  readonly [Type in CatalogEvent]: (typeof eventCatalog)[Type] extends EventEntry<infer Shape>
    ? FactsOf<Shape>
    : never;
};

/** The facts of an event. */
export type EventFacts<Type extends EventType> = Type extends CatalogEvent
  ? CatalogFacts[Type]
  : FactsOf<typeof orderActionFacts>;

declare const declared: unique symbol;

/** An event that the declaration of an order's action names. */
export type DeclaredEvent = `order.${string}` & { readonly [declared]: true };

/** Names an event in a declaration. The name becomes part of `allEvents` with its declaration. */
export function declareEvent(name: `order.${string}`): DeclaredEvent {
  return name as DeclaredEvent;
}

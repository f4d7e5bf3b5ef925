/**
 * Every error the service can answer (D12, D13): one place for status, condition and remedy. Replies,
 * the OpenAPI document and the reference page are generated from it, and a test checks that each code
 * is provoked by at least one test.
 */
interface CatalogueEntry {
  readonly status: number;
  /** When it is answered. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** Shape of `meta`, in words, where there is one. */
  readonly meta?: string;
  /** How the same reads on the organization's own side, where it is about a session instead of keys. */
  readonly forStaff?: { readonly when: string; readonly remedy: string };
}

const entries = {
  INVALID_API_CREDENTIALS: {
    status: 401,
    when: 'A key is missing, unknown, revoked, expired, or the two keys do not belong together (D7).',
    remedy:
      'Send both headers, X-Consumer-Key and X-Client-Key, with keys of this environment that belong together.',
    forStaff: {
      when: 'There is no session, it has ended, or email and password are not those of a member of staff.',
      remedy: 'Sign in with POST /staff/v1/sessions.',
    },
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    when: 'The client key is good but lacks the permission of this operation (D8).',
    remedy: 'Ask the organization to add the permission to the key.',
    forStaff: {
      when: 'The role of the signed-in member of staff does not allow this operation, or not to give so much.',
      remedy: 'Ask an owner to do it, or for another role.',
    },
  },
  CROSS_ORIGIN_REQUEST: {
    status: 403,
    when: 'A request that changes something shows its session by cookie and does not come from a page of this service, or is for a host that the service does not know.',
    remedy:
      'Send it from a page of this service, or with the token in Authorization: Bearer. Behind a proxy, PUBLIC_URL names the host.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'More requests than the key (or, for failed sign-ins, the address) may send (D10).',
    remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
    forStaff: {
      when:
        'More requests than a session may send, too many failed sign-ins with the email or from the address, or too many ' +
        'pictures at once.',
      remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
    },
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    when: 'There is no such path at this address (D1).',
    remedy: 'Check the path, and whether it belongs to the base address or to the menu address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists with another method.',
    remedy: 'Use a method of the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'A body is sent that is not application/json, or not a file of the types that the operation takes.',
    remedy: 'Send Content-Type: application/json, or that of the file.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body is larger than the operation takes.',
    remedy: 'Send less in one request.',
  },
  INVALID_JSON: {
    status: 400,
    when: 'The body is not well-formed JSON.',
    remedy: 'Send one well-formed JSON object.',
  },
  MISSING_PARAMS: {
    status: 400,
    when: 'A required body or query field is absent.',
    remedy: 'Send the fields that meta.missing names.',
    meta: '{missing: [path]}',
  },
  INVALID_PARAMS: {
    status: 400,
    when: 'A field has the wrong type, range, format or value.',
    remedy: 'Correct the field that the message names.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    when: 'idempotencyKey is not a UUID v4.',
    remedy: 'Send the idempotencyKey of the last pricing reply, or a fresh UUID v4.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The same caller sent this Idempotency-Key with another request in the last 48 hours (D63).',
    remedy: 'Send a fresh key with a new request. To retry, send the first request as it was.',
  },
  INVALID_CURSOR: {
    status: 400,
    when: 'startingAfter names nothing of this organization.',
    remedy: 'Send the last id of the previous page, or leave the cursor out to begin again.',
  },
  INVALID_ORDER_QUANTITY: {
    status: 400,
    when: 'A quantity is not a whole number from 1 to 10,000.',
    remedy: 'Send a whole number from 1 to 10,000.',
  },
  PURCHASE_ORDER_MISSING_CUSTOM_DATE: {
    status: 400,
    when: 'paymentTerms is custom and paymentTermsDueDate is absent.',
    remedy: 'Send paymentTermsDueDate.',
  },
  USER_NOT_FOUND: {
    status: 404,
    when: 'There is no such customer (id, email or phone).',
    remedy: 'Check the id, email or phone.',
  },
  CUSTOMER_ERASED: {
    status: 409,
    when: 'What was known of the customer has been erased.',
    remedy: 'Put the person on file anew.',
  },
  CUSTOMER_HAS_OPEN_ORDERS: {
    status: 409,
    when: 'A customer would be erased who has orders that are neither fulfilled nor canceled.',
    remedy: 'Fulfill or cancel the orders first.',
  },
  CLIENT_KEY_NOT_FOUND: {
    status: 404,
    when: 'There is no such client key.',
    remedy: 'Use an id of GET /staff/v1/client-keys.',
  },
  CLIENT_KEY_ENDED: {
    status: 409,
    when: 'A client key would be rotated that is revoked or has expired.',
    remedy: 'Make another one with POST /staff/v1/client-keys.',
  },
  STAFF_NOT_FOUND: {
    status: 404,
    when: 'There is no such member of staff.',
    remedy: 'Use an id of GET /staff/v1/staff.',
  },
  STAFF_DISABLED: {
    status: 409,
    when: 'Somebody would be invited who is disabled.',
    remedy: 'Set disabled to false first.',
  },
  LAST_OWNER: {
    status: 409,
    when: 'The only owner who can sign in would be disabled or get another role.',
    remedy: 'Make somebody else an owner first.',
  },
  QUEUE_ENTRY_NOT_FOUND: {
    status: 404,
    when: 'This place in the queue does not exist, or its customer has left.',
    remedy: 'Use an entryId of GET /staff/v1/instore-queues.',
  },
  ORDER_NOT_FOUND: { status: 404, when: 'There is no such order.', remedy: 'Check the order id.' },
  ORDER_RETURN_NOT_FOUND: {
    status: 404,
    when: 'There is no such return.',
    remedy: 'Use an id of the list of returns.',
  },
  PRODUCT_NOT_FOUND: { status: 404, when: 'There is no such product.', remedy: 'Check the product id.' },
  PRODUCT_OPTION_NOT_FOUND: {
    status: 404,
    when: 'There is no such product option.',
    remedy: 'Read the menu again and use its option ids.',
  },
  CATEGORY_NOT_FOUND: {
    status: 404,
    when: 'There is no such category.',
    remedy: 'Use an id of GET /staff/v1/product-categories.',
  },
  SUB_CATEGORY_NOT_FOUND: {
    status: 404,
    when: 'There is no such subcategory.',
    remedy: 'Use an id of GET /staff/v1/product-sub-categories.',
  },
  BRAND_NOT_FOUND: {
    status: 404,
    when: 'There is no such brand.',
    remedy: 'Use an id of GET /staff/v1/brands.',
  },
  TAG_NOT_FOUND: { status: 404, when: 'There is no such tag.', remedy: 'Use an id of GET /staff/v1/tags.' },
  PACKAGE_NOT_FOUND: { status: 404, when: 'There is no such package.', remedy: 'Check the label.' },
  INVALID_TRANSFER_ROWS: {
    status: 422,
    when: 'Rows of a transfer that would be imported are wrong; nothing was imported (D54).',
    remedy: 'Correct the rows that meta.rows names, or send onlyGood: true to import the others.',
    meta: '{rows: [{row, field, message}]}',
  },
  PURCHASE_ORDER_NOT_FOUND: {
    status: 404,
    when: 'There is no such purchase order.',
    remedy: 'Check the purchase order id.',
  },
  CUSTOMER_GROUP_NOT_FOUND: {
    status: 404,
    when: 'There is no such customer group.',
    remedy: 'Check the group id.',
  },
  DISCOUNT_NOT_FOUND: { status: 404, when: 'There is no such discount.', remedy: 'Check the discount id.' },
  LOYALTY_REWARD_NOT_FOUND: {
    status: 404,
    when: 'There is no such loyalty reward.',
    remedy: 'Check the reward id.',
  },
  INVENTORY_VENDOR_NOT_FOUND: {
    status: 404,
    when: 'There is no such vendor.',
    remedy: 'Check the vendor id, or send inventoryVendor instead.',
  },
  INVENTORY_LOCATION_NOT_FOUND: {
    status: 404,
    when: 'There is no such inventory location, or it is archived.',
    remedy: 'Use an id of the list of inventory locations.',
  },
  PURCHASE_LIMIT_RULE_NOT_FOUND: {
    status: 404,
    when: 'The organization has no such purchase limit of its own.',
    remedy: 'Use an id of GET /staff/v1/purchase-limit-rules; rules of the state have none.',
  },
  PAYMENT_TYPE_NOT_FOUND: {
    status: 404,
    when: 'There is no such payment type.',
    remedy: 'Use an id of GET /api/v1/payment-types.',
  },
  TAX_NOT_FOUND: {
    status: 404,
    when: 'There is no such tax.',
    remedy: 'Use an id of GET /staff/v1/taxes.',
  },
  TAX_ENDED: {
    status: 409,
    when: 'A tax that has ended would be changed.',
    remedy: 'Read the taxes again, and change the one that took its place or create another.',
  },
  DELIVERY_ZONE_NOT_FOUND: {
    status: 404,
    when: 'There is no such delivery zone.',
    remedy: 'Use an id of GET /staff/v1/delivery-zones.',
  },
  INVALID_CHILD_RESOURCE: {
    status: 422,
    when: 'An option id belongs to another product, a package to another product or option, or a line is not one of the purchase order.',
    remedy:
      'Send options and packages of the product that is named, and lines of the purchase order that is named.',
  },
  INVALID_INVENTORY_TYPE: {
    status: 422,
    when: 'productOptionId is sent though stock of the product is not kept per option, or is absent though it is; or stock of the product is not kept at all.',
    remedy: 'Send productOptionId for option-tracked products only.',
  },
  PRODUCT_CATEGORY_NOT_FOUND: {
    status: 422,
    when: 'The category name is unknown.',
    remedy: 'Use a name of GET /api/v1/product-categories.',
  },
  PRODUCT_IS_INACTIVE: {
    status: 422,
    when: 'An ordered product is off the menu or deleted.',
    remedy: 'Take the product out of the cart.',
    meta: '{productId}',
  },
  INVALID_ORDER_TYPE: {
    status: 422,
    when: 'The organization does not offer that order type.',
    remedy: 'Read hasDelivery and hasPickup of GET /api/v1/organization.',
  },
  ORDER_MINIMUM_NOT_MET: {
    status: 422,
    when: 'Merchandise after discounts is below the minimum of the zone or the order type (D27).',
    remedy: 'Add to the cart.',
    meta: '{minimum: "$75"}',
  },
  DELIVERY_AREA_NOT_SERVED: {
    status: 422,
    when: 'The postal code lies outside every delivery zone.',
    remedy: 'Offer pickup, or ask for another address.',
    meta: '{postalCode}',
  },
  CUSTOMER_UNDERAGE: {
    status: 422,
    when: 'The customer has not reached the minimum age (D34).',
    remedy: 'The order cannot be placed.',
    meta: '{minimumAge}',
  },
  PURCHASE_LIMIT_EXCEEDED: {
    status: 422,
    when: 'The cart and what the customer bought in the window exceed a legal limit (D36).',
    remedy: 'Take the overage out of the cart.',
    meta: '{overages: [{cannabisType, limit, total, overage}]}',
  },
  DISCOUNT_CODE_INVALID: {
    status: 422,
    when: 'A discount code is unknown, expired, used up or not applicable.',
    remedy: 'Take the code out of the cart.',
    meta: '{discountCode}',
  },
  PRICE_CHANGED: {
    status: 409,
    when: 'The order would cost something else than expectedCustomerGrandTotal (D30).',
    remedy: 'Price the cart again and show the customer the new total.',
    meta: '{expected, actual}',
  },
  OUT_OF_STOCK: {
    status: 409,
    when: 'There is not enough stock.',
    remedy: 'Reduce the quantity, or take the line out of the cart.',
    meta: '{lineItem: {productOptionId, quantity, specifiedPackageId}, product: {name}}',
  },
  NON_ZERO_INVENTORY: {
    status: 409,
    when: 'A product or option that has stock would be deleted or its stock kept otherwise, a location where stock lies archived, or a package with stock finished or voided.',
    remedy: 'Bring the stock to zero first.',
  },
  INVENTORY_LOCATION_IN_USE: {
    status: 409,
    when: 'An inventory location would be archived though an order type, a delivery zone or an open order draws from it.',
    remedy: 'Take it out of what the message names first.',
  },
  CATALOG_ENTRY_IN_USE: {
    status: 409,
    when: 'A category, sub-category or brand would be deleted that products have.',
    remedy: 'Move its products first; a brand can be merged into another one.',
  },
  CUSTOMER_GROUP_IN_USE: {
    status: 409,
    when: 'A customer group would be deleted that a live discount asks for.',
    remedy: 'End the discounts that the message names, or take the group out of them, first.',
  },
  PURCHASE_ORDER_CLOSED: {
    status: 409,
    when: 'A closed purchase order would be edited.',
    remedy: 'Ask the staff to reopen it.',
  },
  PURCHASE_ORDER_LINE_ITEM_RECEIVED: {
    status: 409,
    when: 'A line with receptions would be edited or left out.',
    remedy: 'Send the line unchanged.',
  },
  STALE_EDIT: {
    status: 409,
    when: 'Somebody has changed what would be changed since it was read: its updatedAt is not that of If-Match, or stock is not what a count expected.',
    remedy: 'Read it again, and decide on how it is now.',
    meta: '{updatedAt}; of a count {line, onHand}',
  },
  INVALID_PACKAGE_TRANSITION: {
    status: 409,
    when: 'The action is not allowed from the present status of the package (D53).',
    remedy: 'Read the package again.',
    meta: '{status, action}',
  },
  INVALID_ORDER_TRANSITION: {
    status: 409,
    when: 'The action is not allowed from the present status of the order (D24).',
    remedy: 'Read the order again.',
    meta: '{status, action}',
  },
  RETURN_QUANTITY_EXCEEDED: {
    status: 409,
    when: 'More of a line would be returned than is left to return (D39).',
    remedy: 'Read the order again, and return at most what meta.returnable says.',
    meta: '{orderLineItemId, quantity, returnable}',
  },
  ORDER_RETURN_VOIDED: {
    status: 409,
    when: 'A return that was voided would be voided again (D39).',
    remedy: 'Nothing is left to do.',
  },
  STORE_CREDIT_SPENT: {
    status: 409,
    when: 'A return would be voided whose store credit an order has used (D39).',
    remedy: 'Cancel the order that used it, or leave the return as it is.',
    meta: '{customerCreditId}',
  },
  TRANSACTION_RETRY_EXCEEDED: {
    status: 409,
    when: 'Concurrent transactions kept colliding; nothing was written.',
    remedy: 'Send the same request again.',
  },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    when: 'The document is larger than 2,621,440 bytes (D42).',
    remedy: 'Send a smaller file.',
  },
  UNSUPPORTED_DOCUMENT_TYPE: {
    status: 415,
    when: 'documentMime is not a type that is taken (D42).',
    remedy: 'Send a JPEG, PNG, WebP, HEIC, HEIF or PDF.',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    when: 'The customer has no such document, or its retention has ended.',
    remedy: 'Use an id of GET /staff/v1/customers/{customerId}/documents.',
  },
  DOCUMENT_SUPERSEDED: {
    status: 409,
    when: 'A document would be reviewed that a newer one of the same type has taken the place of.',
    remedy: 'Review the newer one.',
  },
  INVALID_DOCUMENT: {
    status: 422,
    when: 'The bytes are not Base64, or not what documentMime says (D42).',
    remedy: 'Send the file itself in standard Base64.',
  },
  PRODUCT_PHOTO_NOT_FOUND: {
    status: 404,
    when: 'The product has no such photo.',
    remedy: 'Use an id of GET /staff/v1/products/{productId}/photos.',
  },
  INVALID_PHOTO: {
    status: 422,
    when: 'The file is no picture, is damaged, or has more than 24 megapixels (D46).',
    remedy: 'Send a whole JPEG, PNG, WebP, GIF or AVIF.',
  },
  INVALID_ORDER: {
    status: 422,
    when: 'An order is refused for a reason that no other code names.',
    remedy: 'Read the message.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'Our fault.',
    remedy: 'Send the same request again; tell us the X-Request-Id if it stays.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The service is shutting down, overloaded, or cannot reach its database.',
    remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
  },
  STORAGE_FULL: {
    status: 503,
    when: 'The disk of the database or of the files has no room left. Nothing was changed.',
    remedy:
      'The operator frees space. Until then, wait for the seconds in Retry-After, then send the same request again.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof entries;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = entries;

export const errorCodes = Object.keys(entries) as readonly ErrorCode[];

/**
 * Every error of the service (D12, D13), with status, condition and remedy. Replies, the OpenAPI document and the
 * reference page are generated from it, and a test checks that at least one test provokes each code.
 */
interface CatalogueEntry {
  readonly status: number;
  /** The condition. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** The shape of `meta`, if the code has one. */
  readonly meta?: string;
  /** The text for staff operations, where it concerns a session instead of keys. */
  readonly forStaff?: { readonly when: string; readonly remedy: string };
}

const entries = {
  INVALID_API_CREDENTIALS: {
    status: 401,
    when: 'A key is missing, unknown, revoked, expired, or the two keys do not belong together (D7).',
    remedy:
      'Send both headers, X-Consumer-Key and X-Client-Key, with keys of this environment that belong together.',
    forStaff: {
      when: 'The session is missing or has ended, or email and password are not those of a member of staff.',
      remedy: 'Sign in with POST /staff/v1/sessions.',
    },
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    when: 'The client key is valid but lacks the permission of this operation (D8).',
    remedy: 'Ask the organization to add the permission to the key.',
    forStaff: {
      when: 'The role of the signed-in member of staff does not allow this operation, or not this amount.',
      remedy: 'Ask an owner to do it, or to change the role.',
    },
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    when: 'A publishable key is used from a page of an origin that is not one of its own, or not from a web page (D67).',
    remedy:
      'Ask the organization to add the origin of the page to a key. Programs on servers use a secret key with a consumer key.',
  },
  CROSS_ORIGIN_REQUEST: {
    status: 403,
    when: 'A write with a session cookie does not come from a page of this service, or its Host is unknown to the service.',
    remedy:
      'Send it from a page of this service, or with the token in Authorization: Bearer. Behind a proxy, set PUBLIC_URL.',
  },
  RATE_LIMITED: {
    status: 429,
    when: 'The key sends too many requests, or the address has too many failed authentications (D10).',
    remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
    forStaff: {
      when:
        'The session sends too many requests, the email or the address has too many failed sign-ins, or too many pictures ' +
        'are sent at once.',
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
    when: 'The path exists with other methods.',
    remedy: 'Use a method of the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not application/json, or not a file of a type that the operation accepts.',
    remedy: 'Send Content-Type: application/json, or the type of the file.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body is larger than the operation accepts.',
    remedy: 'Send less in one request.',
  },
  INVALID_JSON: {
    status: 400,
    when: 'The body is not well-formed JSON.',
    remedy: 'Send one well-formed JSON object.',
  },
  MISSING_PARAMS: {
    status: 400,
    when: 'A required body or query field is missing.',
    remedy: 'Send the fields in meta.missing.',
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
    remedy: 'Send the idempotencyKey of the last pricing reply, or a new UUID v4.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The same caller sent this Idempotency-Key with another request in the last 48 hours (D63).',
    remedy: 'Send a new key with a new request. To retry, repeat the first request unchanged.',
  },
  INVALID_CURSOR: {
    status: 400,
    when: 'startingAfter is not an id of this organization.',
    remedy: 'Send the last id of the previous page, or omit the cursor to start again.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    when: 'The changes after this cursor are no longer kept (30 days), or the cursor is of another database (D64).',
    remedy: 'Take a cursor of GET /api/v1/changes/latest, then read the lists again.',
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
    when: 'The data of the customer has been erased.',
    remedy: 'Create the customer again.',
  },
  CUSTOMER_MERGED: {
    status: 410,
    when: 'The customer was merged into another customer, who now has the data (D64).',
    remedy: 'Go on with the customer of meta.intoCustomerId.',
    meta: '{intoCustomerId}',
  },
  CUSTOMER_HAS_OPEN_ORDERS: {
    status: 409,
    when: 'A customer with open orders cannot be erased.',
    remedy: 'Fulfill or cancel the orders first.',
  },
  CLIENT_KEY_NOT_FOUND: {
    status: 404,
    when: 'There is no such client key.',
    remedy: 'Use an id of GET /staff/v1/client-keys.',
  },
  CLIENT_KEY_ENDED: {
    status: 409,
    when: 'A revoked or expired client key cannot be rotated.',
    remedy: 'Create a new one with POST /staff/v1/client-keys.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: 404,
    when: 'There is no such webhook endpoint.',
    remedy: 'Use an id of GET /api/v1/webhook-endpoints.',
    forStaff: {
      when: 'There is no such webhook endpoint.',
      remedy: 'Use an id of GET /staff/v1/webhook-endpoints.',
    },
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    status: 404,
    when: 'There is no such delivery.',
    remedy: 'Use an id of the list of deliveries of this endpoint. Deliveries are kept for 30 days.',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    status: 409,
    when: 'The integrator already has 100 webhook endpoints in this organization.',
    remedy: 'Delete one that is no longer needed.',
  },
  STAFF_NOT_FOUND: {
    status: 404,
    when: 'There is no such member of staff.',
    remedy: 'Use an id of GET /staff/v1/staff.',
  },
  STAFF_DISABLED: {
    status: 409,
    when: 'A disabled member of staff cannot be invited.',
    remedy: 'Set disabled to false first.',
  },
  LAST_OWNER: {
    status: 409,
    when: 'The only owner who can sign in cannot be disabled or get another role.',
    remedy: 'Make another member of staff an owner first.',
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
    when: 'Rows of the transfer to import are wrong; nothing was imported (D54).',
    remedy: 'Correct the rows in meta.rows, or send onlyGood: true to import the others.',
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
    when: 'There is no such purchase limit of the organization.',
    remedy: 'Use an id of GET /staff/v1/purchase-limit-rules; state rules have no id.',
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
    when: 'A tax that has ended cannot be changed.',
    remedy: 'Read the taxes again, and change its replacement or create another.',
  },
  DELIVERY_ZONE_NOT_FOUND: {
    status: 404,
    when: 'There is no such delivery zone.',
    remedy: 'Use an id of GET /staff/v1/delivery-zones.',
  },
  INVALID_CHILD_RESOURCE: {
    status: 422,
    when: 'An option id belongs to another product, a package to another product or option, or a line does not belong to the purchase order.',
    remedy: 'Send options and packages of the given product, and lines of the given purchase order.',
  },
  INVALID_INVENTORY_TYPE: {
    status: 422,
    when: 'productOptionId is sent for a product without stock per option, or is missing for a product with it; or the product has no stock tracking.',
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
    remedy: 'Remove the product from the cart.',
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
    remedy: 'Remove the excess from the cart.',
    meta: '{overages: [{cannabisType, limit, total, overage}]}',
  },
  DISCOUNT_CODE_INVALID: {
    status: 422,
    when: 'A discount code is unknown, expired, used up or not applicable.',
    remedy: 'Remove the code from the cart.',
    meta: '{discountCode}',
  },
  PRICE_CHANGED: {
    status: 409,
    when: 'The total of the order differs from expectedCustomerGrandTotal (D30).',
    remedy: 'Price the cart again and show the customer the new total.',
    meta: '{expected, actual}',
  },
  OUT_OF_STOCK: {
    status: 409,
    when: 'There is not enough stock.',
    remedy: 'Reduce the quantity, or remove the line from the cart.',
    meta: '{lineItem: {productOptionId, quantity, specifiedPackageId}, product: {name}}',
  },
  NON_ZERO_INVENTORY: {
    status: 409,
    when: 'With stock left, a product or option cannot be deleted or change its stock tracking, a location cannot be archived, and a package cannot be finished or voided.',
    remedy: 'Bring the stock to zero first.',
  },
  INVENTORY_LOCATION_IN_USE: {
    status: 409,
    when: 'An inventory location cannot be archived while an order type, a delivery zone or an open order uses it.',
    remedy: 'Remove it from the items in the message first.',
  },
  CATALOG_ENTRY_IN_USE: {
    status: 409,
    when: 'A category, sub-category or brand with products cannot be deleted.',
    remedy: 'Move its products first; a brand can be merged into another one.',
  },
  CUSTOMER_GROUP_IN_USE: {
    status: 409,
    when: 'A customer group that a current discount requires cannot be deleted.',
    remedy: 'First end the discounts in the message, or remove the group from them.',
  },
  PURCHASE_ORDER_CLOSED: {
    status: 409,
    when: 'A closed purchase order cannot be edited.',
    remedy: 'Ask the staff to reopen it.',
  },
  PURCHASE_ORDER_LINE_ITEM_RECEIVED: {
    status: 409,
    when: 'A line with receptions cannot be edited or omitted.',
    remedy: 'Send the line unchanged.',
  },
  STALE_EDIT: {
    status: 409,
    when: 'The resource has changed since it was read: its updatedAt differs from If-Match, or stock differs from the expected count.',
    remedy: 'Read it again, and repeat the change if it still applies.',
    meta: '{updatedAt}; for a count {line, onHand}',
  },
  INVALID_PACKAGE_TRANSITION: {
    status: 409,
    when: 'The current status of the package does not allow the action (D53).',
    remedy: 'Read the package again.',
    meta: '{status, action}',
  },
  INVALID_ORDER_TRANSITION: {
    status: 409,
    when: 'The current status of the order does not allow the action (D24).',
    remedy: 'Read the order again.',
    meta: '{status, action}',
  },
  RETURN_QUANTITY_EXCEEDED: {
    status: 409,
    when: 'The return has more of a line than is left to return (D39).',
    remedy: 'Read the order again, and return at most meta.returnable.',
    meta: '{orderLineItemId, quantity, returnable}',
  },
  ORDER_RETURN_VOIDED: {
    status: 409,
    when: 'The return is voided already (D39).',
    remedy: 'No action is needed.',
  },
  STORE_CREDIT_SPENT: {
    status: 409,
    when: 'An order has used the store credit of the return, so it cannot be voided (D39).',
    remedy: 'Cancel the order that used it, or keep the return.',
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
    when: 'documentMime is not an accepted type (D42).',
    remedy: 'Send a JPEG, PNG, WebP, HEIC, HEIF or PDF.',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    when: 'The customer has no such document, or its retention has ended.',
    remedy: 'Use an id of GET /staff/v1/customers/{customerId}/documents.',
  },
  DOCUMENT_SUPERSEDED: {
    status: 409,
    when: 'A newer document of the same type has replaced the document to review.',
    remedy: 'Review the newer one.',
  },
  INVALID_DOCUMENT: {
    status: 422,
    when: 'The bytes are not Base64, or do not match documentMime (D42).',
    remedy: 'Send the file itself in standard Base64.',
  },
  PRODUCT_PHOTO_NOT_FOUND: {
    status: 404,
    when: 'The product has no such photo.',
    remedy: 'Use an id of GET /staff/v1/products/{productId}/photos.',
  },
  INVALID_PHOTO: {
    status: 422,
    when: 'The file is not a picture, is damaged, or has more than 24 megapixels (D46).',
    remedy: 'Send a whole JPEG, PNG, WebP, GIF or AVIF.',
  },
  INVALID_ORDER: {
    status: 422,
    when: 'The order is refused for a reason without its own code.',
    remedy: 'Read the message.',
  },
  INTERNAL_ERROR: {
    status: 500,
    when: 'An internal error.',
    remedy: 'Send the same request again; if it persists, report the X-Request-Id.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'The service is shutting down, overloaded, or cannot reach its database.',
    remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
  },
  STORAGE_FULL: {
    status: 503,
    when: 'The disk of the database or of the files is full. Nothing was changed.',
    remedy:
      'The operator must free space. Wait for the seconds in Retry-After, then send the same request again.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof entries;

export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = entries;

export const errorCodes = Object.keys(entries) as readonly ErrorCode[];

import type { CatalogueEntry } from './error-entry.ts';

/** A rule of the shop, the law or the stock refuses the request, or the service cannot do its work. */
export const refusalErrors = {
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
  CUSTOMER_CODE_INVALID: {
    status: 422,
    when: 'The code is not the one that was sent last to this email, was used, or has expired (D62).',
    remedy: 'Type the code again, or have a new one sent.',
  },
  CUSTOMER_SESSION_ENDED: {
    status: 401,
    when: 'The token of a customer session is unknown, ended, expired, or of another integrator or organization (D62).',
    remedy: 'Have the customer sign in again: POST /api/v1/customer-sessions.',
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

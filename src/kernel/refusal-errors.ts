import { type CatalogEntry, metaShape } from './error-entry.ts';

/** A rule of the shop, the law or the stock refuses the request, or the service cannot do its work. */
export const refusalErrors = {
  MOVE_NOT_READY: {
    status: 409,
    when: 'The move from another till is not in a state where that is possible, or a check did not pass and is not signed.',
    remedy: 'Read the move with GET /staff/v1/move; the message says what is missing.',
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
    meta: metaShape(
      '{productId}',
      { productId: 1120 },
      { productId: { type: 'integer', description: 'Id of the product' } },
    ),
  },
  INVALID_ORDER_TYPE: {
    status: 422,
    when: 'The organization does not offer that order type.',
    remedy: 'Read hasDelivery and hasPickup of GET /api/v1/organization.',
  },
  ORDER_MINIMUM_NOT_MET: {
    status: 422,
    when: 'Merchandise after discounts is below the minimum of the zone or the order type.',
    remedy: 'Add to the cart.',
    meta: metaShape(
      '{minimum: "$75", minimumCents: 7500}',
      { minimum: '$75', minimumCents: 7500 },
      {
        minimum: { type: 'string', description: 'The minimum in dollars, such as `$75`' },
        minimumCents: { type: 'integer', description: 'The minimum in cents' },
      },
    ),
  },
  DELIVERY_AREA_NOT_SERVED: {
    status: 422,
    when: 'The ZIP code lies outside every delivery zone.',
    remedy: 'Offer pickup, or ask for another address.',
    meta: metaShape(
      '{postalCode}',
      { postalCode: '94110' },
      {
        postalCode: { type: 'string', description: 'The ZIP code that was sent' },
      },
    ),
  },
  TIME_SLOT_NOT_AVAILABLE: {
    status: 409,
    when: 'The time that was chosen is not the begin of a time slot of the shop, or the slot is full, closed, outside of the hours of the law, or begins too soon.',
    remedy: 'Offer the `timeSlots` of GET /api/v1/shop again.',
    meta: metaShape(
      '{field, reason}',
      { field: 'deliverAt', reason: 'full' },
      {
        field: { type: 'string', description: 'The field that chose it: `deliverAt`, `pickupAt` or `from`' },
        reason: {
          type: 'string',
          description: '`unknown`, `closed`, `outside-hours`, `too-soon` or `full`',
        },
      },
    ),
  },
  CUSTOMER_UNDERAGE: {
    status: 422,
    when: 'The customer has not reached the minimum age.',
    remedy: 'The order cannot be placed.',
    meta: metaShape(
      '{minimumAge}',
      { minimumAge: 21 },
      {
        minimumAge: { type: 'integer', description: 'The minimum age in years' },
      },
    ),
  },
  PURCHASE_LIMIT_EXCEEDED: {
    status: 422,
    when: 'The cart and what the customer bought in the window exceed a legal limit.',
    remedy: 'Remove the excess from the cart.',
    meta: metaShape(
      '{overages: [{cannabisType, limit, total, overage}]}',
      { overages: [{ cannabisType: 'non-concentrated', limit: '28.5', total: '31.5', overage: '3' }] },
      {
        overages: {
          type: 'array',
          description: 'The limits that the cart exceeds',
          items: {
            type: 'object',
            required: ['cannabisType', 'limit', 'total', 'overage'],
            properties: {
              cannabisType: { type: 'string', description: 'The type of cannabis that the limit counts' },
              limit: { type: 'string', description: 'The limit, as a decimal in its unit' },
              total: { type: 'string', description: 'What the customer would have with this cart' },
              overage: { type: 'string', description: 'What must go from the cart' },
            },
          },
        },
      },
    ),
  },
  CUSTOMER_CODE_INVALID: {
    status: 422,
    when: 'The code is not the one that was sent last to this email, was used, or has expired.',
    remedy: 'Type the code again, or have a new one sent.',
  },
  NOT_A_SANDBOX: {
    status: 403,
    when: 'The organization of the keys is not a sandbox.',
    remedy: 'Send the test keys of a sandbox: `dispensary sandbox create` makes one.',
  },
  CUSTOMER_SESSION_ENDED: {
    status: 401,
    when: 'The token of a customer session is unknown, ended, expired, or of another integrator or organization.',
    remedy: 'Have the customer sign in again: POST /api/v1/customer-sessions.',
  },
  DISCOUNT_CODE_INVALID: {
    status: 422,
    when: 'A discount code is unknown, expired, used up or not applicable.',
    remedy: 'Remove the code from the cart.',
    meta: metaShape(
      '{discountCode}',
      { discountCode: 'SPRING' },
      {
        discountCode: { type: 'string', description: 'The code that was sent' },
      },
    ),
  },
  PRICE_CHANGED: {
    status: 409,
    when: 'The total of the order differs from expectedCustomerGrandTotal.',
    remedy: 'Price the cart again and show the customer the new total.',
    meta: metaShape(
      '{expected, actual}',
      { expected: 11213, actual: 11504 },
      {
        expected: { type: 'integer', description: 'The total that was sent, in cents' },
        actual: { type: 'integer', description: 'The present total, in cents' },
      },
    ),
  },
  OUT_OF_STOCK: {
    status: 409,
    when: 'There is not enough stock.',
    remedy: 'Reduce the quantity, or remove the line from the cart.',
    meta: metaShape(
      '{lineItem: {productOptionId, quantity, specifiedPackageId}, product: {name}}',
      {
        lineItem: { productOptionId: 1380, quantity: 2, specifiedPackageId: null },
        product: { name: 'Moonlit Grove' },
      },
      {
        lineItem: {
          type: 'object',
          description: 'The line that cannot be filled',
          required: ['productOptionId', 'quantity', 'specifiedPackageId'],
          properties: {
            productOptionId: {
              type: ['integer', 'null'],
              description: 'Id of the option; null: stock of a whole product',
            },
            quantity: { type: ['number', 'string'], description: 'The wanted quantity' },
            specifiedPackageId: {
              type: ['integer', 'null'],
              description: 'Id of the package that was asked for',
            },
          },
        },
        product: {
          type: 'object',
          description: 'The product that is out of stock',
          required: ['name'],
          properties: { name: { type: 'string', description: 'Name of the product' } },
        },
      },
    ),
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
  RECEPTION_USED: {
    status: 409,
    when: 'A reception cannot be undone once goods of it were sold, moved or counted.',
    remedy: 'Adjust the stock, with the reason.',
  },
  PURCHASE_ORDER_LINE_ITEM_RECEIVED: {
    status: 409,
    when: 'A line with receptions cannot be edited or omitted.',
    remedy: 'Send the line unchanged.',
  },
  PARKED_CART_NOT_FOUND: {
    status: 404,
    when: 'There is no such parked cart: it was taken up or discarded, or has expired.',
    remedy: 'Use an id of GET /staff/v1/parked-carts.',
  },
  TOO_MANY_PARKED_CARTS: {
    status: 409,
    when: 'As many carts are parked as may be.',
    remedy: 'Take up or discard some of them.',
  },
  STALE_EDIT: {
    status: 409,
    when: 'The resource has changed since it was read: its updatedAt differs from If-Match, or stock differs from the expected count.',
    remedy: 'Read it again, and repeat the change if it still applies.',
    meta: metaShape(
      '{updatedAt}; for a count {line, onHand}',
      { updatedAt: '2026-03-01T17:05:09.123Z' },
      {
        updatedAt: { type: 'string', format: 'date-time', description: 'When the resource last changed' },
        line: { type: 'integer', description: 'Of a count: index of the line, from 0' },
        onHand: { type: 'string', description: 'Of a count: the present stock, as a decimal' },
      },
      ['updatedAt', 'line', 'onHand'],
    ),
  },
  INVALID_PACKAGE_TRANSITION: {
    status: 409,
    when: 'The current status of the package does not allow the action.',
    remedy: 'Read the package again.',
    meta: metaShape(
      '{status, action}',
      { status: 'fulfilled', action: 'cancel' },
      {
        status: { type: 'string', description: 'The present status' },
        action: { type: 'string', description: 'The action that it does not allow' },
      },
    ),
  },
  MORE_THAN_ANNOUNCED: {
    status: 409,
    when: 'More is received than the package was announced with, by its manifest or when it was added.',
    remedy: 'Count again; if the amount is right, send it with confirmExcess.',
    meta: metaShape(
      '{announced, received, amount, unit}',
      { announced: '48', received: '0', amount: '480', unit: 'Each' },
      {
        announced: { type: 'string', description: 'What the manifest says, as a decimal' },
        received: { type: 'string', description: 'What was received before, as a decimal' },
        amount: { type: 'string', description: 'What is received now, as a decimal' },
        unit: { type: 'string', description: 'The unit of these amounts' },
      },
    ),
  },
  INVALID_ORDER_TRANSITION: {
    status: 409,
    when: 'The current status of the order does not allow the action.',
    remedy: 'Read the order again.',
    meta: metaShape(
      '{status, action}',
      { status: 'fulfilled', action: 'cancel' },
      {
        status: { type: 'string', description: 'The present status' },
        action: { type: 'string', description: 'The action that it does not allow' },
      },
    ),
  },
  RETURN_QUANTITY_EXCEEDED: {
    status: 409,
    when: 'The return has more of a line than is left to return.',
    remedy: 'Read the order again, and return at most meta.returnable.',
    meta: metaShape(
      '{orderLineItemId, quantity, returnable}',
      { orderLineItemId: 8102, quantity: 2, returnable: 1 },
      {
        orderLineItemId: { type: 'integer', description: 'Id of the line of the order' },
        quantity: { type: 'number', description: 'The quantity to return' },
        returnable: { type: 'number', description: 'What is left to return of the line' },
      },
    ),
  },
  ORDER_RETURN_VOIDED: {
    status: 409,
    when: 'The return is voided already.',
    remedy: 'No action is needed.',
  },
  STORE_CREDIT_SPENT: {
    status: 409,
    when: 'An order has used the store credit of the return, so it cannot be voided.',
    remedy: 'Cancel the order that used it, or keep the return.',
    meta: metaShape(
      '{customerCreditId}',
      { customerCreditId: 7120 },
      {
        customerCreditId: { type: 'integer', description: 'Id of the store credit' },
      },
    ),
  },
  TRANSACTION_RETRY_EXCEEDED: {
    status: 409,
    when: 'Concurrent transactions kept colliding; nothing was written.',
    remedy: 'Send the same request again.',
  },
  DOCUMENT_TOO_LARGE: {
    status: 413,
    when: 'The document is larger than 2,621,440 bytes.',
    remedy: 'Send a smaller file.',
  },
  UNSUPPORTED_DOCUMENT_TYPE: {
    status: 415,
    when: 'documentMime is not an accepted type.',
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
    when: 'The bytes are not Base64, or do not match documentMime.',
    remedy: 'Send the file itself in standard Base64.',
  },
  PRODUCT_PHOTO_NOT_FOUND: {
    status: 404,
    when: 'The product has no such photo.',
    remedy: 'Use an id of GET /staff/v1/products/{productId}/photos.',
  },
  INVALID_PHOTO: {
    status: 422,
    when: 'The file is not a picture, is damaged, or has more than 24 megapixels.',
    remedy: 'Send a whole JPEG, PNG, WebP, GIF or AVIF.',
  },
  INVALID_ORDER: {
    status: 422,
    when: 'The order is refused for a reason without its own code.',
    remedy: 'Read the message.',
  },
  FILE_QUOTA_EXCEEDED: {
    status: 422,
    when: "The organization keeps as many photos, or customers' documents, or bytes of them, as it may. Nothing was changed.",
    remedy:
      'Delete photos; documents go when their retention ends. Or ask the operator for more room. Sent again, it is refused until then.',
    meta: metaShape(
      '{kind, files, filesMax, bytes, bytesMax}',
      { kind: 'documents', files: 100_000, filesMax: 100_000, bytes: 184_213_000, bytesMax: 50_000_000_000 },
      {
        kind: { type: 'string', enum: ['photos', 'documents'], description: 'What there is no room for' },
        files: { type: 'integer', description: 'How many are kept' },
        filesMax: { type: 'integer', description: 'How many may be kept' },
        bytes: { type: 'integer', description: 'Their bytes; of photos, those of all sizes' },
        bytesMax: { type: 'integer', description: 'How many bytes may be kept' },
      },
    ),
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
} as const satisfies Record<string, CatalogEntry>;

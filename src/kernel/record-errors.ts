import { type CatalogEntry, metaShape } from './error-entry.ts';

/** A record that the request names does not exist, or is in a state that does not allow the request. */
export const recordErrors = {
  MOVE_NOT_FOUND: {
    status: 404,
    when: 'There is no move from another till.',
    remedy: 'Begin one with POST /staff/v1/move.',
  },
  MOVE_FILE_NOT_FOUND: {
    status: 404,
    when: 'There is no such file of a move from another till.',
    remedy: 'Use an id of GET /staff/v1/move.',
  },
  USER_NOT_FOUND: {
    status: 404,
    when: 'There is no such customer (id, email or phone).',
    remedy: 'Check the id, email or phone.',
  },
  STATE_CONNECTION_NOT_FOUND: {
    status: 404,
    when: 'There is no such connection to the state.',
    remedy: 'Use an id of GET /staff/v1/state-connections.',
  },
  STATE_REPORT_NOT_FOUND: {
    status: 404,
    when: 'There is no such report to the state.',
    remedy: 'Use an id of GET /staff/v1/state-reports.',
  },
  INVALID_REPORT_TURN: {
    status: 409,
    when: 'The report to the state is settled or under way, or is not the last of its sale.',
    remedy: 'Read the report again.',
    meta: metaShape(
      '{status, action}',
      { status: 'accepted', action: 'enter-by-hand' },
      {
        status: { type: 'string', description: 'Where the report is' },
        action: { type: 'string', description: 'What that does not allow' },
      },
    ),
  },
  PACKAGE_BLOCKED: {
    status: 409,
    when: "The order holds goods of a package that must not be sold: the shop has put it on hold, or the state's system has: it is on hold there, recalled, failed its lab test, or is not accepted.",
    remedy: 'Take the line out of the order and add it again: it is then taken from another package.',
    meta: metaShape(
      '{package: {id, label}, reason}',
      { package: { id: 2601, label: '1A4FF0000000000000000001' }, reason: 'on-hold' },
      {
        package: {
          type: 'object',
          description: 'The package',
          required: ['id', 'label'],
          properties: { id: { type: 'integer' }, label: { type: 'string' } },
        },
        reason: {
          type: 'string',
          enum: ['on-hold', 'recalled', 'lab-failed', 'not-accepted', 'sent-back', 'shop-hold'],
          description: 'Why it is not sold; `on-hold` is by the state',
        },
      },
    ),
  },
  COMPLIANCE_TRANSFER_NOT_FOUND: {
    status: 404,
    when: 'There is no such incoming transfer.',
    remedy: 'Use an id of GET /staff/v1/compliance-transfers.',
  },
  STATE_DIFFERENCE_NOT_FOUND: {
    status: 404,
    when: 'There is no such difference to the state any more: it was settled, or read in as equal.',
    remedy: 'List the differences again.',
  },
  INVALID_DIFFERENCE_ANSWER: {
    status: 409,
    when: 'The interface of the state has no way to do what the answer says, such as to accept a transfer.',
    remedy: "Do it on the state's website: the difference goes when it is read in.",
    meta: metaShape(
      '{kind, answer}',
      { kind: 'ended-at-state', answer: 'we-are-right' },
      {
        kind: { type: 'string', description: 'The kind of the difference' },
        answer: { type: 'string', description: 'What was answered' },
      },
    ),
  },
  STATE_CONNECTION_EXISTS: {
    status: 409,
    when: 'The location already has a connection to the state, or another connection is for all locations.',
    remedy: 'Change that connection.',
  },
  CUSTOMER_ERASED: {
    status: 409,
    when: 'The data of the customer has been erased.',
    remedy: 'Create the customer again.',
  },
  CUSTOMER_MERGED: {
    status: 410,
    when: 'The customer was merged into another customer, who now has the data.',
    remedy: 'Go on with the customer of meta.intoCustomerId.',
    meta: metaShape(
      '{intoCustomerId}',
      { intoCustomerId: 3102 },
      {
        intoCustomerId: { type: 'integer', description: 'Id of the customer who has the data now' },
      },
    ),
  },
  CUSTOMER_HAS_OPEN_ORDERS: {
    status: 409,
    when: 'A customer with open orders cannot be erased.',
    remedy: 'Fulfill or cancel the orders first.',
  },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    when: 'An authenticator app is set up already.',
    remedy: 'Remove it with DELETE /staff/v1/me/totp, then set up another one.',
  },
  SECOND_FACTOR_NOT_FOUND: {
    status: 404,
    when: 'The member of staff has no second factor, or none that waits for its first code.',
    remedy: 'Set one up with POST /staff/v1/me/totp.',
  },
  IDENTITY_PROVIDER_NOT_FOUND: {
    status: 404,
    when: 'The organization has no identity provider, or there is no such organization.',
    remedy: 'Sign in with the password. An owner sets a provider up with PUT /staff/v1/identity-provider.',
  },
  PASSKEY_NOT_FOUND: {
    status: 404,
    when: 'The signed-in member of staff has no such passkey.',
    remedy: 'Use an id of GET /staff/v1/me/passkeys.',
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
  STAFF_SESSION_NOT_FOUND: {
    status: 404,
    when: 'There is no such session of the member of staff.',
    remedy: 'Use an id of GET /staff/v1/me/sessions.',
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
    when: 'There is no such sub-category.',
    remedy: 'Use an id of GET /staff/v1/product-sub-categories.',
  },
  BRAND_NOT_FOUND: {
    status: 404,
    when: 'There is no such brand.',
    remedy: 'Use an id of GET /staff/v1/brands.',
  },
  MENU_IMPORT_NOT_FOUND: {
    status: 404,
    when: 'There is no such import of a menu.',
    remedy: 'Use an id of GET /staff/v1/menu-imports.',
  },
  MENU_IMPORT_NOT_READY: {
    status: 409,
    when: 'An import goes on, or the state of this one does not allow the request: its file is gone, it is done, undone, or not the last.',
    remedy: 'Read the import again; wait until it is done, or upload the file once more.',
  },
  MENU_IMPORT_SOLD: {
    status: 409,
    when: 'Something that the import has made was sold, so it cannot be undone.',
    remedy: 'Take single products off the menu instead. meta names the sold ones.',
    meta: metaShape(
      '{products: [{id, name}]}',
      { products: [{ id: 3001, name: 'Moonlit Grove' }] },
      {
        products: {
          type: 'array',
          description: 'The first 20 that were sold',
          items: {
            type: 'object',
            properties: { id: { type: 'integer' }, name: { type: 'string' } },
          },
        },
      },
    ),
  },
  INVALID_MENU_FILE: {
    status: 422,
    when: 'The file cannot be read as a menu: its encoding, its format or its size.',
    remedy: 'Save it as CSV, JSON or NDJSON in UTF-8; the message says what is wrong.',
  },
  TAG_NOT_FOUND: { status: 404, when: 'There is no such tag.', remedy: 'Use an id of GET /staff/v1/tags.' },
  PACKAGE_NOT_FOUND: { status: 404, when: 'There is no such package.', remedy: 'Check the label.' },
  INVALID_TRANSFER_ROWS: {
    status: 422,
    when: 'Rows of the transfer to import are wrong; nothing was imported.',
    remedy: 'Correct the rows in meta.rows, or send onlyGood: true to import the others.',
    meta: metaShape(
      '{rows: [{row, field, message}]}',
      { rows: [{ row: 2, field: 'amount', message: 'amount must be a decimal' }] },
      {
        rows: {
          type: 'array',
          description: 'The rows that are not valid',
          items: {
            type: 'object',
            required: ['row', 'field', 'message'],
            properties: {
              row: { type: 'integer', description: 'Number of the row, from 1' },
              field: { type: ['string', 'null'], description: 'Name of the field; null: the row as a whole' },
              message: { type: 'string', description: 'What was expected' },
            },
          },
        },
      },
    ),
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
  REPORT_MAIL_NOT_FOUND: {
    status: 404,
    when: 'There is no such report mail.',
    remedy: 'Use an id of GET /staff/v1/report-mails.',
  },
  TIME_SLOT_NOT_FOUND: {
    status: 404,
    when: 'There is no such time slot.',
    remedy: 'Use an id of GET /staff/v1/time-slots.',
  },
  CLOSED_DAY_NOT_FOUND: {
    status: 404,
    when: 'There is no such closed day.',
    remedy: 'Use an id of GET /staff/v1/closed-days.',
  },
  PURCHASE_LIMIT_RULE_NOT_FOUND: {
    status: 404,
    when: 'There is no such purchase limit of the organization.',
    remedy: 'Use an id of GET /staff/v1/purchase-limit-rules; state rules have no id.',
  },
  PAYMENT_CONNECTION_NOT_FOUND: {
    status: 404,
    when: 'There is no such payment connection.',
    remedy: 'Use an id of GET /staff/v1/payment-connections.',
  },
  GIFT_CARD_NOT_FOUND: {
    status: 404,
    when: 'There is no gift card with this code or id.',
    remedy: 'Scan or type the code of a card of this shop.',
  },
  GIFT_CARD_EXISTS: {
    status: 409,
    when: 'A gift card has this code already.',
    remedy: 'Load the card, or use another code.',
  },
  GIFT_CARD_BALANCE: {
    status: 409,
    when: 'A gift card has less value than is asked for.',
    remedy: 'Take what it has, and the rest by another payment.',
    meta: metaShape(
      '{balance}',
      { balance: 1200 },
      { balance: { type: 'integer', description: 'In cents' } },
    ),
  },
  PAYMENT_NOT_REPORTED: {
    status: 409,
    when: 'A bank gives no report of what it paid out on a day, a terminal does not close its batch, or there is no answer.',
    remedy: 'Do what the message says, or ask again later. The service asks again each hour.',
  },
  PAYMENT_CONNECTION_EXISTS: {
    status: 409,
    when: 'The payment type is connected already: at this register, or online.',
    remedy: 'Archive the other connection first.',
  },
  PAYMENT_INTENT_NOT_FOUND: {
    status: 404,
    when: 'There is no such payment intent.',
    remedy: 'Use the id of a payment intent that you asked for.',
  },
  ORDER_PAYMENT_NOT_FOUND: {
    status: 404,
    when: 'No order of the caller has such a payment; an edit of an order makes new ones.',
    remedy: 'Use an id of `payments` of an order.',
  },
  PAYMENT_TASK_NOT_FOUND: {
    status: 404,
    when: 'There is no such task about a payment.',
    remedy: 'Use an id of GET /staff/v1/payment-tasks.',
  },
  PAYMENT_TASK_DONE: {
    status: 409,
    when: 'The task about a payment is done already.',
    remedy: 'Read GET /staff/v1/payment-tasks again.',
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    when: 'A payment of the order is under way at a provider, or what became of it is not known yet.',
    remedy: 'Wait until its status is final, or cancel it.',
    meta: metaShape(
      '{paymentIntentId, status}',
      { paymentIntentId: 88001, status: 'unknown' },
      {
        paymentIntentId: { type: 'integer', description: 'Id of the payment intent' },
        status: { type: 'string', description: 'Its status' },
      },
    ),
  },
  RETURN_REFUNDED: {
    status: 409,
    when: 'The money of the return has gone back by its provider.',
    remedy: 'Sell the goods again.',
  },
  REFUND_EXCEEDS_PAYMENT: {
    status: 409,
    when: 'More would go back than was captured, less what went back already.',
    remedy: 'Read the payment intent again; of returned goods, choose another payment type.',
  },
  PAYMENT_TYPE_NOT_CONNECTED: {
    status: 422,
    when: 'The payment type is not connected to a provider, or not at this register.',
    remedy: 'Connect it with POST /staff/v1/payment-connections, or take the payment otherwise.',
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
} as const satisfies Record<string, CatalogEntry>;

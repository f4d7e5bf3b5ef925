import type { ApiFailure } from '../../../sdk/src/api-failure.ts';
import { said, t } from '../words/words.ts';
import { dollars } from './dollars.ts';
import { sentence } from './status-badge.tsx';

type Facts = ApiFailure['meta'];

/** The staff message of an error code. Null: the service's own message is better. */
type InWords = (failure: ApiFailure) => string | null;

const askColleague = t`Ask someone whose role allows it.`;

/** Error codes whose messages are written for programmers, with the messages for staff. */
const wordsOfCode: Readonly<Record<string, InWords>> = {
  OFFLINE: () => t`This device is offline. Connect it, then try again.`,
  NO_CONNECTION: () => t`The service cannot be reached. Check the connection and try again.`,
  INVALID_API_CREDENTIALS: ({ message }) =>
    message.includes('invitation')
      ? t`This invitation is no longer valid. Ask an owner for a new one.`
      : t`Your session has ended. Sign in again.`,
  INSUFFICIENT_PERMISSIONS: ({ message }) => roleInWords(message),
  ORGANIZATION_SUSPENDED: () => t`This shop is suspended. You can view everything and change nothing.`,
  RECENT_PROOF_REQUIRED: () => t`Nothing was done: this needs your password. Try again, and enter it.`,
  SECOND_FACTOR_NOT_SET_UP: () => t`Your shop requires a second factor. Set it up first.`,
  WRONG_SECOND_FACTOR: () =>
    t`This code is wrong, too old, or was used before. Enter the one that is shown now.`,
  SECOND_FACTOR_EXISTS: () => t`An authenticator app is set up already. Reload the page.`,
  CROSS_ORIGIN_REQUEST: () =>
    t`The browser did not confirm that this request comes from the console. Reload the page.`,
  RATE_LIMITED: () => t`Too many requests. Wait a moment, then try again.`,
  SERVICE_UNAVAILABLE: () => t`The service is busy or starting. Try again in a moment.`,
  STORAGE_FULL: () =>
    t`The disk of the service is full. Nothing was saved. Tell your administrator, then try again.`,
  INTERNAL_ERROR: () => t`Something went wrong in the service. Try again.`,
  TRANSACTION_RETRY_EXCEEDED: () => t`Someone else changed this at the same time. Try again.`,
  STALE_EDIT: () => t`Someone else changed this. Reload it and check.`,
  MISSING_PARAMS: ({ message }) => absentInWords(message),
  DISCOUNT_CODE_INVALID: ({ message, meta }) =>
    typeof meta.discountCode === 'string'
      ? t`The code “${meta.discountCode}” ${reasonOf(message).replace('is not a code of this organization', t`does not belong to this shop`)}.`
      : null,
  CUSTOMER_UNDERAGE: ({ meta }) =>
    meta.minimumAge === undefined
      ? null
      : t`The customer is under ${String(meta.minimumAge)} and cannot buy this.`,
  BUYER_REQUIRED: () => t`Add the customer first: a purchase limit counts what they bought before.`,
  PRICE_CHANGED: ({ meta }) =>
    isCents(meta.actual) && isCents(meta.expected)
      ? t`The price has changed to ${dollars(meta.actual)}; it was ${dollars(meta.expected)}. Check it, then try again.`
      : null,
  OUT_OF_STOCK: ({ message, meta }) => shortageInWords(message, meta),
  ORDER_MINIMUM_NOT_MET: ({ meta }) =>
    meta.minimum === undefined ? null : t`The order minimum is ${String(meta.minimum)}.`,
  DELIVERY_AREA_NOT_SERVED: ({ meta }) =>
    meta.postalCode === undefined ? null : t`No delivery zone covers ${String(meta.postalCode)}.`,
  INVALID_ORDER_TYPE: () => t`The shop does not offer this order type. See Settings, Organization.`,
  PRODUCT_IS_INACTIVE: ({ message }) =>
    message.includes('deleted')
      ? t`A product in the cart was deleted. Remove it and try again.`
      : t`A product in the cart is off the menu. Remove it and try again.`,
  INVALID_ORDER_TRANSITION: ({ meta }) =>
    meta.status === undefined
      ? null
      : t`This is no longer possible: the order is ${sentence(String(meta.status)).toLowerCase()}.`,
  MORE_THAN_ANNOUNCED: ({ meta }) =>
    t`The manifest says ${String(meta.announced)} ${said(String(meta.unit)).toLowerCase()}; with this there would be ${moreInWords(meta)}. Count again, or confirm it.`,
  RETURN_QUANTITY_EXCEEDED: ({ meta }) =>
    meta.returnable === undefined ? null : t`Only ${String(meta.returnable)} can still be returned.`,
  INVALID_ORDER: ({ message }) => paymentsInWords(message),
  PARKED_CART_NOT_FOUND: () =>
    t`This sale is no longer on hold: it was resumed or discarded, or has expired.`,
  TOO_MANY_PARKED_CARTS: () => t`Too many sales are on hold. Resume or discard some first.`,
  GIFT_CARD_NOT_FOUND: () => t`No gift card has this code. Scan it again, or check the digits.`,
  GIFT_CARD_BALANCE: ({ meta }) =>
    isCents(meta.balance) ? t`The card has only ${dollars(meta.balance)}.` : null,
  REFUND_EXCEEDS_PAYMENT: ({ message }) =>
    isOfGiftCards(message) ? t`Scan the card that gets the money: no gift card paid that much.` : null,
  USER_NOT_FOUND: () => t`This customer does not exist. They may have been merged with another customer.`,
  ROUTE_NOT_FOUND: () =>
    t`The service does not support this. It may be older than this page. Reload the page.`,
  METHOD_NOT_ALLOWED: () =>
    t`The service does not support this. It may be older than this page. Reload the page.`,
};

const isOfGiftCards = (message: string): boolean => message.startsWith('Gift cards ');

/** The fields that a refusal is about; also those of refusals that name none. */
export function refusedFields({ code, message, fields }: ApiFailure): readonly string[] {
  const isOfCard =
    code.startsWith('GIFT_CARD_') || (code === 'REFUND_EXCEEDS_PAYMENT' && isOfGiftCards(message));
  return isOfCard ? ['giftCard'] : fields;
}

/** The reason of a refusal for staff: without field names, amounts in dollars. */
export function refusalInWords(failure: ApiFailure): string {
  const known = wordsOfCode[failure.code]?.(failure);
  if (known) return known;
  const { message, fields } = failure;
  const wanted = wantedInWords(afterFields(message, fields));
  return wanted === null || fields.length === 0
    ? inPlainWords(message)
    : `${fields.map(pathInWords).join(', ')}: ${lowerFirst(wanted)}`;
}

/** The same for a message beside the input of the field, without the field's name. */
export function fieldRefusalInWords(failure: ApiFailure, path: string): string {
  if (failure.code === 'MISSING_PARAMS') return t`Required`;
  const known = wordsOfCode[failure.code]?.(failure);
  if (known) return known;
  const { message, fields } = failure;
  const rest = afterFields(message, fields.includes(path) ? fields : [path]);
  return wantedInWords(rest) ?? inPlainWords(rest);
}

/** A message without the fields at its start. */
function afterFields(message: string, fields: readonly string[]): string {
  const head = `${fields.join(', ')} `;
  return message.startsWith(head) ? message.slice(head.length) : message;
}

/** What the service expects of a field, and how a person is asked for it. */
const wanted: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^must be text of 1 to ([\d,]+) characters/, (most) => t`Enter 1 to ${most} characters.`],
  [/^must (?:be text that is not blank|not be blank)/, () => t`Required`],
  [/^must be text of at most ([\d,]+) characters/, (most) => t`Enter at most ${most} characters.`],
  [/^must be a number above 0/, () => t`Enter a number above 0.`],
  [/^must be a number of at least 0/, () => t`Enter 0 or more.`],
  [/^must be a number as text/, () => t`Enter a number.`],
  [/^must be a date YYYY/, () => t`Enter a complete date.`],
  [/^must be a timestamp/, () => t`Enter a date and a time.`],
  [/^must be an email address/, () => t`Enter an email address.`],
  [/^must be one of /, () => t`Choose one from the list.`],
];

function wantedInWords(rest: string): string | null {
  for (const [pattern, say] of wanted) {
    const found = pattern.exec(rest);
    if (found) return say(...found.slice(1));
  }
  return null;
}

/** `40 + 9`, or `480` when nothing was received before. */
function moreInWords({ received, amount }: Facts): string {
  return received === '0' ? String(amount) : `${String(received)} + ${String(amount)}`;
}

/** `Required but absent: reason, customer.email or customer.phone.` */
function absentInWords(message: string): string | null {
  const fields = /^Required but absent(?:, [^:]*)?: (.+?)\.?$/.exec(message)?.[1]?.split(', ');
  if (fields === undefined) return null;
  const named = fields.map((field) => listed(field.split(' or ').map(pathInWords)));
  return t`Required: ${named.join(', ')}.`;
}

function isCents(value: unknown): value is number {
  return typeof value === 'number';
}

/** The text after the path at its start. */
function reasonOf(message: string): string {
  return withDollars(message.replace(/^\S+ /, '').replace(/\.$/, ''));
}

const roleNames: Readonly<Record<string, string>> = {
  owner: t`an owner`,
  manager: t`a manager`,
  budtender: t`a budtender`,
  inventory: t`inventory staff`,
};

function roleInWords(message: string): string {
  const roles = /must be one of ([a-z, ]+)\.?$/.exec(message)?.[1]?.split(', ') ?? [];
  const named = roles.map((role) => roleNames[role]).filter((it) => it !== undefined);
  if (named.length > 0) return t`Your role may not do this. It needs ${listed(named)}.`;
  const percent = /at most ([\d.]+%)/.exec(message)?.[1];
  if (percent !== undefined) {
    return t`Your role may discount at most ${percent}, all discounts together. ${askColleague}`;
  }
  const cents = /beyond the goods: (\d+) cents/.exec(message)?.[1];
  if (cents !== undefined) {
    return t`Your role may refund at most ${dollars(Number(cents))} more than the goods cost. ${askColleague}`;
  }
  return t`Your role may not do this. ${askColleague}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : t`${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function shortageInWords(message: string, meta: Facts): string | null {
  const product = (meta.product as { name?: unknown } | undefined)?.name;
  if (typeof product !== 'string') return null;
  const left = /than there is: (\S+?)\.?$/.exec(message)?.[1];
  if (left !== undefined) return t`Only ${left} of ${product} in stock.`;
  const wanted = (meta.lineItem as { quantity?: unknown } | undefined)?.quantity;
  return wanted === undefined
    ? t`Not enough ${product} in stock.`
    : t`Not enough ${product} in stock for ${String(wanted)}.`;
}

/** `payments must add up to 9131 cents (…), not 9000`, `payments[0].tendered must be at least 9131 cents, not 9000`. */
function paymentsInWords(message: string): string | null {
  const sums = /^payments must add up to (-?\d+) cents.*, not (-?\d+)/.exec(message);
  if (sums) {
    return t`The payments add up to ${dollars(Number(sums[2]))}, but ${dollars(Number(sums[1]))} is due before payment fees.`;
  }
  const cash = /tendered must be at least (\d+) cents, not (\d+)/.exec(message);
  if (cash) return t`${dollars(Number(cash[2]))} in cash is not enough for ${dollars(Number(cash[1]))}.`;
  return null;
}

function withDollars(text: string): string {
  return text.replace(/(?<![\w.])(-?\d+) cents\b/g, (_, cents) => dollars(Number(cents)));
}

/** A path that begins with a letter: `lineItems[2].quantity`, `customer.email`. */
const pathPattern =
  /(?<![\w@.“"/-])[a-z][A-Za-z\d]*(?:\[\d+\])?(?:\.[a-z][A-Za-z\d]*(?:\[\d+\])?)*(?![\w@])/g;

/** A service message with its field names in plain words. */
function inPlainWords(message: string): string {
  const words = withDollars(message).replace(pathPattern, (path, at: number) => {
    const isPath = path.includes('[') || /[a-z]{2}[A-Z]/.test(path) || (at === 0 && path.includes('.'));
    return isPath ? lowerFirst(pathInWords(path)) : path;
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields with another name for people than in the body. */
const fieldNames: Readonly<Record<string, string>> = {
  adjustments: t`adjustments`,
  csv: t`file`,
  customerGroupIds: t`customer groups`,
  delta: t`change`,
  discountCodes: t`codes`,
  discountIds: t`manual discounts`,
  documentBase64: t`file`,
  lineItems: t`items`,
  loyaltyRewards: t`rewards`,
  orderMinimums: t`order minimums`,
  pointsAmount: t`points`,
  salesPrice: t`sale price`,
  startsAt: t`start`,
  endsAt: t`end`,
  tendered: t`cash received`,
  tz: t`time zone`,
  upc: 'UPC',
};

function nameInWords(name: string): string {
  const known = fieldNames[name];
  if (known !== undefined) return known;
  return said(
    name
      .replace(/(?<=[a-z])Ids?$/, (end) => (end === 'Ids' ? 's' : ''))
      .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
}

function oneOf(names: string): string {
  return names.replace(/^(\w+?)s\b/, '$1');
}

/** `adjustments[0].description` → `Description of adjustment 1`; `orderMinimums.delivery` → `Order minimums, delivery`. */
function pathInWords(path: string): string {
  let words = '';
  let isOfOne = false;
  for (const part of path.split('.')) {
    const [, name = part, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(part) ?? [];
    const own = index === undefined ? nameInWords(name) : `${oneOf(nameInWords(name))} ${Number(index) + 1}`;
    words = words === '' ? own : isOfOne ? t`${own} of ${words}` : `${words}, ${own}`;
    isOfOne = index !== undefined;
  }
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lowerFirst(words: string): string {
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

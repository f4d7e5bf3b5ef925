import { cart, changeCart, setQuantity } from './cart.mjs';
import { forgetSession } from './customer-session.mjs';
import { html } from './html.mjs';
import { forgetMenus } from './menu-data.mjs';
import { dollars } from './words.mjs';

/*
 * Each refusal says what the customer can do now; where one step is plain, a button does it. Decided by `code` alone: the
 * message of the service is for people, and only the fallback.
 */

const removeProduct = (productId) =>
  changeCart({ lines: cart().lines.filter((line) => line.productId !== productId) });

const known = {
  OUT_OF_STOCK: ({ lineItem, product }) => ({
    words: `${product?.name ?? 'A product'} has just sold out in this quantity.`,
    step: lineItem && {
      words: 'Take one less',
      run: () => {
        forgetMenus();
        const line = cart().lines.find(({ optionId }) => optionId === lineItem.productOptionId);
        if (line) setQuantity(line.optionId, line.quantity - 1);
      },
    },
  }),
  TIME_SLOT_NOT_AVAILABLE: () => ({
    words: 'That time has just been taken. Choose another one.',
  }),
  PRICE_CHANGED: ({ expected, actual }) => ({
    words: `The total is now ${dollars(actual)}; it was ${dollars(expected)}. Look at it once more, then place the order.`,
  }),
  PURCHASE_LIMIT_EXCEEDED: ({ overages = [] }) => ({
    words:
      overages.length > 0
        ? 'This is more than state law lets one person buy in a day. Take something out of the cart.'
        : 'Together with earlier orders this is more than state law lets one person buy. Sign in to see what is left.',
  }),
  ORDER_MINIMUM_NOT_MET: ({ minimum }) => ({
    words: `Orders like this begin at ${minimum}. Add something, or choose the other way to get it.`,
    link: { words: 'Back to the menu', path: '/' },
  }),
  DELIVERY_AREA_NOT_SERVED: ({ postalCode }) => ({
    words: `We do not deliver to ${postalCode} yet. Check the ZIP code, or pick the order up.`,
    step: { words: 'Change to pickup', run: () => changeCart({ type: 'pickup' }) },
  }),
  CUSTOMER_UNDERAGE: ({ minimumAge }) => ({
    words: `We may sell to customers from ${minimumAge} years on. Check the birthday.`,
  }),
  DISCOUNT_CODE_INVALID: ({ discountCode }) => ({
    words: `The code ${discountCode} does not work for this order.`,
    step: {
      words: 'Remove the code',
      run: () => changeCart({ codes: cart().codes.filter((code) => code !== discountCode) }),
    },
  }),
  PRODUCT_IS_INACTIVE: ({ productId }) => ({
    words: 'A product of your cart has left the menu.',
    step: { words: 'Remove it', run: () => removeProduct(productId) },
  }),
  PRODUCT_OPTION_NOT_FOUND: () => ({
    words: 'A product of your cart is no longer sold in this size.',
    step: { words: 'Empty the cart', run: () => changeCart({ lines: [] }) },
  }),
  INVALID_ORDER_TYPE: () => ({
    words: 'The shop does not take orders of this kind. Choose the other one above.',
  }),
  CUSTOMER_SESSION_ENDED: () => ({
    words: 'You have been signed out. Sign in again with a new code.',
    step: { words: 'Go on', run: forgetSession },
  }),
  CUSTOMER_CODE_INVALID: () => ({
    words:
      'This is not the last code that we sent, or it is too old. Look for the newest mail, or ask for another code.',
  }),
  INVALID_ORDER_TRANSITION: () => ({
    words: 'This order cannot be canceled here any more. Call the shop.',
  }),
  RATE_LIMITED: () => ({ words: 'Too many tries. Wait a minute, then try again.' }),
  NO_CONNECTION: () => ({ words: 'The shop does not answer. Check your connection; nothing is lost.' }),
};

/** `{ words, step?, link? }` for a refusal. */
export const refusalOf = ({ code, message, meta }) => known[code]?.(meta ?? {}) ?? { words: message };

/** The refusal as a piece of the page. Its button has the id `remedy`. */
export function refusalNote(refusal) {
  if (refusal === null) return html``;
  const { words, step, link } = refusalOf(refusal);
  return html`<div class="note refusal" role="alert"><p>${words}</p>
    ${step ? html`<button class="button" type="button" id="remedy">${step.words}</button>` : ''}
    ${link ? html`<a class="button" href="${link.path}">${link.words}</a>` : ''}</div>`;
}

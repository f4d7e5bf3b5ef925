import { cartBody } from './cart.mjs';
import { session } from './customer-session.mjs';
import { html } from './html.mjs';
import { priceCart } from './shop-api.mjs';
import { dollars } from './words.mjs';

/**
 * What the cart costs now, for this visitor, paid in this way. Only a signed-in customer gets credits and the prices of
 * groups; a typed email gets a stranger's prices.
 */
export function pricedCart(signal, payments = undefined) {
  const customer = sessionCustomer();
  return priceCart({ ...cartBody(), ...(payments && { payments }), ...(customer && { customer }) }, signal);
}

/** Names are required beside the token; where the profile has none yet, any will do for a price. */
function sessionCustomer() {
  const signedIn = session();
  if (signedIn === null) return null;
  const { firstName = 'Customer', lastName = 'Customer' } = signedIn.customer ?? {};
  return { token: signedIn.token, firstName, lastName };
}

const line = (words, cents, kind = '') =>
  html`<div class="${kind}"><dt>${words}</dt><dd>${cents === null ? '' : dollars(cents)}</dd></div>`;

/**
 * The sum, in the order in which its lines add up: goods, credits, discounts, adjustments, taxes, fees, total. A tax that is
 * included in the prices is named without being added.
 */
export function priceLines(priced) {
  const { credits, discounts, adjustments, taxes, deliveryFee, deliveryFeeDescription, paymentFees } = priced;
  return html`<dl class="sum">
    ${line('Products', priced.totalPrice)}
    ${credits.map((it) => line(it.description || 'Credit', -it.amountUsed, 'less'))}
    ${discounts.map((it) => line(it.description || 'Discount', -it.amountUsed, 'less'))}
    ${adjustments.map((it) => line(it.description, it.amount))}
    ${taxes.filter((it) => !it.included).map((it) => line(taxWords(it), it.amount))}
    ${deliveryFee ? line(deliveryFeeDescription ?? 'Delivery', deliveryFee) : ''}
    ${deliveryFee === 0 ? html`<div><dt>Delivery</dt><dd>Free</dd></div>` : ''}
    ${paymentFees ? line('Payment fee', paymentFees) : ''}
    ${line('Total', priced.customerGrandTotal, 'total')}
    ${taxes.filter((it) => it.included).map((it) => line(`Includes ${taxWords(it)}`, it.amount, 'soft'))}
  </dl>`;
}

const taxWords = ({ description, rate }) => `${description} (${rate}%)`;

/** What the taxes are, for customers who wonder why the total is more than the prices. */
export function taxesExplained({ taxes }) {
  if (taxes.length === 0) return html``;
  return html`<details class="explain"><summary>Why these taxes?</summary>
    <p>City and state tax cannabis apart from the sales tax. ${
      taxes.some((it) => it.encompass)
        ? 'Some of them are counted on the taxes before them, as the law says. '
        : ''
    }We pass on every cent of them.</p></details>`;
}

/** The purchase limits that this cart touches: what is used, and what is left. */
export function limitsLeft({ purchaseLimits }) {
  const touched = purchaseLimits.filter(({ used }) => Number(used) > 0);
  if (touched.length === 0) return html``;
  const over = touched.some(({ exceeded }) => exceeded);
  return html`<section class="limits ${over ? 'over' : ''}" aria-labelledby="limits-title">
    <h2 id="limits-title">Purchase limits</h2>
    ${touched.map((it, index) => {
      const unit = it.unit === 'count' ? '' : ` ${it.unit}`;
      return html`<div class="limit"><p id="limit-${index}"><b>${it.name}</b> ${it.used} of ${it.limit}${unit}</p>
        <meter min="0" max="${it.limit}" high="${Number(it.limit) * 0.9}" value="${it.used}" aria-labelledby="limit-${index}"></meter>
        <p class="soft small">${it.exceeded ? 'Over the limit: take something out of the cart.' : `You can add ${it.remaining}${unit} more.`}</p></div>`;
    })}
    <p class="soft small">State law limits what one person may buy in a day. ${
      session() === null
        ? 'Sign in at checkout, and your earlier purchases count too.'
        : 'Your earlier purchases are counted.'
    }</p>
  </section>`;
}

/** What keeps the cart from becoming an order, apart from refusals; null: nothing. */
export function obstacleOf({ metOrderMinimum, orderMinimum, purchaseLimits }) {
  if (!metOrderMinimum)
    return `Orders like this begin at ${dollars(orderMinimum)}, after discounts. Add something more.`;
  if (purchaseLimits.some(({ exceeded }) => exceeded)) return 'The cart is over a purchase limit.';
  return null;
}

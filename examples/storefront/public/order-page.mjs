import { orderToken, session } from './customer-session.mjs';
import { html, show } from './html.mjs';
import { theShop } from './menu-data.mjs';
import { refusalNote } from './refusals.mjs';
import { cancelOrder, getOrder, payOrder, Refusal } from './shop-api.mjs';
import { slotWords } from './time-slots.mjs';
import { dollars, moment } from './words.mjs';

const askEveryMs = 5_000;

/** The state of an order that this browser placed. It asks again while the page is in view and the order is under way. */
export async function openOrderPage({ main, params, signal, announce }) {
  const tokens = { order: orderToken(params.id), customer: session()?.token ?? null };
  if (tokens.order === null && tokens.customer === null) {
    show(main, unknownOrder());
    return { title: 'Order' };
  }
  const shop = await theShop();
  let shown = '';
  let timer;
  const ask = async () => {
    clearTimeout(timer);
    try {
      const order = await getOrder(params.id, tokens, signal);
      const isOpen = !['fulfilled', 'canceled'].includes(order.status);
      const payment = isOpen ? await payOrder(params.id, tokens, signal) : null;
      const text = JSON.stringify([order, payment]);
      // Only news are drawn, so a reader of the page is not disturbed.
      if (text !== shown) {
        show(main, pageOf(order, shop, payment));
        if (shown !== '') announce(`${headlines[order.status](order)}`);
        shown = text;
      }
      if (!isOpen) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'NO_CONNECTION') {
        show(main, unknownOrder());
        return;
      }
    }
    if (!signal.aborted && !document.hidden) timer = setTimeout(ask, askEveryMs);
  };
  main.addEventListener(
    'click',
    async ({ target }) => {
      if (target.closest('button')?.id !== 'cancel') return;
      try {
        await cancelOrder(params.id, tokens);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        show(main.querySelector('#canceling'), refusalNote(error));
        return;
      }
      await ask();
    },
    { signal },
  );
  document.addEventListener('visibilitychange', () => document.hidden || ask(), { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
  await ask();
  return { title: 'Your order' };
}

const unknownOrder = () => html`<section class="plain"><h1 tabindex="-1">This order is not on this device</h1>
  <p>An order can be followed in the browser tab that placed it, and in <a href="/account">your account</a>.</p>
  <p><a class="button" href="/">See the menu</a></p></section>`;

const isDelivery = ({ type }) => type === 'delivery';
/** What an order's status means for its customer. */
export const headlines = {
  draft: () => 'We have your order',
  new: () => 'We have your order',
  packed: (order) => (isDelivery(order) ? 'Packed, and soon on its way' : 'Ready for you'),
  fulfilled: (order) => (isDelivery(order) ? 'Delivered' : 'Picked up'),
  canceled: () => 'Canceled',
};

/** Where the customer pays; nothing where payment is taken at the hand-over. */
function payment({ status, amount, link }) {
  if (status === 'paid') return html`<p class="lead" data-payment="paid">Paid: ${dollars(amount)}</p>`;
  return link === null
    ? ''
    : html`<p data-payment="waiting"><a class="button" href="${link}" target="_blank" rel="noopener">Pay ${dollars(amount)} by bank</a></p>`;
}

function pageOf(order, shop, paying) {
  const { id, status, lineItems } = order;
  return html`<article class="order ${status}">
    <p class="brand">Order ${id.slice(-6).toUpperCase()}</p>
    <h1 tabindex="-1" data-status="${status}">${headlines[status](order)}</h1>
    <p class="lead">${nextStep(order, shop)}</p>
    ${paying === null ? '' : payment(paying)}
    ${order.slot ? html`<p><b>${isDelivery(order) ? 'Comes' : 'For'} ${slotWords(order.slot, shop.tz)}</b></p>` : ''}
    ${
      status === 'canceled'
        ? ''
        : html`<ol class="steps">${stepsOf(order).map(
            ({ words, at, isDone }) =>
              html`<li class="${isDone ? 'done' : ''}"><b>${words}</b><span class="soft">${at ? moment(at) : isDone ? '' : 'Next'}</span></li>`,
          )}</ol>`
    }
    <h2>What you ordered</h2>
    <ul class="lines slim">${lineItems.map(
      (
        it,
      ) => html`<li class="line"><div class="what"><h3>${it.productName}</h3><p class="soft">${[`${it.quantity} × ${it.optionName}`, it.productBrand].filter(Boolean).join(' · ')}</p></div>
        <p class="money">${dollars(it.finalPrice)}</p></li>`,
    )}</ul>
    <dl class="sum">${sumOf(order).map(([words, cents]) => html`<div><dt>${words}</dt><dd>${dollars(cents)}</dd></div>`)}
      <div class="total"><dt>Total</dt><dd>${dollars(order.customerGrandTotal)}</dd></div>
    </dl>
    <p><a class="button" href="/">Back to the menu</a>
      ${order.canCancel ? html`<button class="link" type="button" id="cancel">Cancel this order</button>` : ''}</p>
    <div id="canceling"></div>
  </article>`;
}

/** The lines above the total. What an order does not list one by one is what is missing between its sums. */
function sumOf({ totalPrice, netPrice, customerGrandTotal, deliveryFee, deliveryFeeDescription, taxes }) {
  const added = taxes.filter(({ included }) => !included);
  const goods = netPrice - added.reduce((sum, { amount }) => sum + amount, 0);
  return [
    ['Products', totalPrice],
    ['Discounts and credits', goods - totalPrice],
    ...added.map(({ description, amount }) => [description, amount]),
    [deliveryFeeDescription ?? 'Delivery', deliveryFee ?? 0],
    ['Payment fee', customerGrandTotal - netPrice - (deliveryFee ?? 0)],
  ].filter(([words, cents]) => words === 'Products' || cents !== 0);
}

function nextStep(order, { address, customerPhone }) {
  const place = address === null ? 'the shop' : `${address.street1}, ${address.city}`;
  switch (order.status) {
    case 'packed':
      return isDelivery(order)
        ? 'The driver brings it to your door. Have your ID at hand.'
        : `Come to ${place}. Bring your ID, and your payment.`;
    case 'fulfilled':
      return 'Thank you. Enjoy it.';
    case 'canceled':
      return `Nothing was charged. Questions? Call ${customerPhone || 'the shop'}.`;
    default:
      return 'This page tells you when it is packed. You can leave it open.';
  }
}

function stepsOf(order) {
  const { status, createdAt, packedAt, fulfilledAt } = order;
  return [
    { words: 'Received', at: createdAt, isDone: true },
    { words: 'Packed', at: packedAt, isDone: packedAt !== null || status === 'fulfilled' },
    { words: isDelivery(order) ? 'Delivered' : 'Picked up', at: fulfilledAt, isDone: status === 'fulfilled' },
  ];
}

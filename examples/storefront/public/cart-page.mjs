import { cart, cartChanges, changeCart, setQuantity } from './cart.mjs';
import { limitsLeft, obstacleOf, pricedCart, priceLines, taxesExplained } from './cart-price.mjs';
import { html, show } from './html.mjs';
import { productPath } from './product-card.mjs';
import { refusalNote, refusalOf } from './refusals.mjs';
import { Refusal } from './shop-api.mjs';
import { dollars } from './words.mjs';

/** The cart: each change is priced at once, by the calculation that places orders. */
export async function openCartPage({ main, signal, announce }) {
  show(main, html`<h1 class="title" tabindex="-1">Your cart</h1><div id="cart-body"></div>`);
  const body = main.querySelector('#cart-body');
  let pricing = new AbortController();
  let refusal = null;

  const render = (priced) => {
    const typed = [...body.querySelectorAll('input')].filter((it) => it.value !== it.defaultValue);
    show(body, cart().lines.length === 0 ? emptyCart() : bodyOf(priced, refusal));
    // A price that arrives while a customer types leaves the text alone.
    for (const { id, value } of typed) {
      const field = body.querySelector(`#${id}`);
      if (field) field.value = value;
    }
    body.classList.toggle('pending', priced === null && refusal === null && cart().lines.length > 0);
  };
  let last = null;
  const reprice = async () => {
    // Only the last change counts: an answer for an earlier cart must not arrive behind it.
    pricing.abort();
    pricing = new AbortController();
    const { signal: mine } = pricing;
    const known = last && new Map(last.lineItems.map((it) => [it.productOptionId, it]));
    const isOld = known === null || cart().lines.some(({ optionId }) => !known.has(optionId));
    render(isOld ? null : last);
    body.classList.add('pending');
    if (cart().lines.length === 0) return;
    try {
      const priced = await pricedCart(mine);
      if (mine.aborted || signal.aborted) return;
      [last, refusal] = [priced, null];
      announce(`Total ${dollars(priced.customerGrandTotal)}`);
    } catch (error) {
      if (mine.aborted || signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      [last, refusal] = [null, error];
    }
    render(last);
  };
  cartChanges.addEventListener('change', reprice, { signal });
  signal.addEventListener('abort', () => pricing.abort());
  body.addEventListener(
    'click',
    ({ target }) => {
      const { id, dataset } = target.closest('button') ?? { dataset: {} };
      if (id === 'remedy') {
        const { step } = refusalOf(refusal);
        refusal = null;
        step.run();
        reprice();
      } else if (dataset.code) {
        changeCart({ codes: cart().codes.filter((code) => code !== dataset.code) });
      } else if (dataset.line) {
        const line = cart().lines.find(({ optionId }) => optionId === Number(dataset.line));
        setQuantity(line.optionId, line.quantity + Number(dataset.step));
      }
    },
    { signal },
  );
  body.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const sent = new FormData(event.target);
      event.target.reset();
      const code = String(sent.get('code') ?? '').trim();
      if (sent.has('code') && code !== '') changeCart({ codes: [...new Set([...cart().codes, code])] });
      if (sent.has('postalCode')) changeCart({ postalCode: String(sent.get('postalCode')).trim() });
    },
    { signal },
  );
  await reprice();
  return { title: 'Cart' };
}

const emptyCart = () => html`<div class="nothing"><p class="big">Nothing in here yet.</p>
  <p><a class="button main" href="/">See the menu</a></p></div>`;

function bodyOf(priced, refusal) {
  const { type, lines, codes, postalCode } = cart();
  const priceOf = new Map(priced?.lineItems.map((it) => [it.productOptionId, it]));
  const obstacle = priced && obstacleOf(priced);
  return html`<div class="columns">
    <div>
      <ul class="lines">${lines.map((line) => lineOf(line, priceOf.get(line.optionId)))}</ul>
      ${
        type === 'delivery'
          ? html`<form class="inline"><label class="field"><span>ZIP code of the delivery</span>
        <input name="postalCode" id="postal-code" inputmode="numeric" autocomplete="postal-code" maxlength="10" value="${postalCode}"></label>
        <button class="button">Check</button></form>`
          : ''
      }
      <form class="inline"><label class="field"><span>Discount code</span><input name="code" id="discount-code" autocomplete="off" maxlength="100"></label>
        <button class="button">Add</button></form>
      ${codes.length > 0 ? html`<ul class="tags">${codes.map((code) => html`<li>${code} <button class="link" type="button" data-code="${code}" aria-label="Remove the code ${code}">Remove</button></li>`)}</ul>` : ''}
    </div>
    <aside class="summary" aria-label="What it costs">
      ${refusalNote(refusal)}
      ${priced ? html`${priceLines(priced)}${taxesExplained(priced)}` : ''}
      ${priced?.warnings.map((it) => html`<p class="note">${it.message ?? it}</p>`)}
      ${obstacle ? html`<p class="note">${obstacle}</p>` : ''}
      ${priced && !obstacle ? html`<a class="button main wide" href="/checkout">Checkout</a>` : ''}
      ${priced ? limitsLeft(priced) : ''}
    </aside>
  </div>`;
}

function lineOf({ optionId, productId, name, brand, option, photo, photoText, quantity, max }, priced) {
  const isFull = max !== null && quantity >= max;
  return html`<li class="line">
    <div class="frame small">${photo ? html`<img src="${photo}" alt="${photoText ?? name}" width="120" height="120" loading="lazy">` : ''}</div>
    <div class="what"><h2><a href="${productPath({ id: productId, name })}">${name}</a></h2>
      <p class="soft">${[option, brand].filter(Boolean).join(' · ')}</p>
      ${priced?.discounts.map((it) => html`<p class="why">${it.description} −${dollars(it.amountUsed)}</p>`)}
      <div class="stepper" role="group" aria-label="Quantity of ${name}">
        <button type="button" id="less-${optionId}" data-line="${optionId}" data-step="-1" aria-label="${quantity === 1 ? `Remove ${name}` : `One ${name} less`}">−</button>
        <span>${quantity}</span>
        <button type="button" id="more-${optionId}" data-line="${optionId}" data-step="1" ${isFull ? html`disabled` : ''} aria-label="One ${name} more">+</button>
      </div>
      ${isFull ? html`<p class="soft small">No more in stock</p>` : ''}</div>
    <p class="money">${
      priced
        ? html`${dollars(priced.finalPrice)}${
            priced.finalPrice < priced.subtotalPrice
              ? html` <s><span class="unseen">before</span> ${dollars(priced.subtotalPrice)}</s>`
              : ''
          }`
        : ''
    }</p>
  </li>`;
}

import { cart } from './cart.mjs';
import { session } from './customer-session.mjs';
import { html } from './html.mjs';
import { whenPart } from './time-slots.mjs';
import { dollars, saleWords } from './words.mjs';

/* The fields of the checkout, and what is sent of them. */

/** What was typed, until the page is loaded anew: a look back into the cart must not lose it. */
const typed = new Map();

/** Notes what the form holds now. */
export function keepTyped(form) {
  for (const [name, value] of new FormData(form)) typed.set(name, value);
}

const valueFor = (name) => typed.get(name) ?? session()?.customer?.[name] ?? '';

function field(
  name,
  words,
  { type = 'text', autocomplete = '', hint = '', isNeeded = true, value = valueFor(name) } = {},
) {
  return html`<label class="field ${name}"><span>${words}${isNeeded ? '' : html` <i>optional</i>`}</span>
    <input type="${type}" name="${name}" id="field-${name}" value="${value}" autocomplete="${autocomplete || 'off'}" maxlength="200"
    ${isNeeded ? html`required` : ''} ${hint ? html`aria-describedby="hint-${name}"` : ''}>
    ${hint ? html`<small id="hint-${name}">${hint}</small>` : ''}</label>`;
}

/** The whole form. `sentTo`: the address that a code was sent to. */
export function checkoutForm({ shop, paymentTypes, sentTo }) {
  const isDelivery = cart().type === 'delivery';
  return html`<section class="part"><h2>You</h2>
      <div id="who">${signInPart(sentTo)}</div>
      <div class="two">${field('firstName', 'First name', { autocomplete: 'given-name' })}
        ${field('lastName', 'Last name', { autocomplete: 'family-name' })}
        ${field('birthday', 'Birthday', { type: 'date', autocomplete: 'bday' })}
        ${field('phone', 'Phone', { type: 'tel', autocomplete: 'tel', isNeeded: false })}</div>
    </section>
    <section class="part">${isDelivery ? deliveryPart() : pickupPart(shop)}${handedOver(shop, isDelivery)}
      <div id="when">${timePart(shop)}</div></section>
    <section class="part"><h2>Payment</h2><fieldset class="pays"><legend class="unseen">How you pay</legend>
      ${paymentTypes.map((it, index) => {
        const isChosen = typed.has('paymentTypeId')
          ? Number(typed.get('paymentTypeId')) === it.id
          : index === 0;
        return html`<label class="pay"><input type="radio" name="paymentTypeId" value="${it.id}" ${isChosen ? html`checked` : ''}>
          <span><b>${it.name}</b><em>${feeWords(it)}</em></span></label>`;
      })}</fieldset></section>`;
}

function feeWords({ fee, feePercent }) {
  const parts = [fee > 0 && dollars(fee), Number(feePercent) > 0 && `${feePercent}%`].filter(Boolean);
  return parts.length > 0 ? `+ ${parts.join(' and ')}` : 'No fee';
}

/** Sign-in by a code: an address, then six digits. The address alone is enough for an order. */
export function signInPart(sentTo) {
  const signedIn = session();
  if (signedIn !== null) {
    return html`<p class="signed-in"><span>Signed in as <b>${signedIn.email}</b></span><button class="link" type="button" id="sign-out">Sign out</button></p>`;
  }
  const email = field('email', 'Email', {
    type: 'email',
    autocomplete: 'email',
    value: sentTo ?? valueFor('email'),
  });
  if (sentTo === null) {
    return html`<div class="inline">${email}<button class="button" type="button" id="send-code">Send me a code</button></div>
      <p class="soft small">Sign in with a code by mail to use your credits, points and member prices. You can order without it too.</p>`;
  }
  return html`<div class="inline">${email}<button class="button" type="button" id="send-code">Send another code</button></div>
    <div class="inline"><label class="field code"><span>The six digits from the mail</span><input name="code" id="field-code" inputmode="numeric"
      autocomplete="one-time-code" pattern="[0-9 ]{6,8}" maxlength="8" required></label>
      <button class="button main" type="button" id="sign-in">Sign in</button></div>`;
}

/** The choice of a time, with what was chosen before. */
export const timePart = (shop) => whenPart(shop, typed.get('slot'));

function deliveryPart() {
  return html`<h2>Delivery</h2><div class="two">
    ${field('street1', 'Street and number', { autocomplete: 'address-line1' })}
    ${field('street2', 'Unit or floor', { autocomplete: 'address-line2', isNeeded: false })}
    ${field('postalCode', 'ZIP code', { autocomplete: 'postal-code', value: cart().postalCode })}
    ${field('city', 'City', { autocomplete: 'address-level2' })}
    ${field('state', 'State', { autocomplete: 'address-level1' })}
    ${field('deliveryNotes', 'A word for the driver', { isNeeded: false })}</div>`;
}

function handedOver(shop, isDelivery) {
  const hours = saleWords(shop, isDelivery ? 'delivery' : 'pickup');
  return hours ? html`<p>Cannabis is handed over from ${hours}.</p>` : '';
}

function pickupPart({ name, address }) {
  return html`<h2>Pickup</h2><p>${name}${address ? html`, ${address.street1}, ${address.city}` : ''}. We tell you on the next page when it is packed.</p>`;
}

const textOf = (form, name) => form.elements[name].value.trim();

/** The customer of the order: proven by a token, or as typed. */
export function customerOf(form) {
  const signedIn = session();
  return {
    firstName: textOf(form, 'firstName'),
    lastName: textOf(form, 'lastName'),
    birthday: textOf(form, 'birthday') || null,
    phone: textOf(form, 'phone') || null,
    ...(signedIn ? { token: signedIn.token } : { email: textOf(form, 'email') }),
  };
}

/** The address of a delivery. */
export function addressOf(form) {
  const [street1, city, state, postalCode] = ['street1', 'city', 'state', 'postalCode'].map((name) =>
    textOf(form, name),
  );
  return { street1, street2: textOf(form, 'street2') || null, city, state, postalCode };
}

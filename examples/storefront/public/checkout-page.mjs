import { cart, cartBody, cartChanges, changeCart } from './cart.mjs';
import { limitsLeft, obstacleOf, pricedCart, priceLines, taxesExplained } from './cart-price.mjs';
import { addressOf, checkoutForm, customerOf, keepTyped, signInPart, timePart } from './checkout-form.mjs';
import {
  forgetSession,
  forgetUnsettledKey,
  keepOrderToken,
  keepSession,
  keepUnsettledKey,
  session,
  unsettledKey,
} from './customer-session.mjs';
import { html, show } from './html.mjs';
import { forgetMenus, freshShop } from './menu-data.mjs';
import { refusalNote, refusalOf } from './refusals.mjs';
import { endSession, getPaymentTypes, placeOrder, Refusal, sendCode, startSession } from './shop-api.mjs';
import { slotFields } from './time-slots.mjs';
import { dollars } from './words.mjs';

/**
 * The checkout: who, where, how to pay. The total on the button is the one that the order is placed with: the service
 * refuses the order (`PRICE_CHANGED`) rather than charge another.
 */
export async function openCheckoutPage({ main, signal, announce, navigate }) {
  if (cart().lines.length === 0) {
    show(
      main,
      html`<section class="plain"><h1 tabindex="-1">The cart is empty</h1><p><a class="button main" href="/">See the menu</a></p></section>`,
    );
    return { title: 'Checkout' };
  }
  const [shop, allPaymentTypes] = await Promise.all([freshShop(), getPaymentTypes()]);
  signal.throwIfAborted();
  const checkout = new Checkout({ main, shop, allPaymentTypes, signal, announce, navigate });
  await checkout.open();
  return { title: 'Checkout' };
}

class Checkout {
  /** The last price; null: there is none yet, or it was refused. */
  #priced = null;
  #refusal = null;
  #isPlacing = false;
  #pricing = new AbortController();
  /** The address that a code was sent to. */
  #sentTo = null;
  /** Why the sign-in did not go on; shown where the code is typed. */
  #signInRefusal = null;
  /** The order type that the form is drawn for. */
  #type = cart().type;

  constructor({ main, shop, allPaymentTypes, signal, announce, navigate }) {
    this.main = main;
    this.shop = shop;
    this.allPaymentTypes = allPaymentTypes;
    this.signal = signal;
    this.announce = announce;
    this.navigate = navigate;
  }

  async open() {
    const { main, signal } = this;
    show(
      main,
      html`<h1 class="title" tabindex="-1">Checkout</h1>
      <div class="columns"><form id="checkout" class="checkout" novalidate></form>
      <aside class="summary" id="total" aria-label="What it costs"></aside></div>`,
    );
    this.form = main.querySelector('#checkout');
    this.total = main.querySelector('#total');
    this.#drawForm();
    this.form.addEventListener('submit', (event) => event.preventDefault(), { signal });
    this.form.addEventListener('change', ({ target }) => this.#changed(target), { signal });
    // Enter in a field of the sign-in means its button.
    this.form.addEventListener('keydown', (event) => this.#entered(event), { signal });
    main.addEventListener('click', ({ target }) => this.#clicked(target.closest('button')), { signal });
    cartChanges.addEventListener('change', () => this.#cartChanged(), { signal });
    signal.addEventListener('abort', () => this.#pricing.abort());
    await this.#reprice();
  }

  get #paymentTypes() {
    return this.allPaymentTypes.filter((it) => cart().type !== 'delivery' || it.availableDelivery);
  }

  #drawForm() {
    const { form, shop } = this;
    keepTyped(form);
    show(form, checkoutForm({ shop, paymentTypes: this.#paymentTypes, sentTo: this.#sentTo }));
    this.#type = cart().type;
  }

  /** The times of the chosen address; the rest of the form stays as it is. */
  #drawTimes() {
    show(this.form.querySelector('#when'), timePart(this.shop));
  }

  #cartChanged() {
    if (cart().lines.length === 0) return;
    if (cart().type !== this.#type) this.#drawForm();
    this.#reprice();
  }

  #changed(target) {
    keepTyped(this.form);
    if (target.name === 'postalCode') {
      changeCart({ postalCode: target.value.trim() });
      this.#drawTimes();
    } else if (target.name === 'paymentTypeId') this.#reprice();
  }

  #entered(event) {
    if (event.key !== 'Enter' || !['email', 'code'].includes(event.target.name) || session() !== null) return;
    event.preventDefault();
    this.form.querySelector(event.target.name === 'code' ? '#sign-in' : '#send-code')?.click();
  }

  #clicked(button) {
    switch (button?.id) {
      case 'send-code':
        return this.#sendCode();
      case 'sign-in':
        return this.#signIn();
      case 'sign-out':
        return this.#signOut();
      case 'place':
        return this.#place();
      case 'remedy': {
        const { step } = refusalOf(this.#refusal);
        this.#refusal = null;
        step.run();
        this.#drawForm();
        return this.#reprice();
      }
      default:
    }
  }

  async #sendCode() {
    const email = this.form.elements.email;
    if (!this.#isFilled([email])) return;
    await this.#signingIn(async () => {
      await sendCode(email.value.trim());
      this.#sentTo = email.value.trim();
      this.announce(`A code is on its way to ${this.#sentTo}`);
    });
    this.form.elements.code?.focus();
  }

  async #signIn() {
    const code = this.form.elements.code;
    if (!this.#isFilled([code])) return;
    await this.#signingIn(async () => {
      const { token, customer } = await startSession(this.#sentTo, code.value.trim());
      keepSession({ token, customer, email: this.#sentTo });
      this.#sentTo = null;
      this.announce('You are signed in');
      // What is on file saves typing; it stays open to change.
      for (const name of ['firstName', 'lastName', 'phone', 'birthday']) {
        const field = this.form.elements[name];
        if (customer?.[name] && field.value === '') field.value = customer[name];
      }
      keepTyped(this.form);
    });
    if (session() !== null) await this.#reprice();
  }

  /** A step of the sign-in, and its part of the page drawn anew; a refusal is shown there. */
  async #signingIn(step) {
    this.#signInRefusal = null;
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#signInRefusal = error;
    }
    this.#drawSignIn();
  }

  async #signOut() {
    const { token } = session();
    forgetSession();
    this.#drawSignIn();
    await endSession(token).catch(() => {});
    await this.#reprice();
  }

  /** Draws this part anew and leaves what is typed elsewhere alone. */
  #drawSignIn() {
    const note = refusalNote(this.#signInRefusal);
    show(this.form.querySelector('#who'), html`${signInPart(this.#sentTo)}${note}`);
  }

  get #payments() {
    const chosen = Number(new FormData(this.form).get('paymentTypeId'));
    return chosen > 0 ? [{ paymentTypeId: chosen, remaining: true }] : undefined;
  }

  async #reprice({ keepRefusal = false } = {}) {
    this.#pricing.abort();
    this.#pricing = new AbortController();
    const { signal } = this.#pricing;
    this.total.classList.add('pending');
    try {
      const priced = await pricedCart(signal, this.#payments);
      if (signal.aborted) return;
      this.#priced = priced;
      if (!keepRefusal) this.#refusal = null;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      this.#priced = null;
      this.#refusal = error;
    }
    this.#drawTotal();
  }

  #drawTotal() {
    const priced = this.#priced;
    const obstacle = priced && obstacleOf(priced);
    const isReady = priced !== null && obstacle === null;
    this.total.classList.remove('pending');
    show(
      this.total,
      html`${refusalNote(this.#refusal)}
        ${priced ? html`${priceLines(priced)}${taxesExplained(priced)}` : ''}
        ${priced?.warnings.map((it) => html`<p class="note">${it.message ?? it}</p>`)}
        ${obstacle ? html`<p class="note">${obstacle}</p>` : ''}
        ${
          isReady
            ? html`<button class="button main wide" type="button" id="place" ${this.#isPlacing ? html`disabled` : ''}>
          ${this.#isPlacing ? 'Placing the order …' : `Place the order, ${dollars(priced.customerGrandTotal)}`}</button>
          <p class="soft small">Nothing is paid yet. Have an ID that shows your age at hand when you get the order.</p>`
            : ''
        }
        ${priced ? limitsLeft(priced) : ''}
        <p><a href="/cart">Change the cart</a></p>`,
    );
  }

  async #place() {
    const { elements } = this.form;
    const needed = ['email', 'firstName', 'lastName', 'birthday', 'street1', 'city', 'state', 'postalCode'];
    if (!this.#isFilled(needed.map((name) => elements[name]).filter(Boolean))) return;
    const { postalCode: _, ...goods } = cartBody();
    const { customerGrandTotal, idempotencyKey } = this.#priced;
    this.#isPlacing = true;
    this.#drawTotal();
    await this.#trying(async () => {
      const { id, orderToken } = await placeOnce({
        ...goods,
        customer: customerOf(this.form),
        payments: this.#payments,
        ...slotFields(this.form),
        ...(cart().type === 'delivery' && {
          address: addressOf(this.form),
          deliveryNotes: elements.deliveryNotes.value.trim() || null,
        }),
        // The customer pays what the button says.
        expectedCustomerGrandTotal: customerGrandTotal,
        idempotencyKey,
      });
      keepOrderToken(id, orderToken);
      changeCart({ lines: [], codes: [] });
      forgetMenus();
      await this.navigate(`/orders/${id}`);
    });
    this.#isPlacing = false;
    // A refused attempt leaves the key free, but price or stock may be others now.
    if (this.#refusal !== null) await this.#reprice({ keepRefusal: true });
  }

  /** Runs a step; a refusal is shown beside the total. */
  async #trying(step) {
    this.#refusal = null;
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'OUT_OF_STOCK') forgetMenus();
      if (error.code === 'TIME_SLOT_NOT_AVAILABLE') {
        this.shop = await freshShop();
        this.#drawTimes();
      }
      this.#refusal = error;
      this.#drawTotal();
    }
  }

  /** Whether the fields are filled in; if not, the first that is not says why, and gets the focus. */
  #isFilled(fields) {
    for (const field of fields) field.setAttribute('aria-invalid', String(!field.checkValidity()));
    const wrong = fields.find((field) => !field.checkValidity());
    wrong?.reportValidity();
    return wrong === undefined;
  }
}

/**
 * Places the order. Where no answer came, the order may be there or not: the next attempt, even of a changed cart or after
 * loading the page anew, has the same key, and the service answers the order that is there in place of a second one. A refusal leaves
 * the key free and says nothing of an attempt before it, such as when there were too many: the key stays until there is an order.
 */
async function placeOnce({ idempotencyKey, ...order }) {
  const key = unsettledKey() ?? idempotencyKey;
  keepUnsettledKey(key);
  const placed = await placeOrder({ ...order, idempotencyKey: key });
  forgetUnsettledKey();
  return placed;
}

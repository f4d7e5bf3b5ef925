import { forgetSession, keepSession, session } from './customer-session.mjs';
import { html, show } from './html.mjs';
import { headlines } from './order-page.mjs';
import { refusalNote, refusalOf } from './refusals.mjs';
import { cancelOrder, endSession, getOwnOrders, Refusal, sendCode, startSession } from './shop-api.mjs';
import { dollars, moment } from './words.mjs';

/** The orders of a customer, of every channel of the shop, after a sign-in by a code; those that may still be canceled have a button. */
export async function openAccountPage({ main, signal, announce }) {
  let sentTo = null;
  let refusal = null;
  let orders = [];
  let hasMore = false;

  const draw = () =>
    show(main, session() === null ? signIn(sentTo, refusal) : account(orders, hasMore, refusal));
  const load = async (startingAfter) => {
    const page = await getOwnOrders(session().token, startingAfter, signal);
    orders = startingAfter === undefined ? page : [...orders, ...page];
    hasMore = page.length === 50;
  };
  /** A step and the page drawn anew; a refusal is shown there. */
  const take = async (step) => {
    refusal = null;
    try {
      await step();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
      if (error.code === 'CUSTOMER_SESSION_ENDED') forgetSession();
    }
    draw();
  };

  main.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      const typed = (name) => String(new FormData(event.target).get(name)).trim();
      if (sentTo === null) {
        take(async () => {
          await sendCode(typed('email'));
          sentTo = typed('email');
          announce(`A code is on its way to ${sentTo}`);
        }).then(() => main.querySelector('input')?.focus());
      } else {
        take(async () => {
          const { token, customer } = await startSession(sentTo, typed('code'));
          keepSession({ token, customer, email: sentTo });
          sentTo = null;
          await load();
          announce('You are signed in');
        });
      }
    },
    { signal },
  );
  main.addEventListener(
    'click',
    ({ target }) => {
      const button = target.closest('button');
      if (button?.id === 'other-address') {
        sentTo = null;
        take(async () => {});
      } else if (button?.id === 'more-orders') take(() => load(orders.at(-1).id));
      else if (button?.id === 'remedy') take(async () => refusalOf(refusal).step.run());
      else if (button?.id === 'sign-out') {
        const { token } = session();
        forgetSession();
        take(() => endSession(token));
      } else if (button?.dataset.cancel) {
        take(async () => {
          const canceled = await cancelOrder(button.dataset.cancel, {
            order: null,
            customer: session().token,
          });
          orders = orders.map((order) => (order.id === canceled.id ? canceled : order));
          announce('The order is canceled');
        });
      }
    },
    { signal },
  );
  if (session() !== null) await take(load);
  else draw();
  return { title: 'Your account' };
}

function signIn(sentTo, refusal) {
  const field =
    sentTo === null
      ? html`<label class="field"><span>Email</span><input type="email" name="email" autocomplete="email" required maxlength="200"></label>
        <p><button class="button main">Send me a code</button></p>`
      : html`<p>A mail with six digits is on its way to <b>${sentTo}</b>.</p>
        <label class="field"><span>The six digits from the mail</span><input name="code" inputmode="numeric" autocomplete="one-time-code" required pattern="[0-9]{6}" maxlength="6"></label>
        <p><button class="button main">Sign in</button> <button class="link" type="button" id="other-address">Another address</button></p>`;
  return html`<section class="plain"><h1 tabindex="-1">Your account</h1>
    <p>Sign in to see your orders. There is no password: we mail a code.</p>
    <form class="checkout">${field}</form>${refusalNote(refusal)}</section>`;
}

function account(orders, hasMore, refusal) {
  return html`<section class="order"><h1 tabindex="-1">Your orders</h1>
    <p class="signed-in"><span>Signed in as <b>${session().email}</b></span><button class="link" type="button" id="sign-out">Sign out</button></p>
    ${refusalNote(refusal)}
    ${orders.length === 0 ? html`<p class="lead">There is no order yet. <a href="/">See the menu</a></p>` : ''}
    <ul class="lines">${orders.map(
      (
        order,
      ) => html`<li class="line"><div class="what"><h2><a href="/orders/${order.id}">${headlines[order.status](order)}</a></h2>
        <p class="soft">${moment(order.createdAt)} · ${order.lineItems.map((it) => `${it.quantity} × ${it.productName}`).join(', ')}</p>
        ${order.canCancel ? html`<button class="link" type="button" data-cancel="${order.id}">Cancel this order</button>` : ''}</div>
        <p class="money">${dollars(order.customerGrandTotal)}</p></li>`,
    )}</ul>
    ${hasMore ? html`<button class="button wide" id="more-orders" type="button">Earlier orders</button>` : ''}</section>`;
}

/* The few operations that a web shop needs, called from the page with the publishable key. */

const settings = JSON.parse(document.getElementById('settings').textContent);

/** A refusal of the service, or no answer (`NO_CONNECTION`). `code` says which; `meta` has its facts. */
export class Refusal extends Error {
  constructor({ code, message, meta = {} }, status = 0) {
    super(message);
    this.code = code;
    this.meta = meta;
    this.status = status;
  }
}

/** Statuses after which the same request may succeed. */
const passing = [429, 502, 503, 504];
const triesMax = 4;

/**
 * Sends a request, and sends it again while that may help.
 * @param {{ body?: object, headers?: object, signal?: AbortSignal }} [sent]
 */
async function request(method, url, sent = {}) {
  const { body, headers = {}, signal } = sent;
  const options = {
    method,
    signal,
    headers: {
      'X-Client-Key': settings.publishableKey,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  };
  for (let tries = 1; ; tries += 1) {
    let pauseMs = 300 * 2 ** tries * (0.5 + Math.random() / 2);
    try {
      const response = await fetch(url, options);
      const reply = response.status === 204 ? {} : await response.json();
      if (response.ok) return reply;
      if (!passing.includes(response.status) || tries === triesMax)
        throw new Refusal(reply.error, response.status);
      pauseMs = Math.min(30_000, Number(response.headers.get('Retry-After')) * 1_000 || pauseMs);
    } catch (error) {
      if (error instanceof Refusal || signal?.aborted) throw error;
      if (tries === triesMax)
        throw new Refusal({ code: 'NO_CONNECTION', message: 'The shop does not answer.' });
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const read = (url, options = {}) => request('GET', url, options);
const send = (path, body, options = {}) =>
  request('POST', `${settings.baseUrl}${path}`, { body, ...options });

/** The whole menu for one order type. The browser keeps it, and asks only whether it has changed. */
export const getMenu = (type) => read(`${settings.menuUrl}/api/v1/menu?type=${type}`);
export const getShop = async () => (await read(`${settings.menuUrl}/api/v1/shop`)).data;
export const getPaymentTypes = async () => (await read(`${settings.baseUrl}/api/v1/payment-types`)).data;

export const priceCart = async (cart, signal) =>
  (await send('/api/v1/orders/pricing', cart, { signal })).data;

/** Safe to send again: `idempotencyKey` of the body makes sure that there is one order. */
export const placeOrder = async (order) => (await send('/api/v1/orders', order)).data;

export const sendCode = (email) =>
  // The key lets `request` send it again without a second mail.
  send('/api/v1/customer-sessions', { email }, { headers: { 'Idempotency-Key': freshKey() } });
export const startSession = async (email, code) =>
  (await send('/api/v1/customer-sessions/verify', { email, code })).data;
export const endSession = (token) => send('/api/v1/customer-sessions/end', { token });

/** An order of this browser, whose token came with it, or of the customer who has signed in. */
export const getOrder = async (id, { order, customer }, signal) => {
  const headers = {
    ...(order && { 'X-Order-Token': order }),
    ...(customer && { 'X-Customer-Token': customer }),
  };
  return (await read(`${settings.baseUrl}/api/v1/own-orders/${id}`, { signal, headers })).data;
};

/** What became of the payment of an order: `{ status, amount, link }`; null: the shop takes no money here. Asks for it the first time. */
export const payOrder = async (id, { order, customer }, signal) => {
  if (!settings.takesPayments) return null;
  const headers = {
    ...(order && { 'X-Order-Token': order }),
    ...(customer && { 'X-Customer-Token': customer }),
  };
  const payment = await request('POST', `/pay/${id}`, { signal, headers });
  return payment.status === 'none' ? null : payment;
};

/** The orders of a customer who has signed in, of every channel, newest first; at most 50, after the one named. */
export const getOwnOrders = async (token, startingAfter, signal) => {
  const after = startingAfter === undefined ? '' : `?startingAfter=${startingAfter}`;
  return (
    await read(`${settings.baseUrl}/api/v1/own-orders${after}`, {
      signal,
      headers: { 'X-Customer-Token': token },
    })
  ).data;
};

/** Cancels an order, by its token or the customer's; the order after it. */
export const cancelOrder = async (id, { order, customer }) =>
  (
    await send(
      `/api/v1/own-orders/${id}/cancel`,
      {},
      {
        headers: {
          ...(order && { 'X-Order-Token': order }),
          ...(customer && { 'X-Customer-Token': customer }),
          'Idempotency-Key': freshKey(),
        },
      },
    )
  ).data;

/** A UUID, also on pages without HTTPS, where `crypto.randomUUID` is missing. */
function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

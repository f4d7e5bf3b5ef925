/**
 * Pays orders by the provider of their payment type, such as pay by bank. The page has no right to ask for money: this server asks with the
 * secret keys, for who reads the order with its token. The provider's link is where the customer agrees; what became of it is read here.
 */

const paid = ['captured', 'settled'];

/**
 * `pay(orderId, headers)` answers `{ status, amount, link }` of the order's payment: `paid`, `waiting` with a link, or `none`, when the payment
 * type has no provider or the order takes no money; null: the order is not theirs. `keys`: the secret ones, of the integrator of the page.
 */
export function orderPayer({ baseUrl, publishableKey, keys }) {
  const call = async (method, path, headers, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const reply = await response.json();
    return { ok: response.ok, status: response.status, data: reply.data };
  };
  const secret = { 'X-Consumer-Key': keys.consumerKey, 'X-Client-Key': keys.clientKey };

  return async (orderId, { origin, orderToken, customerToken }) => {
    const proof = {
      ...{ 'X-Client-Key': publishableKey, Origin: origin },
      ...(orderToken && { 'X-Order-Token': orderToken }),
      ...(customerToken && { 'X-Customer-Token': customerToken }),
    };
    const own = await call('GET', `/api/v1/own-orders/${orderId}`, proof);
    if (!own.ok) return null;
    // The service keeps what was asked for: this server may be started again at any time, and there may be several.
    const asked = await call('GET', `/api/v1/orders/${orderId}/payment-intents`, secret);
    const last = asked.data?.at(-1);
    // Canceled, declined or over: this is another try.
    const isOver = last === undefined || ['canceled', 'failed', 'expired'].includes(last.status);
    const intent = isOver ? await ask(orderId) : { ok: true, data: last };
    if (!intent?.ok) return { status: 'none', amount: 0, link: null };
    const { status, amount, feeAmount, link } = intent.data;
    const isPaid = paid.includes(status);
    return { status: isPaid ? 'paid' : 'waiting', amount: amount + feeAmount, link: isPaid ? null : link };
  };

  async function ask(orderId) {
    const { data } = await call('GET', `/api/v1/orders/${orderId}/detail`, secret);
    const [payment] = data?.payments ?? [];
    if (payment === undefined) return null;
    return call('POST', '/api/v1/payment-intents', secret, {
      ...{ orderPaymentId: payment.id, source: 'e-commerce' },
    });
  }
}

/*
 * Who the visitor has proven to be, and the tokens of orders: in sessionStorage, so on a shared phone they are gone with the
 * tab. A token proves an email address for 30 days.
 */

const read = (key) => {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
};

/** `{ token, email, customer }`, or null. */
export const session = () => read('session');
export const keepSession = (value) => sessionStorage.setItem('session', JSON.stringify(value));
export const forgetSession = () => sessionStorage.removeItem('session');

export const orderToken = (id) => read(`order ${id}`);
export const keepOrderToken = (id, token) => sessionStorage.setItem(`order ${id}`, JSON.stringify(token));

/** The key of an order that was sent, and whose answer never came; null: there is none. */
export const unsettledKey = () => read('unsettled key');
export const keepUnsettledKey = (key) => sessionStorage.setItem('unsettled key', JSON.stringify(key));
export const forgetUnsettledKey = () => sessionStorage.removeItem('unsettled key');

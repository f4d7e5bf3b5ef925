/*
 * The cart lives in the browser (localStorage), so it is still there tomorrow. It holds no price that counts: each page
 * that shows the cart has the service price it (`cart-price.mjs`).
 */

const storageKey = 'cart';
const empty = { type: 'pickup', postalCode: '', lines: [], codes: [] };

/** Fires `change` after every change, also one in another tab. */
export const cartChanges = new EventTarget();

function load() {
  try {
    return { ...empty, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') };
  } catch {
    return empty;
  }
}

let current = load();
addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  current = load();
  cartChanges.dispatchEvent(new Event('change'));
});

export const cart = () => current;

/** Changes fields of the cart. */
export function changeCart(fields) {
  current = { ...current, ...fields };
  localStorage.setItem(storageKey, JSON.stringify(current));
  cartChanges.dispatchEvent(new Event('change'));
}

export const cartCount = () => current.lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Adds units of an option. The line keeps what the cart shows of it, so the cart needs no menu. */
export function addToCart(product, option, quantity) {
  const known = current.lines.find(({ optionId }) => optionId === option.id);
  // A size may have pictures of its own.
  const photo = option.photos?.[0] ?? product.photos[0];
  const line = {
    optionId: option.id,
    productId: product.id,
    name: product.name,
    brand: product.brand?.name ?? '',
    option: option.name,
    photo: photo?.sizes[0]?.fullPath ?? photo?.fullPath ?? '',
    photoText: photo?.altText ?? null,
    max: option.maxQuantity,
    quantity: atMost(option.maxQuantity, (known?.quantity ?? 0) + quantity),
  };
  const others = current.lines.filter((it) => it !== known);
  changeCart({ lines: known ? current.lines.map((it) => (it === known ? line : it)) : [...others, line] });
}

/** Sets the quantity of a line; 0 removes it. */
export function setQuantity(optionId, quantity) {
  const lines = current.lines.map((line) =>
    line.optionId === optionId ? { ...line, quantity: atMost(line.max, quantity) } : line,
  );
  changeCart({ lines: lines.filter((line) => line.quantity > 0) });
}

const atMost = (max, quantity) => (max === null ? quantity : Math.min(max, quantity));

/** The cart as the service takes it. */
export function cartBody() {
  const { type, postalCode, lines, codes } = current;
  return {
    type,
    ...(type === 'delivery' && postalCode !== '' && { postalCode }),
    ...(codes.length > 0 && { discountCodes: codes }),
    lineItems: lines.map(({ optionId, quantity }) => ({ productOptionId: optionId, quantity })),
  };
}

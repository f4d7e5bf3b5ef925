/*
 * A screen that no one touches: it turns from page to page, and asks for changes of the menu. When the service is away it
 * goes on with what it has, and says of when that is.
 */

const { menuUrl, publishableKey } = JSON.parse(document.getElementById('settings').textContent);
const turnMs = 12_000;
const askMs = 30_000;
const rowsPerPage = 8;

/** By id, as the service sent them last. */
const products = new Map();
let categories = [];
/** Names the state of the menu that we have: the next answer has only what differs. */
let version = null;
let page = 0;

async function get(path) {
  const response = await fetch(`${menuUrl}${path}`, { headers: { 'X-Client-Key': publishableKey } });
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  return response.json();
}

async function ask() {
  try {
    const since = version === null ? '' : `&changedSince=${encodeURIComponent(version)}`;
    const { data, meta } = await get(`/api/v1/menu?type=in-store${since}`);
    // A version that is too old is answered by the whole menu.
    if (!meta.changesOnly) products.clear();
    for (const id of meta.removedProductIds ?? []) products.delete(id);
    for (const product of data) products.set(product.id, product);
    ({ categories, version } = meta);
    write('note', 'Prices before taxes');
    show();
  } catch {
    const at = new Date().toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    if (version !== null && !document.getElementById('note').textContent.startsWith('As')) {
      write('note', `As of ${at}. Ask us for today's prices.`);
    }
  }
}

/** What can be bought, in pages of one category each. */
function pages() {
  return categories.flatMap(({ id, name }) => {
    const there = [...products.values()].filter((it) => it.primaryCategory.id === id && it.inStock);
    const count = Math.ceil(there.length / rowsPerPage);
    return Array.from({ length: count }, (_, at) => ({
      name,
      place: count > 1 ? `${at + 1} of ${count}` : '',
      products: there.slice(at * rowsPerPage, (at + 1) * rowsPerPage),
    }));
  });
}

function show() {
  const all = pages();
  if (all.length === 0) return;
  page %= all.length;
  const { name, place, products: shown } = all[page];
  write('category', name);
  write('pages', place);
  const pictured = shown.find((it) => it.photos.length > 0);
  document.getElementById('picture').replaceChildren(...(pictured ? [picture(pictured)] : []));
  document.getElementById('products').replaceChildren(...shown.map(row));
}

function row(product) {
  const { name, brand, strainType, thcAmount, thcAmountRangeHigh, thcUnit, options } = product;
  const thc = thcAmount ?? thcAmountRangeHigh;
  const facts = [
    brand?.name,
    strainType === 'none' ? null : strainType.replace('-', ' '),
    thc === null || Number(thc) === 0 ? null : `${thc}${thcUnit === '%' ? '%' : ` ${thcUnit}`} THC`,
  ];
  return element('li', '', [
    element('div', 'name', [
      element('h2', '', [name]),
      element('p', '', [facts.filter(Boolean).join(' · ')]),
    ]),
    element(
      'div',
      'prices',
      options
        .filter(({ maxQuantity }) => maxQuantity !== 0)
        .slice(0, 4)
        .map((option) => {
          const { name: size, price, displayPrice, specialPrice, specialMinimumOrder } = option;
          // A price that needs an order is told with what it needs, and never as the price.
          const condition =
            specialMinimumOrder === null
              ? []
              : [element('small', '', [`${dollars(specialPrice)} from ${dollars(specialMinimumOrder)}`])];
          return element('p', displayPrice < price ? 'offer' : '', [
            element('span', '', [size]),
            element('b', '', [dollars(displayPrice)]),
            ...condition,
          ]);
        }),
    ),
  ]);
}

/** What is to be seen is the shop's own text; without one it is the product's name. */
function picture({ name, photos: [photo] }) {
  const image = element('img', '', []);
  image.src = photo.sizes.at(-1)?.fullPath ?? photo.fullPath;
  image.alt = photo.altText ?? name;
  return image;
}

/** Built of elements, so no text of the menu can become HTML. */
function element(tag, className, children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

const write = (id, text) => {
  document.getElementById(id).textContent = text;
};

/** Amounts are whole cents. */
const dollars = (cents) =>
  `$${Math.floor(cents / 100)}${cents % 100 === 0 ? '' : `.${String(cents % 100).padStart(2, '0')}`}`;

await Promise.all([
  ask(),
  get('/api/v1/shop').then(
    ({ data }) => write('shop', data.name),
    () => undefined,
  ),
]);
setInterval(ask, askMs);
setInterval(() => {
  page += 1;
  show();
}, turnMs);

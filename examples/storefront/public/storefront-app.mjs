import { askAge } from './age-gate.mjs';
import { cart, cartChanges, cartCount, changeCart } from './cart.mjs';
import { html, show } from './html.mjs';
import { theShop } from './menu-data.mjs';
import { openMenuPage } from './menu-page.mjs';
import { refusalNote } from './refusals.mjs';
import { Refusal } from './shop-api.mjs';

/* The frame of the shop: which page an address shows, the links between them, and the head of every page. */

/**
 * The menu is loaded with the shop, other pages when they are first opened. A page shows itself and resolves to its title.
 * @type {{ path: RegExp, open: () => Promise<(page: any) => Promise<{ title: string }>> }[]}
 */
const pages = [
  { path: /^\/$/, open: async () => openMenuPage },
  {
    path: /^\/products\/(?<id>\d+)(\/|$)/,
    open: async () => (await import('./product-page.mjs')).openProductPage,
  },
  { path: /^\/cart$/, open: async () => (await import('./cart-page.mjs')).openCartPage },
  { path: /^\/checkout$/, open: async () => (await import('./checkout-page.mjs')).openCheckoutPage },
  { path: /^\/account$/, open: async () => (await import('./account-page.mjs')).openAccountPage },
  { path: /^\/orders\/(?<id>[\w-]+)$/, open: async () => (await import('./order-page.mjs')).openOrderPage },
];

const main = document.getElementById('content');
const toCart = document.getElementById('to-cart');
let leaving = new AbortController();

/** Reads a message to users of screen readers. */
function announce(words) {
  document.getElementById('announcement').textContent = words;
}

/** Shows the page of the present address. `isFirst`: the visit begins with it. */
async function openPage({ isFirst = false } = {}) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const url = new URL(location.href);
  const page = pages.find(({ path }) => path.test(url.pathname));
  main.className = '';
  main.setAttribute('aria-busy', 'true');
  try {
    if (page === undefined) {
      show(
        main,
        html`<section class="plain"><h1 tabindex="-1">There is no such page</h1><p><a class="button" href="/">See the menu</a></p></section>`,
      );
    } else {
      const open = await page.open();
      const params = page.path.exec(url.pathname).groups ?? {};
      const shop = theShop();
      const { title } = await open({ main, url, params, signal, announce, navigate, addressIs });
      const { name } = await shop;
      document.title = title === name ? name : `${title} – ${name}`;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    show(
      main,
      html`<section class="plain"><h1 tabindex="-1">The shop cannot be shown</h1>${refusalNote(error)}
      <p><button class="button" type="button" id="again">Try again</button></p></section>`,
    );
    document.getElementById('again').addEventListener('click', () => openPage());
  }
  main.removeAttribute('aria-busy');
  // Readers of screens hear where they are now.
  if (!isFirst) main.querySelector('h1')?.focus({ preventScroll: true });
}

/** Goes to an address of the shop without loading the page anew. */
async function navigate(path) {
  history.pushState(null, '', path);
  await openPage();
  scrollTo(0, 0);
}

/** The page shows something else now, and says so in its address. */
function addressIs(path) {
  history.replaceState(null, '', path);
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[href^="/"]');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain) return;
  event.preventDefault();
  navigate(link.getAttribute('href'));
});
addEventListener('popstate', () => openPage());

function showCount() {
  const count = cartCount();
  show(
    toCart,
    html`Cart${count > 0 ? html` <span class="count">${count}</span><span class="unseen"> ${count === 1 ? 'product' : 'products'}</span>` : ''}`,
  );
}
cartChanges.addEventListener('change', showCount);
showCount();

const orderType = document.querySelector('form');
function showType() {
  for (const input of orderType.querySelectorAll('input')) input.checked = input.value === cart().type;
}
cartChanges.addEventListener('change', showType);
showType();
orderType.addEventListener('change', () => {
  changeCart({ type: new FormData(orderType).get('order-type') });
  // Products, prices and offers differ by the way an order reaches its customer. The cart and checkout follow by themselves.
  if (location.pathname === '/' || location.pathname.startsWith('/products/')) openPage({ isFirst: true });
});

async function showShop() {
  const shop = await theShop();
  const { name, logo, address, customerEmail, customerPhone, licenseNumber, orderTypes } = shop;
  const source = logo?.sizes[0]?.fullPath ?? logo?.fullPath;
  show(
    document.getElementById('shop-name'),
    html`${source ? html`<img src="${source}" alt="" width="40" height="40">` : ''}<span>${name}</span>`,
  );
  orderType.hidden = !(orderTypes.includes('pickup') && orderTypes.includes('delivery'));
  show(
    document.getElementById('bottom'),
    html`<p class="big">${name}</p>
      <p>${[address && `${address.street1}, ${address.city}, ${address.state} ${address.postalCode}`, customerPhone, customerEmail].filter(Boolean).join(' · ')}</p>
      <p><a href="/account">Your account and orders</a></p>
      <p class="soft">Licence ${licenseNumber}. For adults of 21 years and more, or patients of 18 with a recommendation. Keep out of reach of children.</p>`,
  );
}

askAge();
showShop().catch(() => {});
openPage({ isFirst: true });

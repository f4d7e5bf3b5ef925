import { addToCart, cart } from './cart.mjs';
import { html, show } from './html.mjs';
import {
  cheapest,
  isOffer,
  isThere,
  menuOf,
  prices,
  selectProducts,
  sorts,
  strainFilters,
  theShop,
} from './menu-data.mjs';
import { picture, productCard } from './product-card.mjs';
import { openWords, saleWords } from './words.mjs';

const firstShown = 24;
const inRail = 10;

/** The menu: a window of the shop without filters, a list with them. */
export async function openMenuPage({ main, url, signal, announce, addressIs }) {
  const [shop, { products, categories }] = await Promise.all([theShop(), menuOf(cart().type)]);
  signal.throwIfAborted();
  const query = new URLSearchParams(url.search);
  let shown = firstShown;

  show(main, pageOf(shop, products, categories, query));
  const results = main.querySelector('#results');
  const refresh = () => {
    const isFiltered = [...query.keys()].some((name) => name !== 'sort');
    main.classList.toggle('is-filtered', isFiltered);
    const found = selectProducts(products, query);
    show(results, isFiltered ? listOf(found, shown, query) : windowOf(products, categories));
    if (isFiltered) announce(found.length === 1 ? 'One product' : `${found.length} products`);
  };
  refresh();

  const choose = (name, value) => {
    if (value === '') query.delete(name);
    else query.set(name, value);
    shown = firstShown;
    addressIs(query.size > 0 ? `/?${query}` : '/');
    for (const link of main.querySelectorAll('[data-category]')) mark(link, query);
    refresh();
  };
  const form = main.querySelector('#filters');
  form.addEventListener('submit', (event) => event.preventDefault(), { signal });
  form.addEventListener(
    'input',
    ({ target }) => {
      if (target.type === 'checkbox') choose(target.name, target.checked ? 'yes' : '');
      else choose(target.name, target.value.trim());
    },
    { signal },
  );
  main.addEventListener(
    'click',
    (event) => {
      const target = event.target.closest('button');
      if (target?.dataset.add) {
        const product = products.find(({ id }) => id === Number(target.dataset.add));
        const option = cheapest(product);
        addToCart(product, option, 1);
        announce(`${product.name}, ${option.name}, is in the cart`);
      } else if (target?.id === 'more') {
        shown += firstShown;
        refresh();
        results.querySelectorAll('.card a')[shown - firstShown]?.focus();
      } else if (target?.id === 'clear') {
        for (const name of [...query.keys()]) query.delete(name);
        form.reset();
        for (const input of form.querySelectorAll('[name=strain][value=""]')) input.checked = true;
        form.querySelector('[name=search]').value = '';
        choose('search', '');
      }
    },
    { signal },
  );
  return { title: shop.name };
}

function mark(link, query) {
  const isCurrent = link.dataset.category === (query.get('category') ?? '');
  if (isCurrent) link.setAttribute('aria-current', 'page');
  else link.removeAttribute('aria-current');
}

function pageOf(shop, products, categories, query) {
  const { address } = shop;
  const place = address === null ? '' : `${address.street1}, ${address.city}`;
  const sold = saleWords(shop, cart().type);
  const chosen = query.get('category');
  const pictureOf = (category) =>
    picture(products.find((it) => it.primaryCategory.id === category.id && it.inStock)?.photos[0], '6rem', {
      isFirst: true,
      isDecorative: true,
    });
  return html`<section class="hero">
      <h1 tabindex="-1">${chosen ?? html`${shop.name}<span class="dot" aria-hidden="true">.</span>`}</h1>
      <p class="lead">${[openWords(shop), sold && `cannabis ${sold}`, place].filter(Boolean).join(' · ')}</p>
    </section>
    <nav class="tiles" aria-label="Categories"><ul>
      <li class="all"><a href="/" data-category="" ${chosen === null ? html`aria-current="page"` : ''}><span class="round">All</span>Everything</a></li>
      ${categories.map(
        (
          category,
        ) => html`<li><a href="/?category=${encodeURIComponent(category.name)}" data-category="${category.name}"
          ${chosen === category.name ? html`aria-current="page"` : ''}>${pictureOf(category)}${category.name}</a></li>`,
      )}
    </ul></nav>
    ${filtersOf(query)}
    <section id="results" aria-label="Products"></section>`;
}

function filtersOf(query) {
  const option = (name, value, words) =>
    html`<option value="${value}" ${query.get(name) === value ? html`selected` : ''}>${words}</option>`;
  const strain = query.get('strain') ?? '';
  const choice = (value, words) => html`<label class="chip"><input type="radio" name="strain" value="${value}"
    ${strain === value ? html`checked` : ''}><span>${words}</span></label>`;
  return html`<form class="filters" id="filters" role="search">
    <label class="search"><span class="unseen">Search the menu</span>
      <input type="search" name="search" placeholder="Search the menu" value="${query.get('search') ?? ''}" autocomplete="off"></label>
    <div class="scroll">
      <fieldset class="chips"><legend class="unseen">Strain</legend>
        ${choice('', 'Any')}${Object.entries(strainFilters).map(([value, words]) => choice(value, words))}</fieldset>
      <label class="chip"><input type="checkbox" name="offers" ${query.has('offers') ? html`checked` : ''}><span>On offer</span></label>
      <label class="pick"><span class="unseen">Price</span><select name="price">${option('price', '', 'Any price')}
        ${Object.entries(prices).map(([value, { words }]) => option('price', value, words))}</select></label>
      <label class="pick"><span class="unseen">Order</span><select name="sort">
        ${Object.entries(sorts).map(([value, { words }]) => option('sort', value === 'shop' ? '' : value, words))}</select></label>
    </div>
  </form>`;
}

/** Without filters: what is on offer, and a look into each category. */
function windowOf(products, categories) {
  const offers = products.filter((it) => it.options.some((option) => isOffer(option) && isThere(option)));
  // One of each category, then the second ones: the first shelf shows the breadth of the shop.
  const byCategory = categories.map(({ id }) => offers.filter((it) => it.primaryCategory.id === id));
  const mixed = [0, 1].flatMap((place) => byCategory.flatMap((those) => those.slice(place, place + 1)));
  const shelves = categories.map(({ id, name }) => ({
    name,
    link: `/?category=${encodeURIComponent(name)}`,
    products: products.filter((it) => it.primaryCategory.id === id),
  }));
  return html`${mixed.length > 0 ? shelf({ name: 'On offer today', link: '/?offers=yes', products: mixed, total: offers.length }, true) : ''}
    ${shelves.map((it, index) => shelf(it, index === 0 && mixed.length === 0))}`;
}

function shelf({ name, link, products, total = products.length }, isFirst) {
  const there = products.toSorted((a, b) => Number(b.inStock) - Number(a.inStock)).slice(0, inRail);
  return html`<section class="shelf">
    <h2>${name}</h2><a class="see-all" href="${link}">See all ${total}<span class="unseen"> of ${name}</span></a>
    <ul class="rail">${there.map((product, index) => productCard(product, { isFirst: isFirst && index < 4 }))}</ul>
  </section>`;
}

function listOf(found, shown, query) {
  if (found.length === 0) {
    return html`<div class="nothing"><p class="big">Nothing fits${query.get('search') ? html` “${query.get('search')}”` : ''}.</p>
      <p>Try fewer filters, or another word.</p><button class="button" id="clear" type="button">Clear the filters</button></div>`;
  }
  return html`<p class="count"><span>${found.length === 1 ? 'One product' : `${found.length} products`}</span>
      <button class="link" id="clear" type="button">Clear the filters</button></p>
    <ul class="grid">${found.slice(0, shown).map((product, index) => productCard(product, { isFirst: index < 4, level: 2 }))}</ul>
    ${found.length > shown ? html`<button class="button wide" id="more" type="button">Show more</button>` : ''}`;
}

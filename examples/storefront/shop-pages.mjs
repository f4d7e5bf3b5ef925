/**
 * What search engines and shared links see of the shop: pages with their head and their content before any script runs, the sitemap, and the
 * rules for robots. It reads shop and menu from the service with the publishable key, and keeps them for a minute.
 */

const keptMs = 60_000;
const description = 'Menu with live stock and prices, for pickup and delivery.';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => escapes[sign]);

export const dollars = (cents) => `$${(cents / 100).toFixed(2)}`;
const isThere = ({ maxQuantity }) => maxQuantity !== 0;
const wordsOf = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The address of a product, with its name for people. */
export const productPath = ({ id, name }) => `/products/${id}/${wordsOf(name)}`;

/** The least price of a product that can be bought now, as it may be shown: see `shownPrice`. */
function leastPrice({ options }, shop) {
  const there = options.filter(isThere);
  return Math.min(...(there.length > 0 ? there : options).map((option) => shownPrice(option, shop)));
}

/** Where the law of the state rules what prices may be advertised, the regular one. */
export function shownPrice({ price, displayPrice }, { advertisedPrices }) {
  return advertisedPrices === null ? displayPrice : price;
}

/** Plain text of the little Markdown of descriptions, at most so long. */
export function plain(markdown, lengthMax) {
  const text = (markdown ?? '').replaceAll(/[*_]/g, '').replaceAll(/\s+/g, ' ').trim();
  return text.length <= lengthMax ? text : `${text.slice(0, text.lastIndexOf(' ', lengthMax - 1))} …`;
}

/**
 * Reads `{ shop, products, categories }`, at most once a minute. `origin` is that of the shop's pages: a publishable key works for them only.
 * A failure is not kept, and what was read before serves until the service answers again.
 */
export function menuReader({ baseUrl, menuUrl, publishableKey }, now = Date.now) {
  let kept = null;
  let reading = null;
  const read = async (origin) => {
    const headers = { 'X-Client-Key': publishableKey, Origin: origin };
    const ask = async (url) => {
      const reply = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
      if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`);
      return reply.json();
    };
    const [menu, shop] = await Promise.all([
      ask(`${menuUrl}/api/v1/menu?type=pickup`),
      ask(`${menuUrl ?? baseUrl}/api/v1/shop`),
    ]);
    kept = { shop: shop.data, products: menu.data, categories: menu.meta.categories, at: now() };
  };
  return async (origin) => {
    if (kept !== null && now() - kept.at < keptMs) return kept;
    reading ??= read(origin).finally(() => {
      reading = null;
    });
    await reading.catch((error) => {
      if (kept === null) throw error;
    });
    return kept;
  };
}

/**
 * The page of a path: status, lines of its head, and its content. Product pages and the menu are for search engines; cart, checkout, account and
 * orders are not.
 */
export function pageOf(path, origin, { shop, products, categories }) {
  const [, id] = /^\/products\/(\d+)(?:\/|$)/.exec(path) ?? [];
  if (id !== undefined) {
    const product = products.find((it) => it.id === Number(id));
    return product === undefined ? missing(shop) : productPage(product, origin, shop);
  }
  if (path === '/') return menuPage(origin, shop, products, categories);
  if (/^\/(cart|checkout|account)$|^\/orders\/[\w-]+$/.test(path)) {
    return { status: 200, head: headOf({ title: shop.name, description, isPrivate: true }), content: '' };
  }
  return missing(shop);
}

function missing(shop) {
  return {
    status: 404,
    head: headOf({ title: `Not found – ${shop.name}`, description, isPrivate: true }),
    content:
      '<section class="plain"><h1 tabindex="-1">There is no such page</h1><p><a class="button" href="/">See the menu</a></p></section>',
  };
}

function headOf({
  title,
  description,
  canonical = null,
  image = null,
  kind = 'website',
  data = null,
  isPrivate = false,
}) {
  const meta = (name, content, attribute = 'name') =>
    `<meta ${attribute}="${name}" content="${escaped(content)}">`;
  return [
    `<title>${escaped(title)}</title>`,
    meta('description', description),
    isPrivate ? meta('robots', 'noindex') : '',
    canonical && `<link rel="canonical" href="${escaped(canonical)}">`,
    meta('og:title', title, 'property'),
    meta('og:description', description, 'property'),
    meta('og:type', kind, 'property'),
    canonical && meta('og:url', canonical, 'property'),
    image && meta('og:image', image, 'property'),
    meta('twitter:card', image ? 'summary_large_image' : 'summary'),
    // A cannabis shop is for adults.
    meta('rating', 'adult'),
    data && `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  ]
    .filter(Boolean)
    .join('\n    ');
}

function storeData(shop, origin) {
  const { name, customerPhone, address, logo } = shop;
  return {
    '@context': 'https://schema.org',
    '@type': 'Store',
    name,
    url: `${origin}/`,
    ...(customerPhone && { telephone: customerPhone }),
    ...(logo && { image: logo.fullPath }),
    ...(address && {
      address: {
        '@type': 'PostalAddress',
        streetAddress: [address.street1, address.street2].filter(Boolean).join(', '),
        addressLocality: address.city,
        addressRegion: address.state,
        postalCode: address.postalCode,
        addressCountry: 'US',
      },
    }),
    ...(shop.hours.length > 0 && {
      openingHoursSpecification: shop.hours.map(({ day, opensAt, closesAt }) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: `https://schema.org/${['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][day % 7]}`,
        opens: opensAt,
        closes: closesAt,
      })),
    }),
  };
}

function menuPage(origin, shop, products, categories) {
  const place = shop.address ? ` in ${shop.address.city}, ${shop.address.state}` : '';
  const lists = categories
    .map(({ id, name }) => ({ name, own: products.filter((it) => it.primaryCategory.id === id) }))
    .filter(({ own }) => own.length > 0)
    .map(
      ({ name, own }) =>
        `<section class="shelf"><h2>${escaped(name)}</h2><ul>${own
          .map(
            (it) =>
              `<li><a href="${productPath(it)}">${escaped(it.name)}</a> ${dollars(leastPrice(it, shop))}</li>`,
          )
          .join('')}</ul></section>`,
    );
  return {
    status: 200,
    head: headOf({
      title: shop.name,
      description: `The menu of ${shop.name}${place}: ${products.length} products with live stock and prices, for pickup and delivery.`,
      canonical: `${origin}/`,
      image: shop.logo?.fullPath ?? null,
      data: storeData(shop, origin),
    }),
    content: `<h1 class="unseen">Menu of ${escaped(shop.name)}</h1>${lists.join('')}`,
  };
}

function productPage(product, origin, shop) {
  const { name, brand, primaryCategory, photos, options, inStock } = product;
  const canonical = origin + productPath(product);
  const image = photos[0]?.fullPath ?? null;
  const own = plain(product.description, 240);
  // A short text says where it is sold, too: it is what a search engine shows.
  const text = own.length >= 100 ? own : `${own} ${name}, ${primaryCategory.name}, at ${shop.name}.`.trim();
  const prices = options.map((option) => shownPrice(option, shop));
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: text,
    category: primaryCategory.name,
    ...(image && { image: photos.map(({ fullPath }) => fullPath) }),
    ...(brand && { brand: { '@type': 'Brand', name: brand.name } }),
    ...(product.sku && { sku: product.sku }),
    offers: {
      '@type': 'AggregateOffer',
      priceCurrency: 'USD',
      lowPrice: (Math.min(...prices) / 100).toFixed(2),
      highPrice: (Math.max(...prices) / 100).toFixed(2),
      offerCount: options.length,
      availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
      seller: { '@type': 'Store', name: shop.name },
    },
  };
  const sizes = options.map(
    (option) =>
      `<li>${escaped(option.name)}: ${isThere(option) ? dollars(shownPrice(option, shop)) : 'sold out'}</li>`,
  );
  return {
    status: 200,
    head: headOf({
      title: `${name} – ${shop.name}`,
      description: text,
      canonical,
      image,
      kind: 'product',
      data,
    }),
    content: `<nav class="trail" aria-label="You are here"><a href="/">Menu</a></nav>
      <article class="product"><div class="details"><p class="brand">${escaped(brand?.name ?? primaryCategory.name)}</p>
      <h1 tabindex="-1">${escaped(name)}</h1><p>${escaped(plain(product.description, 5_000))}</p><ul>${sizes.join('')}</ul></div></article>`,
  };
}

/** The addresses of the menu and of every product. */
export function sitemap(origin, { products }) {
  const day = (at) => at.slice(0, 10);
  const entries = products.map(
    (it) =>
      `<url><loc>${escaped(origin + productPath(it))}</loc><lastmod>${day(it.updatedAt)}</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${escaped(origin)}/</loc></url>
${entries.join('\n')}
</urlset>
`;
}

export const robots = (origin) =>
  `User-agent: *\nDisallow: /cart\nDisallow: /checkout\nDisallow: /account\nDisallow: /orders/\n\nSitemap: ${origin}/sitemap.xml\n`;

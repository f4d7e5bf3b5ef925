/**
 * The menu as files that others fetch: for search engines (RSS 2.0 with the namespace g, support.google.com/merchants/answer/14987622), for
 * catalogs of social networks and marketplaces (CSV with id, title, description, availability, condition, price, link, image_link, brand), and for
 * marketplaces of cannabis (items with variants in JSON: external_id, genetics, cannabinoids, variants with price and weight).
 *
 * What may be advertised: products that are in stock only. Where the law of the state rules advertised prices, the regular price stands alone
 * (`shownPrice`). Search engines and social networks bar cannabis itself, so their files have only what holds none: accessories and clothes.
 */
import { escaped, plain, productPath, shownPrice } from './shop-pages.mjs';

const money = (cents) => `${(cents / 100).toFixed(2)} USD`;
const isThere = ({ maxQuantity }) => maxQuantity !== 0;
const holdsCannabis = ({ primaryCategory }) => primaryCategory.cannabisType !== 'none';

/** One row for each size of the products that every network may show. */
function rowsOf({ shop, products }, origin) {
  return products
    .filter((it) => !holdsCannabis(it))
    .flatMap((product) =>
      product.options.map((option) => {
        const shown = shownPrice(option, shop);
        const photo = option.photos[0] ?? product.photos[0];
        return {
          id: String(option.id),
          item_group_id: String(product.id),
          title: (product.options.length > 1 ? `${product.name}, ${option.name}` : product.name).slice(
            0,
            150,
          ),
          description: plain(product.description, 5_000) || product.name,
          link: origin + productPath(product),
          image_link: photo?.fullPath ?? '',
          availability: isThere(option) ? 'in stock' : 'out of stock',
          condition: 'new',
          price: money(option.price),
          sale_price: shown < option.price ? money(shown) : '',
          brand: product.brand?.name ?? shop.name,
          gtin: option.upc ?? '',
        };
      }),
    );
}

export function searchEngineFeed(menu, origin) {
  const items = rowsOf(menu, origin).map((row) => {
    const fields = Object.entries(row)
      .filter(([, value]) => value !== '')
      // The word of search engines has an underscore.
      .map(
        ([name, value]) =>
          `<g:${name}>${escaped(name === 'availability' ? value.replaceAll(' ', '_') : value)}</g:${name}>`,
      );
    return `<item>${fields.join('')}</item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0">
<channel><title>${escaped(menu.shop.name)}</title><link>${escaped(origin)}/</link><description>Products of ${escaped(menu.shop.name)}</description>
${items.join('\n')}
</channel>
</rss>
`;
}

export function catalogFeed(menu, origin) {
  const rows = rowsOf(menu, origin);
  const names = [
    'id',
    'title',
    'description',
    'availability',
    'condition',
    'price',
    'link',
    'image_link',
    'brand',
    'sale_price',
    'item_group_id',
    'gtin',
  ];
  // A cell that begins like a formula is text for spreadsheets.
  const cell = (value) => `"${value.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
  return `${[names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join('\r\n')}\r\n`;
}

const genetics = {
  indica: 'indica',
  sativa: 'sativa',
  hybrid: 'hybrid',
  'hybrid-indica': 'hybrid',
  'hybrid-sativa': 'hybrid',
};

/** What is stated of THC and CBD, in percent or milligrams. */
function cannabinoids(product) {
  return ['thc', 'cbd'].flatMap((slug) => {
    const at = (name) => product[`${slug}${name}`];
    const low = at('AmountRangeLow') ?? at('Amount');
    const high = at('AmountRangeHigh') ?? at('Amount');
    if (low === null || high === null) return [];
    const range = { min: Number(low), max: Number(high) };
    return [{ slug, [at('Unit') === '%' ? 'percent' : 'milligrams']: range }];
  });
}

export function marketplaceFeed({ shop, products }, origin) {
  const items = products
    .filter((it) => it.inStock && holdsCannabis(it))
    .map((product) => ({
      external_id: String(product.id),
      name: product.name,
      description: plain(product.description, 5_000),
      url: origin + productPath(product),
      image_url: product.photos[0]?.fullPath ?? null,
      brand_name: product.brand?.name ?? null,
      category_names: [product.primaryCategory.name, ...product.subCategories.map(({ name }) => name)],
      genetics: genetics[product.strainType] ?? null,
      strain_name: product.strain ?? null,
      license_type: product.isMedicalOnly ? 'medical' : 'recreational',
      published: true,
      online_orderable: true,
      cannabinoids: cannabinoids(product),
      variants: product.options.filter(isThere).map((option) => ({
        external_id: String(option.id),
        name: option.name,
        price: { amount: (shownPrice(option, shop) / 100).toFixed(2), currency: 'USD' },
        weight: product.unit === 'gram' ? { value: option.amount, unit: 'g' } : null,
        inventory_quantity: option.maxQuantity,
      })),
    }));
  return `${JSON.stringify({ store: { name: shop.name, license_number: shop.licenseNumber, url: `${origin}/` }, items })}\n`;
}

/** The files by their paths, with their types. */
export const productFeeds = {
  '/feeds/products.xml': { type: 'application/rss+xml; charset=utf-8', write: searchEngineFeed },
  '/feeds/products.csv': { type: 'text/csv; charset=utf-8', write: catalogFeed },
  '/feeds/menu.json': { type: 'application/json', write: marketplaceFeed },
};

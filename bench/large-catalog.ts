import type { Client } from 'pg';

/*
 * A catalog as a large retailer has it, made by SQL: names of brand, strain and form, one to three options, SKUs, UPCs, and
 * packages for one product in five. Which words a product has follows from its number, so each run has the same products.
 */

const strainBegins = [
  ...[
    'Blue',
    'Purple',
    'Gelato',
    'Sunset',
    'Lemon',
    'Cherry',
    'Mango',
    'Velvet',
    'Golden',
    'Frozen',
    'Wild',
    'Royal',
  ],
  ...[
    'Midnight',
    'Silver',
    'Tangie',
    'Grape',
    'Peach',
    'Berry',
    'Coral',
    'Amber',
    'Misty',
    'Cactus',
    'Honey',
    'Ginger',
  ],
  ...[
    'Papaya',
    'Orchid',
    'Sierra',
    'Desert',
    'Jungle',
    'Alpine',
    'Cosmic',
    'Lunar',
    'Solar',
    'Thunder',
    'Crystal',
    'Maple',
  ],
];
const strainEnds = [
  ...[
    'Dream',
    'Haze',
    'Kush',
    'Runtz',
    'Cake',
    'Sherbet',
    'Diesel',
    'Glue',
    'Punch',
    'Cookies',
    'Breath',
    'Mints',
  ],
  ...[
    'Fritter',
    'Gas',
    'Skunk',
    'Widow',
    'Express',
    'Zkittle',
    'Daze',
    'Bloom',
    'Nectar',
    'Frost',
    'Cream',
    'Pie',
  ],
  ...[
    'Tart',
    'Soda',
    'Crush',
    'Cooler',
    'Driver',
    'Wreck',
    'Storm',
    'Ridge',
    'Valley',
    'Harbor',
    'Canyon',
    'Lagoon',
  ],
];
const brandBegins = [
  ...[
    'North',
    'Harvest',
    'Bright',
    'Copper',
    'Tidal',
    'Lantern',
    'Willow',
    'Summit',
    'Foxglove',
    'Marble',
    'Juniper',
    'Saddle',
  ],
  ...['Quarry', 'Ember', 'Meadow', 'Pebble', 'Rustic', 'Sparrow', 'Timber', 'Umbra'],
];
const brandEnds = [
  'Gardens',
  'Works',
  'Collective',
  'Farms',
  'Labs',
  'Union',
  'Pressing',
  'Kitchen',
  'Supply',
  'House',
];
const forms = [
  ...[
    'Flower',
    'Pre-Roll',
    'Infused Pre-Roll',
    'Cartridge',
    'Disposable Vape',
    'Live Resin',
    'Badder',
    'Rosin',
    'Gummies',
  ],
  ...['Chocolate Bar', 'Sparkling Drink', 'Tincture', 'Capsules', 'Topical Balm'],
];

const listed = (words: readonly string[]): string => `array[${words.map((word) => `'${word}'`).join(', ')}]`;
const pick = (words: readonly string[], at: string): string =>
  `(${listed(words)})[1 + (${at})::integer % ${words.length}]`;
/** A number that looks drawn, by the row's number and a salt. */
const drawn = (salt: number): string => `(hashint8extended(n::bigint, ${salt}) & 1048575)`;

/** The first id of a product that is made here; its number is added. */
const firstProductId = 2_000_000_000;

/** Codes of the products that are made here, by their numbers from 1 on. */
export const productSku = (n: number): string => `SKU-${String(n).padStart(7, '0')}`;
export const productUpc = (n: number, option: number): string => String(840_000_000_000 + n * 10 + option);
/** The label of a package; that of number n is of the product 5n. */
export const packageLabel = (n: number): string => `1A40600000${String(n).padStart(14, '0')}`;

/** Adds products with ids from `firstProductId + 1` on, newest last, with their search texts, in one organization. */
export async function makeLargeCatalog(
  admin: Client,
  organizationId: number,
  count: number,
  note: (message: string) => void,
): Promise<void> {
  // Texts and tokens are made below, once for each product.
  await admin.query('set session_replication_role = replica');
  await admin.query('set synchronous_commit = off');
  await admin.query(`select set_config('app.organization_id', $1, false)`, [String(organizationId)]);
  await admin.query(
    `insert into brands (organization_id, id, name, created_at, updated_at)
     select ${organizationId}, ${firstProductId} + row_number() over (), b || ' ' || e, now(), now()
       from unnest(${listed(brandBegins)}) b, unnest(${listed(brandEnds)}) e`,
  );
  const brandCount = brandBegins.length * brandEnds.length;
  await admin.query(
    `insert into products (organization_id, id, name, description, unit, strain_type, strain, sku, brand_id, primary_category_id,
            sub_category_ids, inventory_type, is_active, created_at, updated_at)
     select ${organizationId}, ${firstProductId} + n,
            strain || ' ' || form || case when n % 3 = 0 then ' ' || (1 + n % 40) || 'pk' else '' end,
            'Grown indoors and cured slowly.', case when form in ('Flower', 'Badder', 'Rosin', 'Live Resin') then 'gram' else 'item' end,
            (array['indica', 'sativa', 'hybrid'])[1 + n % 3], strain, 'SKU-' || lpad(n::text, 7, '0'),
            ${firstProductId} + 1 + ${drawn(3)} % ${brandCount},
            categories[1 + ${drawn(4)} % array_length(categories, 1)], '{}', 'option', n % 10 <> 0,
            date_trunc('day', now()) - interval '400 days' + n * interval '10 minutes', now()
       from generate_series(1, ${count}) n,
            (select array_agg(id order by id) as categories from product_categories
              where organization_id = ${organizationId} and deleted_at is null) c,
            lateral (select ${pick(strainBegins, drawn(1))} || ' ' || ${pick(strainEnds, drawn(2))} as strain,
                            ${pick(forms, drawn(5))} as form) words`,
  );
  await admin.query(
    `insert into product_options (organization_id, id, product_id, position, name, amount, price_cents, upc, content, created_at,
            updated_at)
     select organization_id, ${firstProductId} + n * 10 + o, id, o,
            case when unit = 'item' then (array['Single', 'Five Pack', 'Ten Pack'])[o] end,
            case unit when 'gram' then (array[1, 3.5, 7])[o] else (array[1, 5, 10])[o] end, 800 + ${drawn(6)} % 9000, (840000000000 + n * 10 + o)::text, null, created_at, updated_at
       from (select *, id - ${firstProductId} as n from products
              where organization_id = ${organizationId} and id > ${firstProductId}) p,
            lateral generate_series(1, 1 + n % 3) o`,
  );
  await admin.query(
    `insert into product_stocks (organization_id, product_id, on_hand_millionths)
     select organization_id, id, ${drawn(7)} % 500 * 1000000
       from (select *, id - ${firstProductId} as n from products
              where organization_id = ${organizationId} and id > ${firstProductId}) p`,
  );
  note('the texts that searches read …');
  for (let from = 0; from < count; from += 5_000) {
    await admin.query(
      `select note_product_searches($1, array(select id from products
         where organization_id = $1 and id > ${firstProductId} + $2::bigint and id <= ${firstProductId} + $2::bigint + 5000))`,
      [organizationId, from],
    );
  }
  await admin.query(
    `insert into packages select copied.*
       from packages k, generate_series(1, ${Math.floor(count / 5)}) n,
            lateral jsonb_populate_record(k, jsonb_build_object(
              'id', ${firstProductId} + n, 'label', '1A40600000' || lpad(n::text, 14, '0'), 'product_id', ${firstProductId} + n * 5,
              'product_option_id', null, 'external_id', null)) copied
      where k.organization_id = ${organizationId}
        and k.id = (select min(id) from packages where organization_id = ${organizationId} and status = 'received')`,
  );
  await admin.query(
    `select note_package_searches($1, array(select id from packages where organization_id = $1 and id > ${firstProductId}))`,
    [organizationId],
  );
  await admin.query('set session_replication_role = origin');
  await admin.query('set synchronous_commit = on');
  await admin.query('vacuum analyze');
}

import type { Maker } from '../shelf.ts';

function maker(name: string, license: string | null, description: string | null, method: string): Maker {
  return { name, producerLicense: license, description, method };
}

/** Invented brands; license numbers have the state's form and are not assigned. */
export const californiaMakers: readonly Maker[] = [
  maker(
    'Fog Signal Farms',
    'CCL00-0000101',
    'Coastal greenhouse growers who harvest by the marine layer and not by the calendar.',
    'Fog Signal hand-trims every flower and cures it for twenty-one days.',
  ),
  maker(
    'Saltgrass Gardens',
    'CCL00-0000102',
    'A family garden at the edge of the marsh, sun-grown since the first permits.',
    'Saltgrass plants in living soil and waters with the rain of the winter before.',
  ),
  maker(
    'Low Tide Growers',
    'CCL00-0000103',
    'Indoor rooms, small batches, loud flower.',
    'Low Tide grows in nine-light rooms and never runs two harvests together.',
  ),
  maker(
    'Third Ridge',
    'CCL00-0000104',
    'Hill-country flower, full sun, no shortcuts.',
    'Third Ridge dry-farms on a south slope above the fog line.',
  ),
  maker(
    'Paper Lantern',
    'CCL00-0000105',
    'Everyday jars at an everyday price.',
    'Paper Lantern buys whole harvests from small growers and packs them within the week.',
  ),
  maker(
    'Understory',
    'CCL00-0000106',
    'Shade-loving cultivars and a taste for the unusual.',
    'Understory pheno-hunts a hundred seeds for each one it keeps.',
  ),
  maker(
    'Hollow Oak Homestead',
    'CCL00-0000107',
    'Two sisters, one oak, forty rows.',
    'Hollow Oak picks at night, when the resin is firm.',
  ),
  maker(
    'Dry Creek Daughters',
    'CCL00-0000108',
    null,
    'Dry Creek hangs whole plants for two weeks in a redwood barn.',
  ),
  maker(
    'Night Owl Rolling Company',
    'CCL00-0000109',
    'Pre-rolls by people who cannot stand a canoe.',
    'Night Owl sifts, rests and weighs every roll twice.',
  ),
  maker(
    'Amber Foundry',
    'CDPH-10000201',
    'Hydrocarbon extraction with a jeweler’s patience.',
    'Amber Foundry runs fresh-frozen flower within a day of harvest.',
  ),
  maker(
    'Kelp & Copper',
    'CDPH-10000202',
    'Resin, badder and sauce from coastal flower.',
    'Kelp & Copper purges low and slow to keep the terpenes at home.',
  ),
  maker(
    'Cold Cellar Hash',
    'CDPH-10000203',
    'Ice, water, mesh, pressure. That is the list.',
    'Cold Cellar washes by hand and presses without solvents.',
  ),
  maker(
    'Glasswing Extracts',
    'CDPH-10000204',
    'Clear oil, clear labels.',
    'Glasswing prints the full lab result on the inside of every box.',
  ),
  maker(
    'Nightjar',
    'CDPH-10000205',
    'Vapes tuned like instruments.',
    'Nightjar matches each oil to its own coil temperature.',
  ),
  maker(
    'Pocket Weather',
    'CDPH-10000206',
    'All-in-ones for every forecast.',
    'Pocket Weather fills, caps and tests each piece in one room.',
  ),
  maker(
    'Tall Clouds',
    'CDPH-10000207',
    'Budget cartridges that do not taste like it.',
    'Tall Clouds distils twice and puts the cultivar’s own terpenes back.',
  ),
  maker(
    'Plum Parade',
    'CDPH-10000208',
    'Real-fruit gummies from a candy kitchen with a brass band’s worth of flavors.',
    'Made from whole fruit purée and pectin.',
  ),
  maker(
    'Little Harvest Kitchen',
    'CDPH-10000209',
    'Baked goods in small trays.',
    'Baked in small trays on Tuesdays and Fridays.',
  ),
  maker(
    'Bittersweet Bureau',
    'CDPH-10000210',
    'Bean-to-bar chocolate, precisely dosed.',
    'Stone-ground for sixty hours and tempered by hand.',
  ),
  maker(
    'Orchard Row Sweets',
    'CDPH-10000211',
    'Caramels, mints and other things that fit a coin pocket.',
    'Cooked in copper, cut by wire.',
  ),
  maker(
    'Slow Pour',
    'CDPH-10000212',
    'Sparkling drinks for people who like a garnish.',
    'Brewed, infused and canned under one roof.',
  ),
  maker(
    'Coastline Botanic',
    'CDPH-10000213',
    'Teas, tonics and shots from garden herbs.',
    'Steeped cold and bottled the same day.',
  ),
  maker(
    'Plain Measure',
    'CDPH-10000214',
    'Tinctures and capsules with the dose in large print.',
    'Every dropper is marked by the quarter milliliter.',
  ),
  maker(
    'Meadow Arithmetic',
    'CDPH-10000215',
    'Ratios, kept simple.',
    'Blended to a ratio and tested to a decimal.',
  ),
  maker(
    'Balm & Bramble',
    'CDPH-10000216',
    'Salves and soaks from a farmhouse stove.',
    'Poured by hand in batches of sixty.',
  ),
  maker(
    'Warm Stone Apothecary',
    'CDPH-10000217',
    null,
    'Made with cold-pressed oils and beeswax from the next valley.',
  ),
  maker(
    'Seedling Row Nursery',
    'CCL00-0000118',
    'Clean, tested clones with their papers in order.',
    'Seedling Row screens every mother plant before it cuts.',
  ),
  maker(
    'Workbench Goods',
    null,
    'Grinders, trays and tools that outlive their owners.',
    'Machined, tumbled and checked by hand.',
  ),
  maker(
    'Loft & Ember',
    null,
    'Glass and ceramics for the coffee table.',
    'Blown and fired by a studio of six.',
  ),
  maker('Paperbark', null, 'Rolling papers, tips and trays.', 'Unbleached, unfussy and cut straight.'),
  maker(
    'Juniper Quay',
    'CCL00-0000119',
    'Our own label: things we wanted and could not find.',
    'Designed at the counter, made nearby.',
  ),
];

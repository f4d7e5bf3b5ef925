import type { Maker } from '../shelf.ts';

function maker(name: string, license: string | null, description: string | null, method: string): Maker {
  return { name, producerLicense: license, description, method };
}

/** Invented brands; license numbers have the state's form and are not assigned. */
export const michiganMakers: readonly Maker[] = [
  maker(
    'Copper Heron',
    'AU-G-C-000109',
    'Our own counter jars and a few useful things.',
    'Chosen, cured and weighed by our own crew.',
  ),
  maker(
    'Birch & Bay',
    'AU-G-C-000101',
    'Greenhouse flower from the northern lakes.',
    'Birch & Bay grows under glass and finishes in the September sun.',
  ),
  maker(
    'Ironwood Acres',
    'AU-G-C-000102',
    'Third-generation farm, first-generation crop.',
    'Ironwood cures in cedar for three weeks.',
  ),
  maker(
    'Ice Road Extracts',
    'AU-P-000103',
    'Cold-process concentrates for cold-weather people.',
    'Ice Road runs everything fresh-frozen.',
  ),
  maker(
    'Two Harbors Vapor',
    'AU-P-000104',
    null,
    'Two Harbors fills to the line and tests every batch twice.',
  ),
  maker(
    'Cherry Hill Confections',
    'AU-P-000105',
    'Orchard fruit, pectin and patience.',
    'Cooked in an orchard kitchen with fruit from the peninsula.',
  ),
  maker(
    'Lakeside Tonic Works',
    'AU-P-000106',
    'Sodas, seltzers and tinctures from soft water.',
    'Brewed with lake-country water and bottled in glass or tin.',
  ),
  maker(
    'Snowberry Salves',
    'AU-P-000107',
    'Winter-proof balms.',
    'Poured in small tins when the stove is hot.',
  ),
  maker(
    'Millpond Nursery',
    'AU-G-A-000108',
    'Young plants with short names and long roots.',
    'Millpond roots its cuttings in moss and ships none by mail.',
  ),
];

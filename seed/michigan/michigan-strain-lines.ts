import type { StrainLine } from '../strain-forms.ts';

const patients = ['Patient Favorite'];

/** The Michigan shop's products of each grower and extractor; most flower is sold by weight at the counter. */
export const michiganStrainLines: readonly StrainLine[] = [
  {
    form: 'counter-flower',
    brandName: 'Copper Heron',
    level: 0.8,
    tagNames: ['Everyday Value'],
    strainNames: ['Night Ferry', 'Lemon Semaphore', 'Maple Signal', 'Cedar Parade'],
  },
  {
    form: 'counter-flower',
    brandName: 'Birch & Bay',
    level: 1,
    tagNames: ['Greenhouse'],
    strainNames: ['Velvet Tide', 'Glass Orchard', 'Solar Almanac', 'Blue Hour', 'Even Keel'],
  },
  {
    form: 'counter-flower',
    brandName: 'Ironwood Acres',
    level: 1.15,
    tagNames: ['Top Shelf'],
    strainNames: ['Iron Orchard', 'Cherry Ballast', 'Foxglove Radio', 'Butter Compass'],
  },
  {
    form: 'flower',
    brandName: 'Ironwood Acres',
    level: 0.9,
    sizes: 2,
    strainNames: ['Cold Front', 'Peach Monsoon'],
  },
  {
    form: 'pre-roll',
    brandName: 'Copper Heron',
    level: 0.7,
    tagNames: ['Everyday Value'],
    strainNames: ['Night Ferry', 'Maple Signal', 'Cedar Parade', 'Lemon Semaphore'],
  },
  {
    form: 'pre-roll',
    brandName: 'Birch & Bay',
    level: 0.9,
    tagNames: ['Greenhouse'],
    strainNames: ['Velvet Tide', 'Blue Hour', 'Even Keel', 'Glass Orchard'],
  },
  {
    form: 'cartridge',
    brandName: 'Two Harbors Vapor',
    level: 0.75,
    strainNames: ['Lemon Semaphore', 'Peach Monsoon', 'Blue Hour', 'Foxglove Radio', 'Wild Linen'],
  },
  {
    form: 'disposable',
    brandName: 'Two Harbors Vapor',
    level: 0.75,
    strainNames: ['Sugar Comet', 'Ginger Lantern'],
  },
  {
    form: 'live-resin',
    brandName: 'Ice Road Extracts',
    level: 0.8,
    strainNames: ['Cold Front', 'Iron Orchard', 'Marmalade Static'],
  },
  {
    form: 'rosin',
    brandName: 'Ice Road Extracts',
    level: 0.85,
    tagNames: ['Top Shelf'],
    strainNames: ['Velvet Tide', 'Cherry Ballast'],
  },
  {
    form: 'clone',
    brandName: 'Millpond Nursery',
    level: 1,
    tagNames: patients,
    strainNames: ['Blue Hour', 'Even Keel', 'Maple Signal'],
  },
];

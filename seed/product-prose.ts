import type { SeededRandom } from './seeded-random.ts';
import type { Strain } from './strains.ts';

/** Closing sentences by form of the product. */
const closings = {
  flower: [
    'Sealed with a humidity pack on the day it leaves the cure.',
    'Jarred in small batches; ask for the harvest date at the counter.',
    'Whole flowers only: no shake, no crumbs, no hurry.',
    'Grind it coarse and pack it loose.',
  ],
  smalls: [
    'The same harvest in smaller flowers, at a friendlier price.',
    'Little buds from the lower branches: all of the flavor, none of the ceremony.',
  ],
  counter: [
    'Weighed out at the counter while you wait.',
    'Kept in the big glass jar behind the counter and weighed to the gram.',
  ],
  'pre-roll': [
    'Rolled from whole flower with a wide paper tip.',
    'Packed by weight and checked by hand, so that it burns evenly to the end.',
    'Ready when you are; the tube keeps it fresh and keeps it quiet.',
  ],
  infused: [
    'Whole flower, painted with live resin and rolled in kief.',
    'Stronger than it looks: start with two puffs and set it down.',
  ],
  vape: [
    'Strain-specific terpenes, a ceramic coil and nothing added.',
    'Fits any standard 510 battery. Store upright and out of the sun.',
    'Small enough for a coat pocket; no button, no settings.',
  ],
  concentrate: [
    'Keep it cold and dab it low: 480 to 540°F brings out the flavor.',
    'Single-source, tested by batch, and packed in glass.',
    'A little goes a long way; a rice grain is a fair start.',
  ],
  clone: [
    'Rooted in a rockwool cube and hardened off for a week. Pick-up in a carry sleeve.',
    'Eighteen hours of light, gentle airflow and patience.',
    'From a tested mother plant, 6 to 8 inches tall.',
  ],
} as const;

export type ClosingKind = keyof typeof closings;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Markdown of two to five sentences about a strain in some form; every fourth one has tasting notes as a list. */
export function describeStrain(
  random: SeededRandom,
  strain: Strain,
  method: string,
  kind: ClosingKind,
): string {
  const [first, second, third] = strain.aromas;
  const closing = random.pick(closings[kind]);
  switch (random.integer(0, 3)) {
    case 0:
      return `${strain.story} Expect **${first}** at first, then ${second} and a little ${third}. ${method} ${closing}`;
    case 1:
      return `${method} ${strain.story}\n\n- **Nose:** ${first}\n- **Palate:** ${second}\n- **Finish:** ${third}\n\n${closing}`;
    case 2:
      return `${capital(first)}, ${second} and ${third}. ${strain.story} ${closing} ${method}`;
    default:
      return `*${strain.name}*: ${first} at first breath, ${second} in the middle, ${third} to finish. ${method} ${closing}`;
  }
}

import type { Illustration, IllustrationShape } from './shop-content.ts';

/** What each shape is, with the name of its strain or product in the place of `…`. */
const words: Readonly<Record<IllustrationShape, string>> = {
  jar: 'A glass jar of … flower',
  bud: 'A single … flower, close up',
  'pre-roll': 'A … pre-roll',
  'pre-roll-pack': 'An open pack of … pre-rolls',
  vape: 'A slim … vaporizer',
  concentrate: 'A small open jar of … concentrate',
  gummies: 'A heap of …',
  chocolate: 'A broken bar of …',
  pouch: 'A closed pouch of …',
  bag: 'A paper bag of …',
  can: 'A can of …',
  dropper: 'A bottle of … with its dropper',
  balm: 'An open tin of …',
  clone: 'A young … plant in a pot',
  grinder: 'The … from above',
  papers: 'A booklet: …',
  pipe: 'A pipe on its side: …',
  tray: 'The … from above',
  lighter: 'A lighter: …',
  case: 'A closed case: …',
  tee: 'A shirt, laid flat: …',
  cap: 'A cap from the side: …',
  tote: 'A bag with handles: …',
  socks: 'A pair of socks: …',
  gift: 'A wrapped box: …',
};

/** The alternative text of a drawn photo: what is to be seen on it. */
export function describeIllustration({ shape, patternSeed }: Illustration): string {
  return words[shape].replace('…', patternSeed);
}

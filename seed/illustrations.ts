import { palettes } from './illustration-palettes.ts';
import { shapes } from './illustration-shapes.ts';
import { seededRandom } from './seeded-random.ts';
import type { Illustration } from './shop-content.ts';

const backdrops = [
  (fill: string) => `<circle cx="300" cy="288" r="226" fill="${fill}"/>`,
  (fill: string) => `<path fill="${fill}" d="M96 490V276a204 204 0 0 1 408 0v214z"/>`,
  (fill: string) => `<rect x="76" y="76" width="448" height="414" rx="48" fill="${fill}"/>`,
  (fill: string) => `<path fill="${fill}" d="M0 490V344Q150 190 300 292T600 206v284z"/>`,
];

/** A product photo as SVG text, 600 by 600: the same illustration always gives the same text, under 6 kB. */
export function drawIllustration(illustration: Illustration): string {
  const palette = seededRandom(`palette/${illustration.paletteSeed}`).pick(palettes);
  const random = seededRandom(`pattern/${illustration.patternSeed}`);
  const backdrop = random.pick(backdrops)(palette.backdrop);
  const scene =
    `<path fill="${palette.room}" d="M0 0h600v600H0z"/>${backdrop}` +
    `<path fill="${palette.ink}" opacity=".07" d="M0 490h600v110H0z"/>` +
    `<ellipse cx="300" cy="492" rx="186" ry="16" fill="${palette.ink}" opacity=".18"/>`;
  const object = shapes[illustration.shape](random.fork('object'), palette);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600">${scene}${object}</svg>`;
}

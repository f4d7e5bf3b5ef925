import type { Palette } from './illustration-palettes.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Draws into a 100 by 100 box; the label clips the rest. */
type Motif = (random: SeededRandom, palette: Palette) => string;

const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

const ground = (fill: string): string => `<path fill="${fill}" d="M0 0h100v100H0z"/>`;

const hills: Motif = (random, { art, paper, body }) =>
  ground(random.chance(0.5) ? paper : art[1]) +
  circle(random.integer(25, 75), random.integer(24, 40), random.integer(13, 19), art[0]) +
  [art[2], art[0], body]
    .map((fill, index) => {
      const top = 52 + index * 15;
      const swing = random.integer(8, 18);
      return `<path fill="${fill}" d="M0 ${top}q25-${swing} 50 0t50 0V100H0z"/>`;
    })
    .join('');

const rainbow: Motif = (random, { art, paper, body }) => {
  const x = random.pick([0, 50, 100]);
  const fills = random.shuffle([...art, body]);
  return ground(paper) + repeat(6, (ring) => circle(x, 100, 88 - ring * 14, fills[ring % 4] as string));
};

const petals: Motif = (random, { art, paper, body }) => {
  const count = random.integer(6, 11);
  const [outer, inner] = random.shuffle(art);
  const leaf = (angle: number, reach: number, fill: string) =>
    `<ellipse cx="50" cy="${50 - reach}" rx="${(reach * 2.3) / count + 3}" ry="${reach}" fill="${fill}" transform="rotate(${angle} 50 50)"/>`;
  return (
    ground(random.chance(0.4) ? body : paper) +
    repeat(count, (index) => leaf(Math.round((index * 360) / count), 24, outer as string)) +
    repeat(count, (index) => leaf(Math.round(((index + 0.5) * 360) / count), 14, inner as string)) +
    circle(50, 50, 8, paper)
  );
};

const waves: Motif = (random, { art, paper, body }) => {
  const fills = random.shuffle([...art, body]);
  const swing = random.integer(7, 13);
  return (
    ground(paper) +
    repeat(7, (row) => {
      const y = 8 + row * 15;
      return `<path fill="none" stroke="${fills[row % 4]}" stroke-width="9" d="M-14 ${y}q14-${swing} 28 0t28 0 28 0 28 0 28 0"/>`;
    })
  );
};

const terrazzo: Motif = (random, { art, paper, body }) =>
  ground(paper) +
  repeat(20, () => {
    const x = random.integer(-5, 95);
    const y = random.integer(-10, 105);
    const size = random.integer(6, 13);
    const fill = random.pick([...art, body]);
    return `<path fill="${fill}" transform="rotate(${random.integer(0, 359)} ${x} ${y})" d="M${x} ${y}l${size} ${Math.round(size / 3)} ${-Math.round(size / 4)} ${size}-${size} ${-Math.round(size / 3)}z"/>`;
  });

const sprig: Motif = (random, { art, paper, body }) => {
  const fill = random.pick([art[2], body]);
  const leaf = (y: number, side: number) =>
    `<path fill="${fill}" d="M50 ${y}q${side * 10}-22 ${side * 34}-20q${side * -4} 20 ${side * -34} 20z"/>`;
  return (
    ground(paper) +
    circle(50, 46, 36, art[random.integer(0, 1)] as string) +
    `<path d="M50 98V16" stroke="${fill}" stroke-width="3"/>` +
    repeat(4, (row) => leaf(90 - row * 18, 1) + leaf(90 - row * 18, -1)) +
    `<ellipse cx="50" cy="16" rx="6" ry="13" fill="${fill}"/>`
  );
};

const night: Motif = (random, { art, paper, ink, body }) =>
  ground(ink) +
  repeat(14, () => circle(random.integer(2, 98), random.integer(2, 66), random.integer(1, 2), paper)) +
  circle(52, 40, 22, art[1]) +
  circle(52 + random.pick([-10, 10]), 35, 19, ink) +
  `<path fill="${body}" d="M0 76q25-16 50 0t50 0v24H0z"/><path fill="${art[2]}" d="M0 90q30-${random.integer(8, 18)} 60 1t40-3v12H0z"/>`;

const sunburst: Motif = (random, { art, paper, body }) => {
  const count = random.pick([10, 12, 14]);
  const [ray, disc] = random.shuffle([art[0], art[2], body]);
  return (
    ground(random.chance(0.5) ? art[1] : paper) +
    repeat(
      count,
      (index) =>
        `<path fill="${ray}" transform="rotate(${Math.round((index * 360) / count)} 50 50)" d="M50 50 ${50 - 150 / count} -60h${300 / count}z"/>`,
    ) +
    circle(50, 50, 25, paper) +
    circle(50, 50, 19, disc as string)
  );
};

const tiles: Motif = (random, { art, paper, body }) =>
  ground(paper) +
  repeat(16, (index) => {
    const turn = random.integer(0, 3) * 90;
    const fill = random.pick([...art, body]);
    const corner = `${(index % 4) * 25} ${Math.floor(index / 4) * 25}`;
    return `<path fill="${fill}" transform="translate(${corner}) rotate(${turn} 12.5 12.5)" d="M0 0h25A25 25 0 0 1 0 25z"/>`;
  });

const peaks: Motif = (random, { art, paper, body }) => {
  const peak = (x: number, top: number, fill: string) =>
    `<path fill="${fill}" d="M${x - 55} 104 ${x} ${top}l55 ${104 - top}z"/><path fill="${paper}" d="M${x - 11} ${top + 17} ${x} ${top}l11 17-6 5-5-5-5 6z"/>`;
  return (
    ground(art[1]) +
    circle(random.integer(30, 70), 34, 20, art[0]) +
    peak(random.integer(82, 104), random.integer(36, 44), body) +
    peak(random.integer(-2, 14), random.integer(38, 48), body) +
    peak(random.integer(44, 58), random.integer(44, 54), art[2])
  );
};

const motifs = [hills, rainbow, petals, waves, terrazzo, sprig, night, sunburst, tiles, peaks];

/** A label of the given place and size, filled with the picture that the pattern's seed draws. */
export function drawLabel(
  random: SeededRandom,
  palette: Palette,
  x: number,
  y: number,
  width: number,
  height: number,
): string {
  const picture = random.pick(motifs)(random, palette);
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice">${picture}</svg>`;
}

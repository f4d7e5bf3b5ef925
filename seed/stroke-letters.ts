/*
 * Letters of straight strokes on a grid of 5 by 7 points, so that pictures with words look the same on machines
 * without fonts. A glyph is strokes separated by commas, a stroke is points separated by blanks, a point is column
 * and row.
 */

const glyphs: Readonly<Record<string, string>> = {
  A: '06 20 46,14 34',
  B: '00 06 36 45 44 33 03,33 42 41 30 00',
  C: '41 30 10 01 05 16 36 45',
  D: '00 20 42 44 26 06 00',
  E: '40 00 06 46,03 33',
  F: '40 00 06,03 33',
  G: '41 30 10 01 05 16 36 45 43 23',
  H: '00 06,40 46,03 43',
  I: '20 26,10 30,16 36',
  J: '40 45 36 16 05',
  K: '00 06,40 03 46',
  L: '00 06 46',
  M: '06 00 23 40 46',
  N: '06 00 46 40',
  O: '10 01 05 16 36 45 41 30 10',
  P: '06 00 30 41 42 33 03',
  Q: '10 01 05 16 36 45 41 30 10,34 46',
  R: '06 00 30 41 42 33 03,23 46',
  S: '41 30 10 01 02 13 33 44 45 36 16 05',
  T: '00 40,20 26',
  U: '00 05 16 36 45 40',
  V: '00 26 40',
  W: '00 16 23 36 40',
  X: '00 46,40 06',
  Y: '00 23 40,23 26',
  Z: '00 40 06 46',
  '0': '10 01 05 16 36 45 41 30 10,41 05',
  '1': '11 20 26,16 36',
  '2': '01 10 30 41 42 06 46',
  '3': '01 10 30 41 42 33 13,33 44 45 36 16 05',
  '4': '36 30 04 44',
  '5': '40 00 03 33 44 45 36 06',
  '6': '40 10 02 05 16 36 45 44 33 03',
  '7': '00 40 16',
  '8': '13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33',
  '9': '43 13 02 01 10 30 41 44 26',
  '-': '13 33',
};

const advance = 6;
const height = 6;

interface Lettering {
  /** Upper left corner, and the height of a letter. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  /** As a share of the size. */
  readonly weight?: number;
}

/** The width of a text of that size. */
export function letteringWidth(text: string, size: number): number {
  return ((text.length * advance - 2) * size) / height;
}

/** A line of text as an SVG path. Case is ignored; characters without glyph leave a gap. */
export function letter(text: string, { x, y, size, color, weight = 0.1 }: Lettering): string {
  const scale = size / height;
  const paths = [...text.toUpperCase()].flatMap((character, index) =>
    (glyphs[character] ?? '')
      .split(',')
      .filter(Boolean)
      .map((stroke) => {
        const points = stroke.split(' ').map((point) => {
          const column = Number(point[0]) + index * advance;
          return `${(x + column * scale).toFixed(1)} ${(y + Number(point[1]) * scale).toFixed(1)}`;
        });
        return `M${points.join('L')}`;
      }),
  );
  return `<path d="${paths.join('')}" fill="none" stroke="${color}" stroke-width="${(size * weight).toFixed(1)}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

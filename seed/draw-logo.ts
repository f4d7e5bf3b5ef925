import { letter, letteringWidth } from './stroke-letters.ts';

const size = 600;
const letterSize = 220;

/** A square logo of a shop as SVG: the initials of its name. */
export function drawLogo(name: string): string {
  const initials = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word[0])
    .join('');
  const x = (size - letteringWidth(initials, letterSize)) / 2;
  const place = { x, y: (size - letterSize) / 2, size: letterSize, color: '#f4efe4' };
  const disc = `<circle cx="${size / 2}" cy="${size / 2}" r="${size / 2}" fill="#2f5d50"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">${disc}${letter(initials, place)}</svg>`;
}

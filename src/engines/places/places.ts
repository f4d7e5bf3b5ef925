import { fiveDigitZip } from '../../kernel/zip-code.ts';
import { zipCenterTable } from './zip-center-table.ts';

/* Where things are, without asking any other service: addresses are as near as the middle of their ZIP code's area. Pure. */

/** A point of the earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const recordBytes = 6;
let records: Uint8Array | undefined;

/** The middle of the area of a ZIP code, of ZIP+4 too; null: no area has it, such as one of post-office boxes. */
export function zipCenter(postalCode: string | null): Place | null {
  const digits = fiveDigitZip(postalCode ?? '');
  if (digits === null) return null;
  records ??= Buffer.from(zipCenterTable, 'base64url');
  const zip = Number(digits);
  let [low, high] = [0, records.length / recordBytes - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const record = recordAt(records, middle);
    if (record.zip === zip) return record.place;
    if (record.zip < zip) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

function recordAt(bytes: Uint8Array, index: number): { readonly zip: number; readonly place: Place } {
  const [a, b, c, d, e, f] = bytes.subarray(index * recordBytes, (index + 1) * recordBytes);
  const bits = ((((a! * 256 + b!) * 256 + c!) * 256 + d!) * 256 + e!) * 256 + f!;
  const latitude = ((Math.floor(bits / 2 ** 16) % 2 ** 15) / (2 ** 15 - 1)) * 180 - 90;
  const longitude = ((bits % 2 ** 16) / (2 ** 16 - 1)) * 360 - 180;
  return {
    zip: Math.floor(bits / 2 ** 31),
    place: { latitude: round(latitude), longitude: round(longitude) },
  };
}

/** To 1/1000 of a degree, about 100 yards. */
const round = (degrees: number) => Math.round(degrees * 1000) / 1000;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const earthMiles = 3958.8;

/** Miles as the crow flies. */
export function milesBetween(a: Place, b: Place): number {
  const [latitudes, longitudes] = [b.latitude - a.latitude, b.longitude - a.longitude].map(radians) as [
    number,
    number,
  ];
  const half =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(longitudes / 2) ** 2;
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(half)));
}

const directions = [
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const;
type Direction = (typeof directions)[number];

/** In which of eight directions `to` lies, seen from `from`. */
export function directionOf(from: Place, to: Place): Direction {
  const east = (to.longitude - from.longitude) * Math.cos(radians(from.latitude));
  const turns = Math.atan2(east, to.latitude - from.latitude) / (2 * Math.PI);
  return directions[(Math.round(turns * directions.length) + directions.length) % directions.length]!;
}

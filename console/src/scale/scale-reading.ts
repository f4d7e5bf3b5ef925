/*
 * What scales say, by their published protocols: the lines of MT-SICS (Mettler Toledo), of Ohaus, A&D and Sartorius balances, and the data
 * report of scales in the HID usage tables (Weighing Devices, page 0x8D).
 */

export interface ScaleReading {
  /** To 0.01, as decimal text. */
  readonly grams: string;
  readonly isStable: boolean;
}

/** Billionths of a gram of each unit: exact. */
const nanogramsOf: Readonly<Record<string, bigint>> = {
  mg: 1_000_000n,
  g: 1_000_000_000n,
  kg: 1_000_000_000_000n,
  ct: 200_000_000n,
  gn: 64_798_910n,
  dwt: 1_555_173_840n,
  ozt: 31_103_476_800n,
  oz: 28_349_523_125n,
  lb: 453_592_370_000n,
};

/** A line of a scale has some twenty letters; another device may send anything. */
const lineMax = 60;

/** A line of a serial scale; null: it has no weight above 0, as a refused command or an overload. */
export function readScaleLine(line: string): ScaleReading | null {
  const text = line.trim().slice(0, lineMax);
  if (/^(OL|S [I+-]|ES|EL|ET)/.test(text)) return null;
  const found = /([+-]?)\s*(\d+(?:\.\d+)?|\.\d+)\s*(mg|kg|g|ozt|oz|lb|ct|GN|dwt)?\b/i.exec(text);
  if (found === null || found[1] === '-') return null;
  const unit = found[3]?.toLowerCase();
  // A balance that still moves says so, by a word, a question mark or, as Sartorius does, by leaving out the unit.
  const isStable = unit !== undefined && !/^(US|S D)\b/.test(text) && !text.includes('?');
  const [whole = '', fraction = ''] = found[2]!.split('.');
  return readingOf(BigInt(whole + fraction), -fraction.length, unit ?? 'g', isStable);
}

/** The units of the HID usage tables, from 0x51 on. */
const hidUnits = [null, 'mg', 'g', 'kg', 'ct', null, 'gn', 'dwt', null, null, 'ozt', 'oz', 'lb'] as const;
const hidStable = 4;
const hidInMotion = 3;

/** A data report: status, unit, scaling by powers of ten, weight (least significant byte first). Null: no weight above 0. */
export function readScaleReport(data: DataView): ScaleReading | null {
  if (data.byteLength < 5) return null;
  const status = data.getUint8(0);
  const unit = hidUnits[data.getUint8(1)];
  if ((status !== hidStable && status !== hidInMotion) || unit == null) return null;
  return readingOf(BigInt(data.getUint16(3, true)), data.getInt8(2), unit, status === hidStable);
}

/** `digits` times ten to the power of `exponent` of a unit, to the nearest 0.01 g, half up. */
function readingOf(digits: bigint, exponent: number, unit: string, isStable: boolean): ScaleReading | null {
  const scaled = digits * nanogramsOf[unit]! * 10n ** BigInt(Math.max(0, exponent));
  const perHundredth = 10_000_000n * 10n ** BigInt(Math.max(0, -exponent));
  const hundredths = (2n * scaled + perHundredth) / (2n * perHundredth);
  if (hundredths === 0n) return null;
  const fraction = String(hundredths % 100n).padStart(2, '0');
  return { grams: `${hundredths / 100n}.${fraction}`, isStable };
}

/** Grams as a person or a scale that is a keyboard types them: `3.52`, `3.52 g`; null: no weight to 0.01 g. */
export function typedGrams(text: string): string | null {
  const found = /^(\d{0,4})(?:\.(\d{1,2})0*)?\s*(?:g|grams?)?$/i.exec(text.trim());
  if (found === null) return null;
  const grams = `${found[1] || '0'}${found[2] === undefined ? '' : `.${found[2]}`}`;
  return Number(grams) > 0 ? grams.replace(/^0+(?=\d)/, '') : null;
}

/*
 * What scales say, by their published protocols: the lines of MT-SICS (Mettler Toledo), of Ohaus, A&D and Sartorius balances, and the data
 * report of scales in the HID usage tables (Weighing Devices, page 0x8D).
 */

export interface ScaleReading {
  /** To 0.01, as decimal text. */
  readonly grams: string;
  readonly isStable: boolean;
}

/** Grams of each unit. */
const gramsOf: Readonly<Record<string, number>> = {
  mg: 0.001,
  g: 1,
  kg: 1000,
  ct: 0.2,
  gn: 0.06479891,
  dwt: 1.55517384,
  ozt: 31.1034768,
  oz: 28.349523125,
  lb: 453.59237,
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
  return readingOf(Number(found[2]) * gramsOf[unit ?? 'g']!, isStable);
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
  return readingOf(data.getUint16(3, true) * 10 ** data.getInt8(2) * gramsOf[unit]!, status === hidStable);
}

function readingOf(grams: number, isStable: boolean): ScaleReading | null {
  const hundredths = Math.round(grams * 100 + 1e-6);
  if (hundredths === 0) return null;
  const fraction = String(hundredths % 100).padStart(2, '0');
  return { grams: `${Math.floor(hundredths / 100)}.${fraction}`, isStable };
}

/** Grams as a person or a scale that is a keyboard types them: `3.52`, `3.52 g`; null: no weight to 0.01 g. */
export function typedGrams(text: string): string | null {
  const found = /^(\d{0,4})(?:\.(\d{1,2})0*)?\s*(?:g|grams?)?$/i.exec(text.trim());
  if (found === null) return null;
  const grams = `${found[1] || '0'}${found[2] === undefined ? '' : `.${found[2]}`}`;
  return Number(grams) > 0 ? grams.replace(/^0+(?=\d)/, '') : null;
}

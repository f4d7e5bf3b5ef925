import { failure } from '../kernel/failure.ts';
import { postalCodePatterns } from './postal-code-patterns.ts';
import { readPostalCodes } from './zone-settings.ts';

/* Where an own tax or limit holds, and where it is written. Pure. */

export interface Locality {
  readonly name: string;
  readonly kind: 'city' | 'county' | 'district';
  /** "94607" or "946*", normalized, in order. */
  readonly postalCodes: readonly string[];
  /** Whether the shop itself lies in it. */
  readonly shopIsHere: boolean;
}

/** Where an own tax or limit is written, and when that was read. */
export interface OwnSource {
  readonly citation: string;
  readonly link: string | null;
  /** A day, YYYY-MM-DD. */
  readonly readOn: string;
  readonly note: string | null;
}

/** Where goods change hands. */
export interface SalePlace {
  readonly orderType: 'delivery' | 'pickup' | 'in-store';
  /** Of a delivery's address; null: not known. */
  readonly postalCode: string | null;
}

/**
 * Whether what holds in a locality holds for a sale: a delivery into it, or a sale at a shop that lies in it. What has no
 * locality holds everywhere.
 */
export function holdsAt(locality: Locality | null, { orderType, postalCode }: SalePlace): boolean {
  if (locality === null) return true;
  if (orderType !== 'delivery') return locality.shopIsHere;
  if (postalCode === null) return false;
  return postalCodePatterns(postalCode).some((pattern) => locality.postalCodes.includes(pattern));
}

/** A locality as it is kept: names without space around them, postal codes as zones have them. Fails with INVALID_PARAMS. */
export function readLocality(sent: Locality | null): Locality | null {
  if (sent === null) return null;
  const { name, kind, postalCodes, shopIsHere } = sent;
  if (postalCodes.length === 0 && !shopIsHere) {
    throw failure(
      'INVALID_PARAMS',
      'locality.postalCodes must name a postal code, unless shopIsHere is true',
    );
  }
  return { name: name.trim(), kind, postalCodes: readPostalCodes(postalCodes, 'locality.'), shopIsHere };
}

/** A source as it is kept. Fails with INVALID_PARAMS for a link that is no web address. */
export function readOwnSource(sent: OwnSource | null): OwnSource | null {
  if (sent === null) return null;
  const { citation, link, readOn, note } = sent;
  if (link !== null && !/^https?:\/\/[^\s/]\S*$/.test(link)) {
    throw failure('INVALID_PARAMS', 'ownSource.link must be a web address that begins with https://');
  }
  return { citation: citation.trim(), link, readOn, note };
}

import { failure } from '../../kernel/failure.ts';
import { postalCodePatterns } from './postal-code-patterns.ts';
import { readPostalCodes } from './zone-settings.ts';

/* Localities and sources of own taxes and limits. Pure. */

export interface Locality {
  readonly name: string;
  readonly kind: 'city' | 'county' | 'district';
  /** "94607" or "946*", normalized, in order. */
  readonly postalCodes: readonly string[];
  /** Whether the shop itself is in it. */
  readonly shopIsHere: boolean;
}

/** The source of an own tax or limit, and the day it was read. */
export interface OwnSource {
  readonly citation: string;
  readonly link: string | null;
  /** A day, YYYY-MM-DD. */
  readonly readOn: string;
  readonly note: string | null;
}

/** The place of a sale. */
export interface SalePlace {
  readonly orderType: 'delivery' | 'pickup' | 'in-store';
  /** The ZIP code of a delivery's address; null: unknown. */
  readonly postalCode: string | null;
}

/**
 * Whether a locality applies to a sale: a delivery into it, or a sale at a shop in it. No locality means everywhere.
 */
export function holdsAt(locality: Locality | null, { orderType, postalCode }: SalePlace): boolean {
  if (locality === null) return true;
  if (orderType !== 'delivery') return locality.shopIsHere;
  if (postalCode === null) return false;
  return postalCodePatterns(postalCode).some((pattern) => locality.postalCodes.includes(pattern));
}

/** A locality as it is stored: names without outer spaces, ZIP codes as in zones. Fails with INVALID_PARAMS. */
export function readLocality(sent: Locality | null): Locality | null {
  if (sent === null) return null;
  const { name, kind, postalCodes, shopIsHere } = sent;
  if (postalCodes.length === 0 && !shopIsHere) {
    throw failure('INVALID_PARAMS', 'locality.postalCodes must name a ZIP code, unless shopIsHere is true');
  }
  return { name: name.trim(), kind, postalCodes: readPostalCodes(postalCodes, 'locality.'), shopIsHere };
}

/** A source as it is stored. Fails with INVALID_PARAMS for a link that is not a web address. */
export function readOwnSource(sent: OwnSource | null): OwnSource | null {
  if (sent === null) return null;
  const { citation, link, readOn, note } = sent;
  if (link !== null && !/^https?:\/\/[^\s/]\S*$/.test(link)) {
    throw failure('INVALID_PARAMS', 'ownSource.link must be a web address that begins with https://');
  }
  return { citation: citation.trim(), link, readOn, note };
}

import { failure } from '../../kernel/failure.ts';
import { fiveDigitZip } from '../../kernel/zip-code.ts';

/**
 * ZIP codes and prefixes in the form of lookups: without spaces, each once. Zones use five-digit codes, so
 * "94607-1234" and "94607*" are "94607". Fails with INVALID_PARAMS for anything else; `path` is the field's path in
 * the body.
 */
export function readPostalCodes(texts: readonly string[], path = ''): string[] {
  const codes = texts.map((text, index) => {
    const pattern = text.replace(/\s+/g, '').replace(/^(\d{5})\*$/, '$1');
    const code = fiveDigitZip(pattern) ?? pattern;
    if (!/^(?:[0-9]{5}|[0-9]{1,4}\*)$/.test(code)) {
      throw failure(
        'INVALID_PARAMS',
        `${path}postalCodes[${index}] must be a ZIP code of 5 digits such as "94607", or a prefix such as "946*"`,
      );
    }
    return code;
  });
  return [...new Set(codes)].sort();
}

/** What zones can refer to, and the ZIP codes of the zone that other zones have. */
export interface ZoneSurroundings {
  /** Taxes that have not ended. */
  readonly taxIds: readonly number[];
  readonly locationIds: readonly number[];
  readonly taken: readonly { readonly pattern: string; readonly name: string }[];
}

interface ReferringZone {
  readonly taxIds: readonly number[] | null;
  readonly inventoryLocationIds: readonly number[];
}

/** The maximum number of codes in a message. */
const codesListedMax = 5;

/**
 * Fails with INVALID_PARAMS when a zone names something unknown, or claims a pattern of another zone: a code would
 * have two zones. A prefix in one zone and a longer one or a whole code in another is an exception, not a
 * contradiction: the longest pattern applies. Existing references of the zone stay valid.
 */
export function assertZoneFits(
  zone: ReferringZone,
  former: ReferringZone | null,
  { taxIds, locationIds, taken }: ZoneSurroundings,
): void {
  const unknownTax = (zone.taxIds ?? []).find((id) => !taxIds.includes(id) && !former?.taxIds?.includes(id));
  if (unknownTax !== undefined) {
    throw failure('INVALID_PARAMS', `taxIds must be ids of taxes that have not ended; ${unknownTax} is none`);
  }
  const unknownLocation = zone.inventoryLocationIds.find(
    (id) => !locationIds.includes(id) && !former?.inventoryLocationIds.includes(id),
  );
  if (unknownLocation !== undefined) {
    throw failure(
      'INVALID_PARAMS',
      `inventoryLocationIds must be ids of inventory locations; ${unknownLocation} is none`,
    );
  }
  if (taken.length > 0) {
    const listed = taken.slice(0, codesListedMax).map(({ pattern, name }) => `${pattern} (${name})`);
    const rest = taken.length > codesListedMax ? `, and ${taken.length - codesListedMax} more` : '';
    throw failure(
      'INVALID_PARAMS',
      `postalCodes must not be those of another zone: ${listed.join(', ')}${rest}`,
    );
  }
}

import Type from 'typebox';
import { NonBlankText, Text, WholeNumber } from '../platform/http/schemas.ts';

/* Fields that the staff interface and the operator's command validate alike. */

export const OrganizationName = NonBlankText({ max: 200 });
export const IntegratorName = NonBlankText({ max: 200 });
export const ClientKeyName = NonBlankText({ max: 200 });

export const NewPassword = Text({
  min: 10,
  max: 200,
  description: 'At least 10 characters; not a common one, a pattern or own words',
});

export const StaffEmail = Type.String({
  maxLength: 254,
  pattern: String.raw`^[^\s@\u0000\uD800-\uDFFF]+@[^\s@\u0000\uD800-\uDFFF]+$`,
  'x-expected': 'an email address of at most 254 characters',
});

/** Addresses and ranges that a client key may be restricted to. */
export const allowedAddressesMax = 100;

/** Rate of one client key (D10); a higher one is no limit in practice. */
export const RequestsPerSecond = WholeNumber({ min: 1, max: 1_000_000 });

import { expect, test } from 'vitest';
import { readLicense } from '../console/src/scanner/driver-license.ts';
import { loggedMessage } from '../src/access/request-log/logged-message.ts';
import { loggedPath } from '../src/access/request-log/logged-path.ts';
import { readDevice } from '../src/access/sessions/sessions.ts';
import { brokenRule } from '../src/access/staff/password-rules.ts';
import { normalizedEmail } from '../src/access/staff/staff.ts';
import { measuresWithin, readMeasure } from '../src/engines/goods/measured-text.ts';
import { isAddressOrRange } from '../src/kernel/address-ranges.ts';
import { isKeyText } from '../src/kernel/api-keys.ts';
import { normalizeEmail, readEmail, readPhone, readPlaceholder } from '../src/kernel/contacts.ts';
import { maskEmails } from '../src/kernel/mask-emails.ts';
import { nameText } from '../src/kernel/name-text.ts';
import { foldName } from '../src/kernel/person-name.ts';
import { plainText } from '../src/kernel/plain-text.ts';
import { quotedText } from '../src/kernel/quoted-text.ts';
import { isWebOrigin } from '../src/kernel/web-origin.ts';
import { readCursor } from '../src/platform/events/feed-cursor.ts';
import { canonicalMediaType } from '../src/platform/http/body-normalizer.ts';
import { acceptedEncoding } from '../src/platform/http/compression.ts';
import { nearestName } from '../src/platform/http/expectation-words.ts';
import { isPublicAddress, readAddress } from '../src/platform/http/guarded-fetch.ts';
import { isLocalDate, isTimestamp } from '../src/platform/http/request-validation.ts';
import { cookieValue } from '../src/platform/http/staff-admission.ts';
import { patternOf, wordsOf } from '../src/platform/lists/word-search.ts';
import { readPotency } from '../src/shop/catalog/imported-potency.ts';
import { isStrainWord, otherCategoryNames } from '../src/shop/catalog/imported-words.ts';
import { unwrappedCell, whyNoCode } from '../src/shop/catalog/product-codes.ts';
import { readSearch } from '../src/shop/customers/customer-search.ts';
import { readMime } from '../src/shop/documents/check-document.ts';
import { cellValue, conversions } from '../src/shop/imports/cell-values.ts';
import { markdownOf } from '../src/shop/imports/markdown-of.ts';
import { cellOf } from '../src/shop/imports/table-cells.ts';
import { plainHeading } from '../src/shop/imports/table-heading.ts';
import { packageUnit } from '../src/shop/inventory/package-units.ts';
import { readFaults } from '../src/shop/sandbox/faults.ts';
import { worstUnits } from './attacks/worst-units.ts';

/*
 * Each place where a text of users meets a pattern, a parser or a decoder gets the worst texts of twice the longest cell, and answers
 * at once: with a value, or with a refusal. A stack never overflows.
 */

const letters = 65_536;

const cells = Object.fromEntries(
  (['text', 'cents', 'measure', 'potency', 'flag', 'list', 'texts', 'terpenes', 'lab-results'] as const).map(
    (kind) => [`a cell of ${kind}`, (text: string) => cellValue(text, kind)],
  ),
);
const converted = Object.fromEntries(
  Object.entries(conversions).map(([name, convert]) => [
    `a cell converted by ${name}`,
    (text: string) => convert(text, 'measure'),
  ]),
);

const places: Readonly<Record<string, (text: string) => unknown>> = {
  ...cells,
  ...converted,
  'the text of a card': readLicense,
  'the text of a key': (text) => isKeyText(text, 'dcs'),
  'a message for the log': loggedMessage,
  'a path for the log': (text) => loggedPath(text, '/api/v1/orders/{orderId}'),
  'a line of the log': (text) => maskEmails(text, '…'),
  'a password': (text) => brokenRule(text.slice(0, 1_024), ['Ada', 'Quill']),
  'a cookie of a device': (text) => readDevice(text, 'production'),
  'a cookie header': (text) => cookieValue(text, 'session'),
  'an encoding header': acceptedEncoding,
  'a media type': canonicalMediaType,
  'a header of faults': readFaults,
  'an email of staff': normalizedEmail,
  'an email': (text) => [normalizeEmail(text), readEmail(text)],
  'a phone number': readPhone,
  'an entry of the placeholders': readPlaceholder,
  'the name of a person': foldName,
  'a name': nameText,
  'a text': plainText,
  'a quoted text': quotedText,
  'a description': markdownOf,
  'a potency': readPotency,
  'a size': (text) => [readMeasure(text), measuresWithin(text)],
  'a word of a category': (text) => [isStrainWord(text), otherCategoryNames(text)],
  'a code': (text) => [unwrappedCell(text), whyNoCode(text)],
  'a cell of a table': cellOf,
  'a heading of a table': plainHeading,
  'a unit of a package': packageUnit,
  'a search for people': readSearch,
  'a search for goods': (text) => wordsOf(text).map(patternOf),
  'a cursor': readCursor,
  'a document': readMime,
  'an unknown name': (text) => nearestName(text, ['address', 'postalCode', 'customer']),
  'an address on the web': (text) => readAddress(text),
  'an address of a host': (text) => [isPublicAddress(text), isAddressOrRange(text), isWebOrigin(text)],
  'a date': (text) => [isLocalDate(text), isTimestamp(text)],
};

test.each(Object.keys(places))('%s of 64 KB is answered at once', async (place) => {
  for (const unit of worstUnits) {
    const text = unit.repeat(letters / unit.length);
    // Once more, because the processor also collects garbage and compiles meanwhile.
    const spent = Math.min(await spentMs(places[place]!, text), await spentMs(places[place]!, text));
    expect([unit, spent > 150 ? spent : 'at once']).toEqual([unit, 'at once']);
  }
});

/** Milliseconds of the processor. A refusal is an answer; an overflow is none. */
async function spentMs(read: (text: string) => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await read(text);
  } catch (problem) {
    if (problem instanceof RangeError) throw problem;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

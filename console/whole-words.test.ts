import { expect, test } from 'vitest';
import contract from '../contract/events.json' with { type: 'json' };
import { discountKinds } from '../sdk/src/staff-discount-kinds.ts';
import { staffOrderActions } from '../sdk/src/staff-order-actions.ts';
import { serviceWords } from './service-words.test-support.ts';
import spanish from './src/words/es.json' with { type: 'json' };
import { keysInSources, sources, textsOutside } from './texts-in-source.test-support.ts';

/** What reads like a text and is none: names of products, codes, selectors. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'parts/option-search.tsx': ['(hover: none), (max-width: 75em)'],
  'parts/payment-modal.tsx': ['button, a, textarea, [data-expanded]'],
  'scanner/camera-scan.tsx': ['(max-width: 62em), (pointer: coarse)'],
  'screens/account/session-card.tsx': ['Edge', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Linux'],
  'screens/catalog/new-photos.tsx': ['(max-width: 62em), (pointer: coarse)'],
  'screens/catalog/product-fields.tsx': ['Amount'],
  'screens/catalog/product-words.ts': ['fl oz'],
  'screens/inventory/new-package-dialog.tsx': [
    ...['Each', 'Grams', 'Kilograms', 'Milligrams', 'Ounces', 'Pounds'],
    ...['Fluid Ounces', 'Gallons', 'Liters', 'Milliliters', 'Pints'],
  ],
  'screens/inventory/package-list.tsx': ['label'],
  'screens/inventory/stock-words.ts': ['Grams', 'Each'],
  'screens/orders/order-cards.tsx': ['tax exempt'],
  'screens/settings/limit-words.ts': ['fl oz'],
  // The name of a tone.
  'screens/dispatch/trip-stops.tsx': ['bad'],
  // The name of a color.
  'screens/settings/state-reports.tsx': ['rejected'],
  'words/words.ts': ['English', 'Español'],
};

test('every text goes through the catalog', () => {
  const outside = sources.flatMap((source) =>
    textsOutside(source)
      .filter((text) => !exceptions[source.name]?.includes(text))
      .map((text) => `${source.name}: ${text}`),
  );
  expect(outside).toEqual([]);
});

const inSpanish: Readonly<Record<string, string>> = spanish;
/** `order.canceled` → `Order canceled`. */
const inWords = (type: string): string =>
  type.charAt(0).toUpperCase() + type.slice(1).replaceAll(/[._]/g, ' ');
const placesOf = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).sort();
const edgesOf = (text: string): string => `${/^\s*/.exec(text)![0]}|${/\s*$/.exec(text)![0]}`;

/** Read the same in Spanish. */
const same = new Set([
  'Subtotal',
  'PIN',
  ...['Budtender', 'Budtenders', 'budtenders', 'Indica', 'Sativa', 'THC {0}{1}', 'THC {0}–{1}{2}'],
  ...['Bytes', 'Central', 'Enter', 'Logo', 'Marketing', 'Total', 'Webhooks', 'shop.example.com'],
  ...[
    '{0} h {1} min',
    '{0} min',
    ', UPC {0}',
    'UPC',
    'SKU',
    'Error',
    'THC',
    'THC %',
    'THC mg',
    'CBD %',
    'CBD mg',
  ],
  ...['THC {0}%', 'THC {0} mg', 'CBD {0}%', 'CBD {0} mg'],
]);

test('the Spanish catalog has every text once, with its places, and nothing else', () => {
  const ofService = [
    ...serviceWords,
    // The types of events are the actions of the audit log; their subjects group them.
    ...contract.events.flatMap((type) => [type, type.split('.', 1)[0]!]).map(inWords),
    ...Object.values(staffOrderActions).flatMap(({ verb, done }) => [verb, done]),
    ...Object.values(discountKinds).flatMap(({ label, targetsHint, effect }) => [label, targetsHint, effect]),
  ];
  const wanted = new Set([...keysInSources().keys(), ...ofService]);
  expect([...wanted].filter((key) => !(key in inSpanish))).toEqual([]);
  expect(Object.keys(inSpanish).filter((key) => !wanted.has(key))).toEqual([]);
  expect(Object.keys(inSpanish)).toEqual(Object.keys(inSpanish).toSorted());
  for (const [key, text] of Object.entries(inSpanish)) {
    expect({ key, places: placesOf(text) }).toEqual({ key, places: placesOf(key) });
    expect({ key, edges: edgesOf(text) }).toEqual({ key, edges: edgesOf(key) });
  }
  const unchanged = Object.keys(inSpanish).filter((key) => inSpanish[key] === key && /\p{L}{3}/u.test(key));
  expect(unchanged.filter((key) => !same.has(key))).toEqual([]);
});

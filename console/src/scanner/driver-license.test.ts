import { describe, expect, test } from 'vitest';
import { readLicense } from './driver-license.ts';
import { isLicenseText, mayBeLicense } from './license-text.ts';

/** A card as the standard's annex D prints one, with other values. */
const card = (changes: Record<string, string> = {}, { version = '08', subfile = 'DL' } = {}): string[] => {
  const elements: Record<string, string> = {
    DAQ: 'Y7654321',
    DCS: 'QUILLFEATHER',
    DDE: 'N',
    DAC: 'ZEPHYRINE',
    DDF: 'N',
    DAD: 'ANN',
    DDG: 'N',
    DCA: 'D',
    DBD: '08242015',
    DBB: '11231971',
    DBA: '11232031',
    DBC: '2',
    DAU: '069 in',
    DAY: 'GRN',
    DAG: '789 E OAK ST',
    DAI: 'ANYTOWN',
    DAJ: 'CA',
    DAK: '902230000',
    DCG: 'USA',
    ...changes,
  };
  const [first, ...others] = Object.entries(elements).map(([name, value]) => name + value);
  return [
    '@',
    `ANSI 636014${version}0102${subfile}00410288ZA03290015${subfile}${first}`,
    ...others,
    'ZAZAAN',
    'ZAB',
  ];
};
const typed = (lines: readonly string[], end = '\n') => lines.join(end);

const holder = {
  issuer: '636014',
  number: 'Y7654321',
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
  birthday: '1971-11-23',
  expiry: '2031-11-23',
  sex: 'female',
  address: { street1: '789 E OAK ST', street2: null, city: 'ANYTOWN', state: 'CA', postalCode: '90223' },
};

describe('a driver’s license', () => {
  test.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
    ['record separators', '\u001e'],
    ['doubled Enters', '\n\n'],
  ])('is read with %s between its elements', (_, end) => {
    expect(readLicense(typed(card(), end))).toEqual(holder);
  });

  test('is read with the separators of the header', () => {
    expect(readLicense(typed(card()).replace('@\n', '@\n\u001e\r'))).toEqual(holder);
  });

  test('is read as an ID card, and with its first element on a line of its own', () => {
    expect(readLicense(typed(card({}, { subfile: 'ID' })))).toEqual(holder);
    expect(readLicense(typed(card()).replace('0015DLDAQ', '0015\nDLDAQ'))).toEqual(holder);
  });

  test('is not misled by a value that contains the name of an element', () => {
    expect(readLicense(typed(card({ DCS: 'DACOSTA', DAQ: 'DBB01011990' })))).toMatchObject({
      firstName: 'Zephyrine',
      lastName: 'Dacosta',
      number: 'DBB01011990',
      birthday: '1971-11-23',
    });
    expect(readLicense(typed(card({ DAG: '12 DBA ROAD', DAI: 'DAKOTA CITY' })))).toMatchObject({
      expiry: '2031-11-23',
      address: { street1: '12 DBA ROAD', city: 'DAKOTA CITY', postalCode: '90223' },
    });
  });

  test('of Canada has the year first and a postal code with letters', () => {
    const canadian = { DCG: 'CAN', DBB: '19711123', DBA: '20311123', DAK: 'V5K 0A1', DAJ: 'BC' };
    expect(readLicense(typed(card(canadian)))).toMatchObject({
      birthday: '1971-11-23',
      expiry: '2031-11-23',
      address: { postalCode: 'V5K 0A1', state: 'BC' },
    });
  });

  test('of the first versions has the name in one element, or all given names in one', () => {
    const old = { DAA: 'QUILLFEATHER,ZEPHYRINE,ANN', DCS: '', DAC: '', DBB: '19711123', DBA: '20311123' };
    expect(readLicense(typed(card(old, { version: '01' })))).toMatchObject({
      firstName: 'Zephyrine',
      lastName: 'Quillfeather',
      birthday: '1971-11-23',
    });
    expect(readLicense(typed(card({ DAC: '', DCT: 'ZEPHYRINE,ANN' }, { version: '03' })))).toMatchObject({
      firstName: 'Zephyrine',
    });
  });

  test('that never expires has no expiry, and one that leaves the sex open has none', () => {
    expect(readLicense(typed(card({ DBA: 'NONE', DBC: '9' })))).toMatchObject({ expiry: null, sex: null });
  });

  test('keeps the capitals of names with hyphens and apostrophes', () => {
    expect(readLicense(typed(card({ DAC: 'MARY-ANN', DCS: "O'NEIL DE LA CRUZ" })))).toMatchObject({
      firstName: 'Mary-Ann',
      lastName: "O'Neil De La Cruz",
    });
  });

  test.each([
    ['without a birthday', { DBB: '' }],
    ['with a birthday that no calendar has', { DBB: '02301971' }],
    ['without a number', { DAQ: '' }],
    ['without a last name', { DCS: '' }],
  ])('%s is incomplete', (_, changes) => {
    expect(readLicense(typed(card(changes)))).toBe('incomplete');
  });

  test('whose scanner leaves out the line ends is not guessed at', () => {
    expect(readLicense(card().join(''))).toBe('no-line-ends');
  });
});

test('the text of a license is told from an email address', () => {
  expect(isLicenseText('@\n\nANSI 636014')).toBe(true);
  expect(isLicenseText('@AAMVA6360')).toBe(true);
  expect(['@', '@\n', '@A', '@ANS', '@\nANSI 6'].every(mayBeLicense)).toBe(true);
  expect(
    ['@example.com', '@anna', '@AND', 'ANSI', ''].some((text) => text !== '' && mayBeLicense(text)),
  ).toBe(false);
});

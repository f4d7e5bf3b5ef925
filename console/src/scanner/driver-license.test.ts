import { describe, expect, test } from 'vitest';
import { readLicense } from './driver-license.ts';
import { isCardText, isLicenseText, mayBeLicense } from './license-text.ts';

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
      lastName: "O'Neil de la Cruz",
    });
  });

  test.each([
    ['MCDONALD III', 'McDonald III'],
    ['MCDONALD JR', 'McDonald Jr'],
    ["O'BRIEN", "O'Brien"],
    ['O’BRIEN-MCKAY', 'O’Brien-McKay'],
    ["D'ANGELO", "D'Angelo"],
    ['MACK', 'Mack'],
    ['MACHADO', 'Machado'],
    ['DE LA CRUZ', 'de la Cruz'],
    ['VAN DER BERG', 'van der Berg'],
    ['VAN', 'Van'],
    ['DE', 'De'],
    ['LA ROCCA', 'La Rocca'],
    ['GARCIA Y VEGA', 'Garcia y Vega'],
    ['SMITH-JONES IV', 'Smith-Jones IV'],
    ['ST. CLAIR', 'St. Clair'],
    ['ÅNGSTRÖM', 'Ångström'],
    ['McDonald', 'McDonald'],
    ['II', 'Ii'],
  ])('with the last name %s is written %s', (printed, written) => {
    expect(readLicense(typed(card({ DCS: printed })))).toMatchObject({ lastName: written });
  });

  test.each([
    [{ DCS: 'SUHARTO', DAC: 'NONE' }],
    [{ DCS: 'NONE', DAC: 'SUHARTO' }],
    [{ DCS: 'LNU', DAC: 'SUHARTO' }],
    [{ DCS: 'SUHARTO', DAC: 'FNU' }],
    [{ DCS: 'SUHARTO', DAC: '' }],
    [{ DCS: '', DAC: 'SUHARTO' }],
  ])('with one name, %j, has it as the first name', (names) => {
    expect(readLicense(typed(card(names)))).toMatchObject({ firstName: 'Suharto', lastName: '' });
  });

  test('is read with Caps Lock on: every letter has the other case', () => {
    const inverted = typed(card({ DCS: 'DE LA CRUZ' })).toLowerCase();
    expect(isLicenseText(inverted)).toBe(true);
    expect(readLicense(inverted)).toEqual({ ...holder, lastName: 'de la Cruz' });
  });

  test.each([
    ['without a birthday', { DBB: '' }],
    ['with a birthday that no calendar has', { DBB: '02301971' }],
    ['without a number', { DAQ: '' }],
    ['without a name', { DCS: 'NONE', DAC: '' }],
  ])('%s is incomplete', (_, changes) => {
    expect(readLicense(typed(card(changes)))).toBe('incomplete');
  });

  test('whose scanner leaves out the line ends is not guessed at', () => {
    expect(readLicense(card().join(''))).toBe('no-line-ends');
  });
});

describe('a magnetic stripe', () => {
  const tracks = [
    '%CASAN FRANCISCOQUILLFEATHER$ZEPHYRINE$ANN^789 E OAK ST$APT 4^?',
    ';636014257654321=310419711123?',
    `#" 90223      ${'C '}${' '.repeat(14)}2506140BRNGRN?`,
  ];
  const read = {
    issuer: '636014',
    number: '257654321',
    firstName: 'Zephyrine',
    lastName: 'Quillfeather',
    birthday: '1971-11-23',
    expiry: '2031-04-30',
    sex: 'female',
    address: {
      street1: '789 E OAK ST',
      street2: 'APT 4',
      city: 'SAN FRANCISCO',
      state: 'CA',
      postalCode: '90223',
    },
  };

  test.each([
    ['Enter between its tracks', tracks.join('\n')],
    ['its tracks in one line', tracks.join('')],
    ['Caps Lock on', tracks.join('\n').toLowerCase()],
  ])('is read with %s', (_, text) => {
    expect(isLicenseText(text)).toBe(true);
    expect(readLicense(text)).toEqual(read);
  });

  test('is read with a shorter city, without a third track, and with the special months of expiry', () => {
    const stripe = (expires: string) =>
      `%CAOAKLAND^O'BRIEN$ANN^12 OAK ST^?;636014257654321=${expires}19711123?`;
    expect(readLicense(stripe('3104'))).toMatchObject({
      firstName: 'Ann',
      lastName: "O'Brien",
      sex: null,
      address: { city: 'OAKLAND', street1: '12 OAK ST', postalCode: null },
    });
    const expiries = ['3177', '3188', '3199', '3113'].map((expires) => readLicense(stripe(expires)));
    expect(expiries.map((it) => typeof it === 'object' && it.expiry)).toEqual([
      null,
      '2031-11-30',
      '2031-11-23',
      null,
    ]);
  });

  test.each([
    ['cut off after its first track', tracks[0]!],
    ['without its first track', tracks[1]!],
    [
      'of a payment card',
      '%B4111111111111111^QUILLFEATHER/ZEPHYRINE^31041010000?;4111111111111111=31041010000?',
    ],
    ['that could not be read', '%E?;E?'],
  ])('%s is a card that cannot be read, and no search', (_, text) => {
    expect(isLicenseText(text)).toBe(true);
    expect(readLicense(text)).toBe('incomplete');
    expect(isCardText(text, 0)).toBe(true);
  });
});

test('parts of a card are told from what people search for', () => {
  const whole = typed(card());
  for (const part of [
    ...[
      '@',
      '@ANS',
      whole,
      whole.toLowerCase(),
      whole.slice(20),
      '636014080102DL00410288ZA03290015DLDAQY7654321',
    ],
    ...['ANSI 636014', 'DCSQUILLFEATHER', 'DAQY7654321', 'DBB11231971', 'DAK902230000', '%CAANA', ';636014'],
    ...['57654321=310419711123?', 'QUILLFEATHER$ZEPHYRINE^789 E', '^QUILLFEATHER$ZEPHYRINE'],
  ]) {
    // No other part came before.
    expect([part, part.includes('$') || isCardText(part, 1_000_000 * part.length)]).toEqual([part, true]);
  }
  const later = 1e12;
  for (const words of [
    'dab pen',
    'Daquiri',
    'Dacosta',
    'DAY DREAM',
    'Zkittlez',
    'dark',
    'dbl',
    '50% off',
    'a;b',
    '4155550123',
    'jo@x.example',
  ]) {
    expect([words, isCardText(words, later)]).toEqual([words, false]);
  }
  expect(isCardText('@\nANSI 636014', later)).toBe(true);
  for (const rest of ['DACZEPHYRINE', 'DAG789 E OAK ST', 'DDEN', 'ZAZAAN', 'daczephyrine', 'QUILL$ANN^12']) {
    expect([rest, isCardText(rest, later + 5_000)]).toEqual([rest, true]);
  }
  for (const words of ['dab pen', 'dark', 'Zkittlez', 'daily']) {
    expect([words, isCardText(words, later + 5_000)]).toEqual([words, false]);
  }
});

test('the text of a license is told from an email address', () => {
  expect(isLicenseText('@\n\nANSI 636014')).toBe(true);
  expect(isLicenseText('@AAMVA6360')).toBe(true);
  expect(['@', '@\n', '@A', '@ANS', '@\nANSI 6'].every(mayBeLicense)).toBe(true);
  expect(
    ['@example.com', '@anna', '@AND', 'ANSI', ''].some((text) => text !== '' && mayBeLicense(text)),
  ).toBe(false);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shippedEdition } from '../../engines/jurisdictions/shipped-edition.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { checkedEdition, type EditionRefused } from './import-edition.ts';
import { editionText, findLawFaults, readEdition } from './law-editions.ts';

test('the shipped edition has no faults, and its file equals the facts in the program', () => {
  expect(findLawFaults(shippedEdition)).toEqual([]);
  const file = readFileSync(join(projectFolder(), 'contract/law.json'));
  expect(readEdition(file)).toEqual(shippedEdition);
  expect(file.toString()).toBe(editionText(shippedEdition));
});

test('a fault of an import names its line, and of what is missing the line of what lacks it', () => {
  const text = editionText(shippedEdition);
  const faultsIn = (broken: string) => {
    try {
      checkedEdition(Buffer.from(broken));
    } catch (error) {
      return (error as EditionRefused).faults;
    }
    return [];
  };
  const lines = text.split('\n');
  const [first] = faultsIn(text.replace('"aboveThcPercent": "35"', '"aboveThcPercent": "40"'));
  expect(first).toMatchObject({ state: 'IL', field: 'taxes[0].basis' });
  expect(lines[first!.line! - 1]).toContain('"basis": {');
  const unit = lines.findIndex((line) => line.includes('"unit": "count"'));
  const without = lines.filter((_, index) => index !== unit).join('\n');
  const [missing] = faultsIn(without.replace(/,(\s*\})/g, '$1'));
  expect(missing!.field).toMatch(/\.unit$/);
  expect(Math.abs(missing!.line! - 1 - unit)).toBeLessThan(3);
});

// biome-ignore lint/suspicious/noExplicitAny: a test breaks a file in ways that have no type
type Loose = any;

/** The faults of the shipped edition after a change in one state. */
function faultsWith(state: string, breakIt: (facts: Loose, edition: Loose) => void): string[] {
  const edition = structuredClone(shippedEdition) as Loose;
  breakIt(
    edition.jurisdictions.find((it: Loose) => it.state === state),
    edition,
  );
  const read = readEdition(Buffer.from(JSON.stringify(edition)));
  const faults = 'faults' in read ? read.faults : findLawFaults(read);
  return faults.map((fault) => `${fault.state ?? 'edition'} ${fault.field} ${fault.problem}`);
}

const limitOf = (facts: Loose, audience = 'adult-use') =>
  facts.purchaseLimits.find((rule: Loose) => rule.audience === audience);

test.each<[what: string, state: string, breakIt: (facts: Loose, edition: Loose) => void, fault: RegExp]>([
  ['a field is missing', 'CA', (it) => delete it.taxes[0].readOn, /^CA taxes\[0\]\.readOn is missing$/],
  ['a field is misspelled', 'CA', (it) => (it.limits = []), /^CA limits is not a field of the format$/],
  [
    'a day does not exist',
    'CA',
    (it) => (it.taxes[0].readOn = '2026-02-30'),
    /^CA taxes\[0\]\.readOn must be a date/,
  ],
  [
    'a link is not https',
    'CA',
    (it) => (it.taxes[0].link = 'http://x.example'),
    /link must be an https address/,
  ],
  [
    'a fact has no link',
    'CA',
    (it) => (it.minimumAges[0].link = null),
    /^CA minimumAges\[0\]\.link must be the address of the law/,
  ],
  ...(
    [
      ['without the day of its reading', (it: Loose) => delete it.readOn, /concentrated\.readOn is missing$/],
      ['without a source', (it: Loose) => delete it.source, /concentrated\.source is missing$/],
      [
        'without a link',
        (it: Loose) => (it.link = null),
        /concentrated\.link must be the address of the law/,
      ],
      [
        'of high confidence by a secondary source',
        (it: Loose) => Object.assign(it, { confidence: 'high', sourceKind: 'secondary' }),
        /concentrated\.confidence must be medium/,
      ],
      [
        'read after the edition was made',
        (it: Loose) => (it.readOn = '2027-01-01'),
        /concentrated\.readOn must not be after/,
      ],
    ] as const
  ).map(
    ([what, breakIt, fault]) =>
      [
        `an equivalence is ${what}`,
        'NV',
        (it: Loose) => breakIt(limitOf(it).counts.concentrated),
        new RegExp(`^NV purchaseLimits\\[0\\]\\.counts\\.${fault.source}`),
      ] as [string, string, (facts: Loose) => void, RegExp],
  ),
  [
    'a tax of patients is not known to be owed',
    'MT',
    (it) => (it.taxes[1].patients.rule = 'not-known'),
    /^MT taxes\[1\]\.patients\.rule must be owe/,
  ],
  [
    'an amount is a number',
    'CA',
    (it) => (limitOf(it).limit.amount = 28.5),
    /^CA purchaseLimits\[0\]\.limit\.amount must be a number above 0 as text/,
  ],
  [
    'a counting has neither form',
    'CA',
    (it) => (limitOf(it).counts = { edibles: 'double' }),
    /^CA purchaseLimits\[0\]\.counts\.edibles must be "one-to-one" or/,
  ],
  [
    'an equivalence has no unit',
    'NV',
    (it) => delete limitOf(it).counts.edibles.amount.unit,
    /^NV purchaseLimits\[0\]\.counts\.edibles\.amount\.unit is missing$/,
  ],
  [
    'an equivalence of THC is in pieces',
    'NV',
    (it) => (limitOf(it).counts.edibles.amount.unit = 'count'),
    /^NV purchaseLimits\[0\]\.counts\.edibles\.amount\.unit is count, which cannot be compared with mg$/,
  ],
  [
    'brackets leave a gap',
    'IL',
    (it) => (it.taxes[0].basis.brackets[1].aboveThcPercent = '40'),
    /^IL taxes\[0\]\.basis basis: brackets\[1\] leaves a gap between 35 % and 40 %$/,
  ],
  [
    'brackets overlap',
    'IL',
    (it) => (it.taxes[0].basis.brackets[1].aboveThcPercent = '30'),
    /^IL taxes\[0\]\.basis basis: brackets\[1\] overlaps the one before between 30 % and 35 %$/,
  ],
  [
    'brackets end before all is covered',
    'IL',
    (it) => it.taxes[0].basis.brackets.pop(),
    /^IL taxes\[0\]\.basis basis: brackets\[0\]\.upToThcPercent must be null: above 35 % is a gap$/,
  ],
  [
    'brackets begin above 0',
    'IL',
    (it) => it.taxes[0].basis.brackets.shift(),
    /^IL taxes\[0\]\.basis basis: brackets\[0\]\.aboveThcPercent must be null: below 35 % is a gap$/,
  ],
  [
    'a rate is beside brackets',
    'IL',
    (it) => (it.taxes[0].rate = '7'),
    /^IL taxes\[0\]\.basis rate must be 0 beside a basis/,
  ],
  [
    'a tax by milligram has brackets',
    'CT',
    (it) => (it.taxes[0].basis = { kind: 'thc-mg', brackets: [] }),
    /^CT taxes\[0\]\.basis/,
  ],
  [
    'a tax by milligram takes the taxes below into its base',
    'CT',
    (it) => (it.taxes[0].encompass = true),
    /^CT taxes\[0\]\.basis encompass must be false for cents by content/,
  ],
  ['a state is unknown', 'CA', (it) => (it.state = 'ZZ'), /^ZZ state must be one of/],
  ['a state occurs twice', 'CA', (it) => (it.state = 'OR'), /^OR state occurs twice$/],
  [
    'the name has another day',
    'CA',
    (_, edition) => (edition.edition = '2026-11-22.1'),
    /^edition edition must begin with issuedOn/,
  ],
  [
    'a fact ends before it begins',
    'CA',
    (it) => Object.assign(limitOf(it), { effectiveFrom: '2026-02-01', effectiveTo: '2026-01-31' }),
    /^CA purchaseLimits\[0\]\.effectiveTo must not be before effectiveFrom/,
  ],
  [
    'two limits with the same name are in force',
    'CA',
    (it) => it.purchaseLimits.push({ ...limitOf(it), effectiveFrom: '2026-12-01' }),
    /^CA purchaseLimits two limits "Flower" for adult-use are in force on 2026-12-01$/,
  ],
  [
    'two ages are in force',
    'CA',
    (it) => it.minimumAges.push(it.minimumAges[0]),
    /^CA minimumAges two ages for adult-use/,
  ],
  [
    'two rates of a tax are in force',
    'NY',
    (it) => it.taxes.push({ ...it.taxes[0], rate: '1' }),
    /^NY taxes two taxes/,
  ],
  [
    'taxes cannot be charged together',
    'MI',
    (it) => Object.assign(it.taxes[1], { included: true, encompass: true }),
    /^MI taxes .* encompasses/,
  ],
  [
    'patients owe another tax that does not exist',
    'ME',
    (it) => (it.taxes = it.taxes.filter((tax: Loose) => tax.customerType !== 'medical')),
    /other-tax needs that other tax/,
  ],
  ...(
    [
      ['with a reading older than a year', { readOn: '2025-11-23', textOf: null }],
      ['of a secondary source', { sourceKind: 'secondary' }],
      ['while a change is pending', { pending: 'A bill of 2027.' }],
    ] as const
  ).map(
    ([what, change]) =>
      [
        `a fact has high confidence ${what}`,
        'CA',
        (it: Loose) => Object.assign(limitOf(it), change),
        /^CA purchaseLimits\[0\]\.confidence must be medium: high needs a primary text, read in the year before/,
      ] as [string, string, (facts: Loose) => void, RegExp],
  ),
  [
    'hours of sale end when they begin',
    'CA',
    (it) => Object.assign(it.duties.saleHours[0].value, { from: '22:00' }),
    /^CA duties\.saleHours\[0\]\.value\.to must not equal from, 22:00$/,
  ],
  [
    'hours of sale are no times',
    'CA',
    (it) => (it.duties.saleHours[0].value = { from: '6:00', to: '22:00' }),
    /^CA duties\.saleHours\[0\]\.value\.from must be a time of day from 00:00 to 24:00$/,
  ],
  [
    'hours that a city sets are to be enforced',
    'NV',
    (it) => (it.duties.saleHours[0].kind = 'enforced'),
    /^NV duties\.saleHours\[0\]\.kind must be by-hand, because a city or county decides$/,
  ],
  [
    'nothing is delivered, at certain hours',
    'CA',
    (it) => (it.duties.delivery[0].value.to = 'none'),
    /^CA duties\.delivery\[0\]\.value\.hours must be null, because nothing is delivered$/,
  ],
  [
    'a duty asks for more than the service can do',
    'CA',
    (it) => (it.duties.reporting[0].kind = 'enforced'),
    /^CA duties\.reporting\[0\]\.kind must be by-hand: the service cannot do more for reporting$/,
  ],
  [
    'what no buyer is barred from is to be enforced',
    'WA',
    (it) => (it.duties.loyalty[0].kind = 'enforced'),
    /^WA duties\.loyalty\[0\]\.kind must be shown, because it is barred for no buyer$/,
  ],
  [
    'two rows of a duty are in force',
    'CA',
    (it) => it.duties.saleHours.push({ ...it.duties.saleHours[0], effectiveFrom: '2027-01-01' }),
    /^CA duties\.saleHours two rows are in force on 2027-01-01$/,
  ],
  ['a duty is an empty list', 'CA', (it) => (it.duties.saleHours = []), /^CA duties\.saleHours must /],
  [
    'a duty is unknown',
    'CA',
    (it) => (it.duties.openingDay = null),
    /^CA duties\.openingDay is not a field of the format$/,
  ],
  [
    'a duty has no source',
    'CA',
    (it) => delete it.duties.saleHours[0].source,
    /^CA duties\.saleHours\[0\]\.source is missing$/,
  ],
  [
    'the amount of a package for patients has another dimension',
    'MD',
    (it) => (it.duties.patientsOnlyProducts[0].value.packagesAbove[0].amount.unit = 'fl oz'),
    /packagesAbove\[0\]\.amount\.unit is fl oz, which cannot be compared with mg$/,
  ],
  [
    'free products are barred twice',
    'CA',
    (it) => (it.duties.gifts = null),
    /^CA duties\.gifts must be absent, because freeProductsBarred says it$/,
  ],
  [
    'units have different dimensions',
    'CA',
    (it) => (limitOf(it).limit.unit = 'count'),
    /^CA purchaseLimits\[0\]\.limit\.unit is count, which cannot be compared with g/,
  ],
  [
    'a window of days has no number',
    'CA',
    (it) => (limitOf(it).window = { kind: 'rolling-days' }),
    /^CA purchaseLimits\[0\]\.window\.days must be present/,
  ],
])('an edition is refused if %s', (_what, state, breakIt, fault) => {
  expect(faultsWith(state, breakIt)).toContainEqual(expect.stringMatching(fault));
});

test('an edition from before duties is read as one in which nothing was looked up', () => {
  const edition = structuredClone(shippedEdition) as Loose;
  for (const it of edition.jurisdictions) delete it.duties;
  const read = readEdition(Buffer.from(JSON.stringify(edition))) as typeof shippedEdition;
  expect(findLawFaults(read)).toEqual([]);
  expect(read.jurisdictions.every((it) => it.duties === undefined)).toBe(true);
});

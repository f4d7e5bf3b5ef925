import { cannabisTypes } from '../goods/cannabis-type.ts';
import { chargeInWords } from '../goods/tax-basis.ts';
import { typeNames } from './cannabis-type-names.ts';
import { type DutyName, dutyNames, dutyRows, dutyTraits } from './duty.ts';
import { dutyInWords } from './duty-in-words.ts';
import { gapInWords } from './gap.ts';
import type { Audience, Jurisdiction, PresetTax, Sourced, StateLimitRule } from './jurisdiction.ts';
import {
  equivalencesOf,
  isExemptable,
  jurisdictions,
  oldestReading,
  type PlacedEquivalence,
} from './jurisdictions.ts';
import { equivalenceInWords, limitInWords } from './limit-in-words.ts';

const introduction = `# Jurisdictions

What the service knows of the law of each state: minimum ages, purchase limits, taxes, and the duties of a shop. **Not legal advice**, and no promise to be complete: read every row against the live page of the regulator before relying on it. The files are \`src/engines/jurisdictions/us-*.ts\`; this page and \`contract/law.json\` are generated from them. An operator can import a newer edition (docs/OPERATIONS.md, "When the law changes").

- **Confidence.** *high*: a primary text (the law, or a page of its authority), with nothing pending against it. *medium*: secondary sources that agree, or a primary text that is old or partial. High becomes medium a year after the text was read. A fact with one weak source is not a fact here: it stands under "Missing" as *doubtful*, and owners are warned of it.
- **In force.** First and last day are included.
- **Age.** Each row says when its source was read, and the date of the text where it has one. The service warns twelve months after the reading, and at once where a change is known to be coming: a pending act, or a fact that ends while nothing is known to follow.
- **Law** links to the text, or to the page that was read. An equivalence ("8 g as 1 oz") is a fact with a source, age and confidence of its own: its row follows its limit, and it is in force as long as the limit.
- **Limits** are in the unit of the law, and content in the unit of its category is converted only to compare: an ounce is 28.349523125 g exactly, so that an option stated as 28.35 g is more than one. Days are local days of the organization; rolling days include today; a window counts what the organization itself sold.
- **Ages.** Where a state lists no minimum age, the service asks for 21 years, of patients for 18.
- **Not listed, not checked.** Where a state lists no limit for patients, none is checked for them, and a form that no limit counts is not limited; \`warnings\` of the organization say so. States that are not on this page have no confirmed facts: no limits, no tax preset, and those ages.
- **Duties** are what a shop may do and has to do. *enforced*: what breaks the duty is refused, by previews as a warning, by orders with an error that names the law, and sales without a line are flagged. *recorded*: it is asked, and the answer is kept. *shown*: people are told. *by hand*: the shop does it outside of this service. *not found*: it was looked for. *not looked up*: no source was searched for it. Only *enforced* duties bind a sale. The owner may be stricter; laxer only where the row says that the owner answers for it.
- **Reporting.** Whatever a row says of reporting, people do it in the state's own system, unless the shop has connected this service to it: its page *Ready to open* says so in the first line.
- **Taxes** are those of the state. Local taxes are set up by the organization. A tax is charged on others only where the law was seen to say so. A tax is charged to patients only where the law was read to say so; where that is not known, the preset leaves them out until the owner decides, with a note.
`;

/** The page docs/JURISDICTIONS.md: all shipped facts, and the gaps with their reasons. */
export function jurisdictionsPage(): string {
  const overview = table(
    ['State', 'Oldest reading', 'Ages', 'Limits', 'Taxes'],
    jurisdictions.map((jurisdiction) => [
      `[${jurisdiction.name}](#${anchor(jurisdiction.name, jurisdiction.state)})`,
      oldestReading(jurisdiction) ?? '–',
      `${jurisdiction.minimumAges.length}`,
      `${jurisdiction.purchaseLimits.length}`,
      `${jurisdiction.taxes.length}`,
    ]),
  );
  return [introduction, overview, dutiesOverview(), ...jurisdictions.map(section)].join('\n');
}

/** One row for each state: what becomes of every duty. */
function dutiesOverview(): string {
  const names = dutyNames.map((name) => dutyTraits[name].name);
  const rows = jurisdictions.map((jurisdiction) => {
    const { state, name, taxes, purchaseLimits, minimumAges } = jurisdiction;
    const hasDaily = purchaseLimits.some(({ window }) => window.kind !== 'transaction');
    const limited = (audience: Audience) =>
      purchaseLimits.some((rule) => rule.audience === audience) ? 'enforced' : 'not found';
    return [
      `[${state}](#${anchor(name, state)})`,
      taxes.length > 0 ? 'enforced' : 'not found',
      minimumAges.length > 0 ? 'enforced' : 'enforced, 21 and 18',
      limited('adult-use'),
      limited('medical'),
      hasDaily ? 'enforced' : '–',
      ...dutyNames.map((duty) => standing(jurisdiction, duty)),
    ];
  });
  return `## Every duty of every state\n\nA named buyer is asked for where a limit counts a day or longer. What is *shown* or *by hand* is missing in a shop until its people say that they do it: \`Settings → Ready to open\`. What was not found or not looked up is unknown.\n\n${table(
    ['State', 'Taxes', 'Ages', 'Limits of adults', 'Limits of patients', 'Named buyer', ...names],
    rows,
  )}`;
}

function standing({ duties, freeProductsBarred }: Jurisdiction, name: DutyName): string {
  if (name === 'gifts' && freeProductsBarred !== null) return 'enforced';
  const rows = duties?.[name];
  if (rows === undefined) return 'not looked up';
  return rows === null ? 'not found' : rows[0]!.kind.replace('-', ' ');
}

function section(jurisdiction: Jurisdiction): string {
  const { state, name, minimumAges, purchaseLimits, taxes } = jurisdiction;
  const { freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred } = jurisdiction;
  const row = (fact: string, datum: Sourced) => [
    fact,
    inForceText(datum),
    datum.pending === null ? datum.confidence : `${datum.confidence}; pending: ${datum.pending}`,
    `[${datum.citation}](${datum.link})`,
    `${datum.readOn} (${datum.sourceKind}, ${datum.textOf === null ? 'text without a date' : `text of ${datum.textOf}`})`,
    datum.source,
  ];
  const rows = [
    ...minimumAges.map((age) => row(`Minimum age, ${audienceNames[age.audience]}: ${age.years}`, age)),
    ...purchaseLimits.flatMap((rule) => [
      row(limitText(rule), rule),
      ...equivalencesOf(rule).map((it) => row(equivalenceText(rule, it), it)),
    ]),
    ...taxes.map((tax) => row(taxText(tax), tax)),
    ...(freeProductsBarred ? [row('Free cannabis is prohibited', freeProductsBarred)] : []),
    ...(taxedBeforeDiscounts
      ? [row('Taxes are charged on prices before discounts', taxedBeforeDiscounts)]
      : []),
    ...(tiedDiscountsBarred
      ? [row('A discount on cannabis must not depend on the sale of another item', tiedDiscountsBarred)]
      : []),
    ...dutyRows(jurisdiction.duties).map(({ name, duty }) => {
      const kind = `${duty.kind.replace('-', ' ')}${duty.ownerMayOverride ? ', or the owner answers for it' : ''}`;
      return row(`${dutyTraits[name].name} (${kind}): ${dutyInWords(name, duty)}`, duty);
    }),
  ];
  const facts =
    rows.length === 0
      ? 'No facts are certain enough.\n'
      : table(['Fact', 'In force', 'Confidence', 'Law', 'Read', 'What was read'], rows);
  const oldest = oldestReading(jurisdiction);
  const age = oldest === null ? '' : `The oldest fact was read on ${oldest}.\n\n`;
  const missing = jurisdiction.gaps.map((gap) => `- ${gapInWords(gap)}\n`).join('');
  return `## ${name} (${state})\n\n${age}${facts}\nMissing:\n\n${missing}`;
}

function inForceText({ effectiveFrom, effectiveTo }: Sourced): string {
  if (effectiveTo === null) return `since ${effectiveFrom ?? 'before 2024'}`;
  return effectiveFrom === null ? `until ${effectiveTo}` : `${effectiveFrom} to ${effectiveTo}`;
}

const audienceNames: Readonly<Record<Audience, string>> = {
  'adult-use': 'adult use',
  'adult-use-non-resident': 'adult use, not resident',
  medical: 'patients',
  'medical-under-21': 'patients under 21',
};

function limitText(rule: StateLimitRule): string {
  return `Limit, ${audienceNames[rule.audience]}, “${rule.name}”: ${limitInWords(rule)}`;
}

function equivalenceText(rule: StateLimitRule, { cannabisType, ...conversion }: PlacedEquivalence): string {
  const words = equivalenceInWords(cannabisType, conversion);
  return `Equivalence, ${audienceNames[rule.audience]}, “${rule.name}”: ${words}`;
}

function taxText(tax: PresetTax): string {
  const spared = tax.nonExemptableCannabisTypes.map((type) => typeNames[type]);
  const traits = [
    `on ${taxedText(tax)}`,
    tax.appliesToFees && 'on fees',
    tax.encompass && 'on top of the lower tiers',
    `tier ${tax.tier}`,
    tax.included && 'included in prices',
    tax.rounding === 'up' && 'rounded up to the next cent',
    tax.customerType !== 'all' && `for ${tax.customerType} customers`,
    isExemptable(tax) && `exemptable${spared.length > 0 ? ` except ${spared.join(', ')}` : ''}`,
  ].filter((trait) => trait !== false);
  const patients = `${patientsNames[tax.patients.rule]}. ${tax.patients.text}`;
  return `Tax: ${tax.description}, ${chargeInWords(tax)}, ${traits.join(', ')}. ${patients}`;
}

const patientsNames: Readonly<Record<PresetTax['patients']['rule'], string>> = {
  owe: 'Patients owe it',
  exempt: 'Patients do not owe it',
  'other-tax': 'Patients owe another tax',
  'not-known': 'Unknown whether patients owe it: not charged to them until the owner decides',
};

function taxedText({ excludedCannabisTypes }: PresetTax): string {
  if (excludedCannabisTypes.length === 0) return 'all goods';
  if (excludedCannabisTypes.join() === 'none') return 'cannabis';
  const taxed = cannabisTypes.filter((type) => !excludedCannabisTypes.includes(type));
  return taxed.map((type) => typeNames[type]).join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function anchor(name: string, state: string): string {
  return `${name} (${state})`
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

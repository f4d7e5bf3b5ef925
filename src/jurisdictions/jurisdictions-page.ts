import { cannabisTypes } from '../kernel/cannabis-type.ts';
import { typeNames } from './cannabis-type-names.ts';
import type {
  Audience,
  Jurisdiction,
  LimitWindow,
  PresetTax,
  Quantity,
  Sourced,
  StateLimitRule,
} from './jurisdiction.ts';
import { jurisdictions } from './jurisdictions.ts';

const introduction = `# Jurisdictions

What the service knows of the law of each state: minimum ages, purchase limits, taxes and rules on free products. **Not legal advice**, and no promise to be complete: read every row against the live page of the regulator before relying on it. The files are \`src/jurisdictions/us-*.ts\`; this page is generated from them.

- **Confidence.** *high*: an official text, or reports of it that leave no doubt, and nothing newer against it. *medium*: sources that agree, or an old or partial official text. What is less sure is not here, but under "Not covered".
- **In force.** First and last day are included.
- **Age of the material.** Compiled on the day each state names; the newest text read is from June 2026. The service warns when a state was compiled more than a year ago.
- **Limits** are in the unit of the law, and content in the unit of its category is converted only to compare: an ounce is 28.349523125 g exactly, so that an option stated as 28.35 g is more than one. Days are local days of the organization; rolling days include today; a window counts what the organization itself sold.
- **Ages.** Where a state lists no minimum age, the service asks for 21 years, of patients for 18.
- **Not listed, not checked.** Where a state lists no limit for patients, none is checked for them, and a form that no limit counts is not limited; \`warnings\` of the organization say so. States that are not on this page have no confirmed facts at all: no limits, no tax preset, and those ages.
- **Taxes** are those of the state. Local taxes are set up by the organization. A tax is charged on others only where the law was seen to say so.
`;

/** The page docs/JURISDICTIONS.md: all that is shipped, and what is left out and why. */
export function jurisdictionsPage(): string {
  const overview = table(
    ['State', 'Compiled', 'Ages', 'Limits', 'Taxes'],
    jurisdictions.map(({ state, name, asOf, minimumAges, purchaseLimits, taxes }) => [
      `[${name}](#${anchor(name, state)})`,
      asOf,
      `${minimumAges.length}`,
      `${purchaseLimits.length}`,
      `${taxes.length}`,
    ]),
  );
  return [introduction, overview, ...jurisdictions.map(section)].join('\n');
}

function section(jurisdiction: Jurisdiction): string {
  const { state, name, minimumAges, purchaseLimits, taxes } = jurisdiction;
  const { freeProductsBarred, taxedBeforeDiscounts, tiedDiscountsBarred } = jurisdiction;
  const row = (fact: string, datum: Sourced) => [
    fact,
    inForceText(datum),
    datum.confidence,
    datum.citation,
    datum.source,
  ];
  const rows = [
    ...minimumAges.map((age) => row(`Minimum age, ${audienceNames[age.audience]}: ${age.years}`, age)),
    ...purchaseLimits.map((rule) => row(limitText(rule), rule)),
    ...taxes.map((tax) => row(taxText(tax), tax)),
    ...(freeProductsBarred ? [row('Free cannabis is barred', freeProductsBarred)] : []),
    ...(taxedBeforeDiscounts
      ? [row('Taxes are charged on prices before discounts', taxedBeforeDiscounts)]
      : []),
    ...(tiedDiscountsBarred
      ? [row('A discount on cannabis may not hang on the sale of another item', tiedDiscountsBarred)]
      : []),
  ];
  const facts = table(['Fact', 'In force', 'Confidence', 'Law', 'What was read'], rows);
  const notCovered = jurisdiction.notCovered.map((it) => `- ${it}\n`).join('');
  return `## ${name} (${state})\n\n${facts}\nNot covered:\n\n${notCovered}`;
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

function limitText({ audience, name, window, limit, counts }: StateLimitRule): string {
  const counted = cannabisTypes.flatMap((type) => {
    const counting = counts[type];
    if (counting === undefined) return [];
    if (counting === 'one-to-one') return [typeNames[type]];
    return [`${typeNames[type]} (${quantityText(counting.amount)} as ${quantityText(counting.uses)})`];
  });
  const amount = `${quantityText(limit)} ${windowText(window)}`;
  return `Limit, ${audienceNames[audience]}, “${name}”: ${amount} of ${counted.join(', ')}`;
}

function quantityText({ amount, unit }: Quantity): string {
  return unit === 'count' ? amount : `${amount} ${unit}`;
}

function windowText(window: LimitWindow): string {
  switch (window.kind) {
    case 'transaction':
      return 'per transaction';
    case 'local-day':
      return 'per day';
    case 'rolling-days':
      return `in ${window.days} days`;
    case 'calendar-month':
      return 'per calendar month';
  }
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
    tax.exemptable && `exemptable${spared.length > 0 ? ` except ${spared.join(', ')}` : ''}`,
  ].filter((trait) => trait !== false);
  const exemption = tax.medicalExemption === null ? '' : `. ${tax.medicalExemption.replace(/\.$/, '')}`;
  return `Tax: ${tax.description}, ${tax.rate} %, ${traits.join(', ')}${exemption}`;
}

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

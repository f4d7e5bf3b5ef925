import { typeNames } from './cannabis-type-names.ts';
import type { ClockWindow, Duty, DutyAudience, DutyName, DutyValues } from './duty.ts';

const windowInWords = ({ from, to }: ClockWindow) => `from ${from} to ${to}`;

const barredInWords: Readonly<Record<DutyAudience, string>> = {
  'adult-use': 'barred for adults, allowed for patients',
  everyone: 'barred',
  none: 'allowed',
};

const barred = ({ barredFor, words }: DutyValues['discounts']) => `${barredInWords[barredFor]}. ${words}`;

const sayings: { readonly [Name in DutyName]: (value: DutyValues[Name]) => string } = {
  saleHours: (value) => (value === 'local' ? 'as the city or county says' : windowInWords(value)),
  patientsOnlyProducts: ({ packagesAbove }) =>
    packagesAbove
      .map(
        ({ cannabisType, amount }) =>
          `${typeNames[cannabisType]} above ${amount.amount} ${amount.unit} in a package`,
      )
      .join(', '),
  residence: () => 'people from other states have narrower limits',
  discounts: barred,
  loyalty: barred,
  gifts: ({ free }) => (free === 'barred' ? 'barred' : 'only together with a purchase'),
  bundles: ({ barred: which }) =>
    which === 'any'
      ? 'nothing is sold at one price with other goods'
      : 'cannabis and other goods have a price each',
  belowCost: ({ words }) => words,
  advertisedPrices: ({ words }) => words,
  delivery: ({ to, hours, vehicleValueCents, words }) =>
    `${[
      { none: 'to no buyer', patients: 'to patients only', everyone: 'allowed' }[to],
      ...(hours === null ? [] : [windowInWords(hours)]),
      ...(vehicleValueCents === null ? [] : [`at most ${dollars(vehicleValueCents)} of goods in a vehicle`]),
    ].join(', ')}. ${words}`,
  returns: ({ accepted, words }) => `${accepted}. ${words}`,
  idCheck: () => 'every buyer shows an ID before cannabis is handed over',
  idCopies: ({ kept }) => (kept === 'barred' ? 'no copy of an ID is kept' : 'kept only with consent'),
  scanRetention: ({ days }) => `at most ${days} days`,
  labelsAndExit: ({ words }) => words,
  receipts: ({ words }) => words,
  reporting: ({ system, deadline, words }) =>
    `${system}${deadline === null ? ', deadline not found' : `, ${deadline}`}. ${words}`,
};

/** What a duty says, for people: "from 06:00 to 22:00". */
export function dutyInWords<Name extends DutyName>(name: Name, { value }: Duty<Name>): string {
  return sayings[name](value).replace(/\.$/, '');
}

/** An amount for people, `$10,000` or `$10,000.01`, of integer cents. */
export function dollars(cents: number): string {
  const rest = cents % 100;
  const whole = ((cents - rest) / 100).toLocaleString('en-US');
  return rest === 0 ? `$${whole}` : `$${whole}.${String(rest).padStart(2, '0')}`;
}

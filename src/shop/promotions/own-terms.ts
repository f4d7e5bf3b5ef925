import {
  type Discount,
  type DiscountKind,
  discountKindNames,
  discountKinds,
  type OwnTermName,
  type OwnTerms,
  type OwnTermType,
} from '../../engines/pricing/discounts/discount-kinds.ts';
import type {
  DiscountTargets,
  KindTerms,
  OwnTerm,
} from '../../engines/pricing/discounts/discount-settings.ts';

/*
 * The terms that only some kinds of discount have, as the kinds declare them: storing, reading and checking
 * them. No kind and no term is named here.
 */

/** Terms of a type: `units` or `targets`. */
export type OwnNameOf<Is extends OwnTerm['is']> = {
  [Name in OwnTermName]: OwnTermType<Name> extends Is ? Name : never;
}[OwnTermName];

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The columns as read. */
export type OwnTermsRow = { -readonly [Name in OwnTermName as SnakeCase<Name>]: OwnTerms[Name] };

/** The columns as written; targets are JSON text. */
export type OwnColumns = {
  [Name in OwnTermName]: (OwnTermType<Name> extends 'units' ? number : string) | null;
};

type AnyTerm = number | DiscountTargets | null;

export const termsOfKind = (kind: DiscountKind): KindTerms => discountKinds[kind].terms;

const typeByName = new Map<string, OwnTerm['is']>(
  discountKindNames.flatMap((kind) =>
    Object.entries(termsOfKind(kind).own).map(([name, { is }]): [string, OwnTerm['is']] => [name, is]),
  ),
);

/** Each term once, in the order of the kinds. */
export const ownTermNames = [...typeByName.keys()] as OwnTermName[];

/** The terms of a type. */
export function ownNamesOf<Is extends OwnTerm['is']>(is: Is): OwnNameOf<Is>[] {
  return ownTermNames.filter((name) => typeByName.get(name) === is) as OwnNameOf<Is>[];
}

/** `buyQuantity` → `buy_quantity` */
const columnOf = (name: string) => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** By the names of the terms. */
export const ownColumnNames = eachTerm((name) => columnOf(name)) as Record<OwnTermName, string>;

/** All terms null. */
export const noOwnTerms = eachTerm(() => null) as OwnTerms;

/** From the columns of a row. */
export function ownTermsOfRow(row: OwnTermsRow): OwnTerms {
  const columns = row as Readonly<Record<string, AnyTerm>>;
  return eachTerm((name) => columns[ownColumnNames[name]]!) as OwnTerms;
}

/** As read from a row. */
export function rowOfOwnTerms(terms: OwnTerms): OwnTermsRow {
  return Object.fromEntries(ownTermNames.map((name) => [ownColumnNames[name], terms[name]])) as OwnTermsRow;
}

/** As written to a row. */
export function columnsOfOwnTerms(terms: OwnTerms): OwnColumns {
  return eachTerm((name) => {
    const value: AnyTerm = terms[name];
    return value === null || typeof value === 'number' ? value : JSON.stringify(value);
  }) as OwnColumns;
}

/** The terms of the discount's kind, in the form of the pricing engine. */
export function engineTerms(kind: DiscountKind, row: OwnTermsRow): Discount['ownTerms'] {
  const names = Object.keys(termsOfKind(kind).own);
  if (names.length === 0) return null;
  const columns = row as Readonly<Record<string, AnyTerm>>;
  return Object.fromEntries(names.map((name) => [name, columns[columnOf(name)]])) as Discount['ownTerms'];
}

/** The same, with targets that match the lines of these options only. */
export function ownTermsOnly(
  terms: Discount['ownTerms'],
  onlyOptionIds: readonly number[],
): Discount['ownTerms'] {
  if (terms === null) return null;
  return Object.fromEntries(
    Object.entries(terms).map(([name, term]) => [
      name,
      typeByName.get(name) === 'targets' && term !== null
        ? { ...(term as DiscountTargets), onlyOptionIds }
        : term,
    ]),
  ) as Discount['ownTerms'];
}

/** The first term that the kind requires and lacks, or has but does not allow, in words; null: none. */
export function findForeignTerm(kind: DiscountKind, terms: OwnTerms): string | null {
  const { own } = termsOfKind(kind);
  for (const [name, { required }] of Object.entries(own)) {
    if (required && terms[name as OwnTermName] === null) return `${name} is required for kind ${kind}.`;
  }
  for (const name of ownTermNames) {
    if (own[name] === undefined && terms[name] !== null) {
      return `${name} is for ${kindsInWords((other) => other.own[name] !== undefined)} only.`;
    }
  }
  return null;
}

/** `kind buy-x-get-y`, `kinds line and product`. */
export function kindsInWords(isAmong: (terms: KindTerms) => boolean): string {
  const kinds = discountKindNames.filter((kind) => isAmong(termsOfKind(kind)));
  const last = kinds.at(-1);
  return kinds.length === 1 ? `kind ${last}` : `kinds ${kinds.slice(0, -1).join(', ')} and ${last}`;
}

function eachTerm(make: (name: OwnTermName) => AnyTerm | string): Record<string, AnyTerm | string> {
  return Object.fromEntries(ownTermNames.map((name) => [name, make(name)]));
}

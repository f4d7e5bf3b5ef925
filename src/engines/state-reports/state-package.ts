import { decimal } from '../../kernel/decimal.ts';
import { memberOf, textMember } from './json-members.ts';

/** Why the state does not let a package be sold. */
export const stateBlocks = ['on-hold', 'recalled', 'lab-failed', 'not-accepted', 'sent-back'] as const;
export type StateBlock = (typeof stateBlocks)[number];

/** Why a package that is received is not sold: the state does not let it, or the shop itself has put it on hold. */
export const packageBlocks = [...stateBlocks, 'shop-hold'] as const;
export type PackageBlock = (typeof packageBlocks)[number];

/** Why a package is not sold, in the words of the counter. */
export const blockWords: Readonly<Record<PackageBlock, string>> = {
  'on-hold': 'the state has put it on hold',
  recalled: 'the state has recalled it',
  'lab-failed': 'it failed its lab test',
  'not-accepted': "its transfer is not accepted on the state's website yet",
  'sent-back': "it was sent back on the state's website",
  'shop-hold': 'it is on hold in the shop',
};

/** A package as the state shows it to the license that has it. */
export interface StatePackage {
  readonly id: number;
  readonly label: string;
  /** Decimal text, in the unit; below zero where more was sold than there was. */
  readonly quantity: string;
  /** The state's name of it, such as `Grams`. */
  readonly unit: string;
  readonly item: string | null;
  readonly category: string | null;
  /** Finished or discontinued. */
  readonly isEnded: boolean;
  readonly labState: string | null;
  readonly block: StateBlock | null;
  readonly manifestNumber: string | null;
  /** ISO, in UTC. */
  readonly receivedAt: string | null;
  readonly lastModified: string | null;
}

/** Reads a row of a list or a package by its label; null: it is none. */
export function readStatePackage(value: unknown): StatePackage | null {
  const id = memberOf(value, 'Id');
  const label = textMember(value, 'Label');
  const quantity = memberOf(value, 'Quantity');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || label === null) return null;
  if (typeof quantity !== 'number' || !Number.isFinite(quantity)) return null;
  const item = memberOf(value, 'Item');
  return {
    ...{ id, label, quantity: decimal(quantity).toFixed() },
    unit: textMember(value, 'UnitOfMeasureName') ?? textMember(item, 'UnitOfMeasureName') ?? 'Each',
    item: textMember(item, 'Name') ?? textMember(value, 'ProductName'),
    category: textMember(item, 'ProductCategoryName'),
    isEnded:
      memberOf(value, 'IsFinished') === true ||
      isSetDate(memberOf(value, 'FinishedDate')) ||
      isSetDate(memberOf(value, 'ArchivedDate')),
    labState: textMember(value, 'LabTestingState'),
    block: blockOf(value),
    manifestNumber: textMember(value, 'ReceivedFromManifestNumber'),
    receivedAt: isoMember(value, 'ReceivedDateTime'),
    lastModified: isoMember(value, 'LastModified'),
  };
}

/** Tests that a package did not pass. What is not tested yet differs by state and kind of goods, and blocks nothing. */
const failedLabStates: readonly string[] = ['TestFailed', 'RetestFailed'];
const recalls = ['IsOnRecall', 'IsOnRecallCombined', 'IsOnInvestigationRecall'];
const holds = ['IsOnHold', 'IsOnHoldCombined', 'IsOnInvestigation', 'IsOnInvestigationHold'];

function blockOf(value: unknown): StateBlock | null {
  const isAny = (names: readonly string[]) => names.some((name) => memberOf(value, name) === true);
  if (isAny(recalls)) return 'recalled';
  if (isAny(holds)) return 'on-hold';
  return failedLabStates.includes(textMember(value, 'LabTestingState') ?? '') ? 'lab-failed' : null;
}

/** The state writes the year 1 where it has no date. */
function isSetDate(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.startsWith('0001-');
}

/** An instant in ISO and UTC; null: there is none. */
export function isoMember(value: unknown, name: string): string | null {
  const text = textMember(value, name);
  const atMs = text === null || !isSetDate(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}

/** One test of a package. */
export interface LabResult {
  readonly test: string;
  readonly passed: boolean;
  readonly level: number | null;
  /** The day. */
  readonly date: string | null;
  readonly lab: string | null;
  readonly labLicense: string | null;
}

/** Reads a row of lab results; null: it is none, is not released, or was revoked. */
export function readLabResult(value: unknown): LabResult | null {
  const test = textMember(value, 'TestTypeName');
  const isRevoked =
    isSetDate(memberOf(value, 'RevokedDate')) || isSetDate(memberOf(value, 'LabTestDetailRevokedDate'));
  if (test === null || isRevoked || memberOf(value, 'ResultReleased') !== true) return null;
  const level = memberOf(value, 'TestResultLevel');
  return {
    ...{ test, passed: memberOf(value, 'TestPassed') === true },
    level: typeof level === 'number' && Number.isFinite(level) ? level : null,
    date: textMember(value, 'TestPerformedDate')?.slice(0, 10) ?? null,
    lab: textMember(value, 'LabFacilityName'),
    labLicense: textMember(value, 'LabFacilityLicenseNumber'),
  };
}

/** The percent of THC or CBD that tests found; null: none of them says it plainly. */
export function percentOf(results: readonly LabResult[], substance: 'THC' | 'CBD'): string | null {
  const names = [`Total ${substance} (%)`, `${substance} (%)`].map((name) => name.toLowerCase());
  for (const name of names) {
    const level = results.find(({ test }) => test.toLowerCase() === name)?.level;
    if (level != null && level >= 0 && level <= 100) return decimal(level).round(4, 1).toFixed();
  }
  return null;
}

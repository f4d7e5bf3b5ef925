import { selectOrganization } from '../../access/organizations/organizations.ts';
import { idKeptDays } from '../../engines/duties/kept-papers.ts';
import { hasReached, minimumAgeOf, reachedOn } from '../../engines/jurisdictions/minimum-age.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import { comparedName, namesFit } from '../../kernel/person-name.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { Sealer } from '../../platform/database/sealing.ts';
import { announce } from '../../platform/events/announce.ts';
import { addCustomer } from './create-customer.ts';
import { blankProfile, type CustomerProfile } from './customer-profile.ts';
import { customerUniqueConstraints, lockCustomer } from './customer-queries.ts';
import { customerNotFound } from './find-customer.ts';
import {
  insertLicense,
  type LicenseCandidateRow,
  selectLicense,
  selectLicenseCandidates,
} from './license-queries.ts';
import { changeProfile, lockProfile } from './update-customer.ts';

/** What a driver's license says of its holder; days are YYYY-MM-DD. */
interface DriverLicense {
  /** The issuer's six digits (AAMVA), and the number: together they name a license. */
  readonly issuer: string;
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly birthday: string;
  /** Null: it does not expire. */
  readonly expiry: string | null;
  readonly sex: CustomerProfile['sex'];
  readonly zip: string | null;
  /** The state of the address; null: the card has none. */
  readonly residence: string | null;
}

/** What staff answer when the holder may be a customer on file: one of these, or another person; null: not asked yet. */
type LicenseAnswer = { readonly customerId: number } | 'another-person' | null;

/** Whether the holder is old enough, and their customer. */
interface LicenseHolder {
  /** Who the holder may be: staff are asked, and nothing was written. */
  readonly suspectedIds: readonly number[];
  /** Null: too young, or staff are asked; nothing was written. */
  readonly customerId: number | null;
  readonly isNew: boolean;
  readonly age: number;
  readonly minimumAge: number;
  /** The first day on which the holder is old enough. */
  readonly allowedOn: string;
  /** By the day of the shop. */
  readonly isExpired: boolean;
}

/**
 * Finds the customer of a license, or creates one, unless its name is nearly that of a customer with its birthday (D85): then staff
 * are asked, and send their `answer`. Only if its holder is old enough by the state's law (D34); a patient on file has
 * the age of patients. The license is the better source: it replaces another birthday, residence and expiry on file, and fills in a blank sex
 * and ZIP code. Its number is kept as a digest under the master key only, and not at all where the law lets no shop keep anything of an ID.
 */
export async function identifyByLicense(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  license: DriverLicense,
  answer: LicenseAnswer = null,
): Promise<LicenseHolder> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  // A license that was recorded under a former key is found as well.
  const digests = digestsOf(await context.sealing.load(), organization, license);
  const [digest] = digests;
  const { firstName, lastName, birthday } = license;
  const newId = await context.ids.takeOne();
  return context.database.write(
    organization,
    async (tx) => {
      const [[shop], candidates, [recorded]] = await tx.run(
        selectOrganization({}),
        selectLicenseCandidates({ digests, birthday }),
        selectLicense({ digest }),
      );
      assert(shop !== undefined, 'an authenticated organization exists');
      const { found, suspectedIds } = holderAmong(candidates, license, answer);
      const [[standing], [profile]] =
        found === undefined ? [[], []] : await tx.run(lockCustomer(found), lockProfile(found));
      const today = localDateAt(nowMs, shop.tz);
      const isMedical = (standing?.medical_expiration ?? '') >= today;
      const jurisdiction = context.law.find(shop.state);
      const minimumAge = minimumAgeOf({ jurisdiction, today, isMedical });
      const facts = {
        age: ageOn(today, birthday),
        minimumAge,
        allowedOn: reachedOn(minimumAge, birthday),
        isExpired: license.expiry !== null && license.expiry < today,
      };
      const unknown = { ...facts, customerId: null, isNew: false, suspectedIds };
      if (suspectedIds.length > 0 || !hasReached(minimumAge, birthday, today)) return unknown;
      // Merged or erased between the two reads: then it is a new customer.
      const isNew = found === undefined || profile === undefined || profile.erased_at !== null;
      const customerId = isNew ? newId : found.id;
      if (isNew) {
        await addCustomer(tx, context, origin, nowMs, customerId, {
          ...blankProfile,
          firstName,
          lastName,
          birthday,
          licenseExpiry: license.expiry,
          sex: license.sex,
          zip: license.zip,
          residence: license.residence,
        });
      } else {
        const isChanged = await changeProfile(tx, context, origin, nowMs, customerId, profile, {
          birthday,
          ...(license.expiry !== null && { licenseExpiry: license.expiry }),
          sex: profile.sex ?? license.sex,
          zip: profile.zip ?? license.zip,
          ...(license.residence !== null && { residence: license.residence }),
        });
        if (!isChanged && recorded === undefined) {
          await announce(tx, context, origin, nowMs, {
            event: 'customer.updated',
            subjectType: 'customer',
            subjectId: customerId,
            payload: { customerId },
            details: { customerId, fields: ['license'] },
          });
        }
      }
      const isKept = idKeptDays(jurisdiction, today) !== 0;
      // New and recorded: another transaction did both between the two reads. The insert conflicts, and the next attempt finds them.
      if (isKept && (isNew || recorded === undefined))
        tx.queue(insertLicense({ digest, userId: customerId, at }));
      return { ...facts, customerId, isNew, suspectedIds };
    },
    { retryOnConstraints: [...customerUniqueConstraints, 'customer_licenses_pkey'] },
  );
}

const suspectedMax = 20;

/**
 * The customer of a license: whom it was recorded for, else the only one with its birthday and its names, else the one whom staff
 * chose among those whose names nearly are its names. Fails with USER_NOT_FOUND when they chose another.
 */
function holderAmong(
  candidates: readonly LicenseCandidateRow[],
  license: DriverLicense,
  answer: LicenseAnswer,
): { readonly found: { readonly id: number } | undefined; readonly suspectedIds: readonly number[] } {
  const recorded = candidates.find((row) => row.is_recorded);
  if (recorded !== undefined) return { found: recorded, suspectedIds: [] };
  const named = (row: LicenseCandidateRow) => ({ firstName: row.first_name, lastName: row.last_name });
  const fitting = candidates.filter((row) => namesFit(license, named(row)));
  if (answer === 'another-person') return { found: undefined, suspectedIds: [] };
  if (answer !== null) {
    const chosen = fitting.find((row) => row.id === answer.customerId);
    if (chosen === undefined) throw customerNotFound();
    return { found: chosen, suspectedIds: [] };
  }
  const wholeName = (of: { firstName: string; lastName: string }) => {
    const { allGiven, last, suffix } = comparedName(of);
    return [allGiven + last, suffix].join();
  };
  const exact = fitting.filter((row) => wholeName(named(row)) === wholeName(license));
  if (exact.length === 1) return { found: exact[0], suspectedIds: [] };
  return { found: undefined, suspectedIds: fitting.slice(0, suspectedMax).map(({ id }) => id) };
}

/** One license has one digest under each key in each organization, which says nothing without the key. */
function digestsOf(sealer: Sealer, organization: OrganizationId, { issuer, number }: DriverLicense) {
  const significant = number.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  return sealer.digests(`${issuer}:${significant}`, `driver license:${organization}`);
}

/** In full years. */
function ageOn(today: string, birthday: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4));
  return hasReached(years, birthday, today) ? years : years - 1;
}

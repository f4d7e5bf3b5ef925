import {
  femaleNames,
  lastNames,
  mailDomains,
  maleNames,
  neutralNames,
  streetKinds,
  streetNames,
} from './people-names.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { AddressContent, CustomerContent, ShopContent } from './shop-content.ts';

/** Longer than any year plus two months: the customer is of age on every day of the history. */
const daysToBeAged = (years: number): number => years * 366 + 62;

/**
 * Invented phone numbers in E.164, nearest area code first: 555-0100 to 555-0199 are reserved for fiction. The first
 * number of the first area code is the shop's.
 */
function inventPhones(areaCodes: readonly string[], count: number): string[] {
  const phones = areaCodes.flatMap((areaCode) =>
    Array.from({ length: 100 }, (_, index) => `+1${areaCode}55501${String(index).padStart(2, '0')}`),
  );
  if (phones.length <= count) throw new Error(`only ${phones.length} phone numbers for ${count} customers`);
  return phones.slice(1, count + 1);
}

function drawSex(random: SeededRandom): 'male' | 'female' | 'tertiary' {
  return random.pickWeighted(['male', 'female', 'tertiary'] as const, (sex) => (sex === 'tertiary' ? 4 : 48));
}

function drawFirstName(random: SeededRandom, sex: 'male' | 'female' | 'tertiary'): string {
  if (sex === 'tertiary' || random.chance(0.08)) return random.pick(neutralNames);
  return random.pick(sex === 'female' ? femaleNames : maleNames);
}

function drawGroups(random: SeededRandom, ageDays: number): string[] {
  const groups: string[] = [];
  if (ageDays > 60 * 366 && random.chance(0.85)) groups.push('Seniors');
  if (random.chance(0.06)) groups.push('Veterans');
  if (random.chance(0.04)) groups.push('Industry');
  if (random.chance(0.04)) groups.push('First Responders');
  return groups;
}

/** `count` customers of the shop, the longest-standing first. Emails and phones are unique and fictitious. */
export function generateCustomers(random: SeededRandom, shop: ShopContent, count: number): CustomerContent[] {
  const { neighborhood, organization } = shop;
  const phones = random.shuffle(inventPhones(neighborhood.areaCodes, count));
  const mailUses = new Map<string, number>();

  function inventMail(firstName: string, lastName: string): string {
    const local = `${firstName}.${lastName}`.toLowerCase();
    const uses = (mailUses.get(local) ?? 0) + 1;
    mailUses.set(local, uses);
    return `${local}${uses > 1 ? uses : ''}@${random.pick(mailDomains)}`;
  }

  function inventAddress(city: string, postalCode: string): AddressContent {
    return {
      street1: `${random.integer(101, 4899)} ${random.pick(streetNames)} ${random.pick(streetKinds)}`,
      street2: random.chance(0.3) ? `Apt ${random.integer(1, 48)}` : null,
      city,
      state: organization.state,
      postalCode,
    };
  }

  function inventCustomer(phone: string): CustomerContent {
    const sex = drawSex(random);
    const firstName = drawFirstName(random, sex);
    const lastName = random.chance(0.03)
      ? `${random.pick(lastNames)} ${random.pick(lastNames)}`
      : random.pick(lastNames);
    const reachableBy = random.pickWeighted(['both', 'phone', 'email'] as const, (way) =>
      way === 'both' ? 76 : 12,
    );
    const medicalExpiresInDays = random.chance(0.06)
      ? random.chance(0.7)
        ? random.integer(10, 500)
        : -random.integer(1, 200)
      : null;
    // A valid card allows the medical age; the card must also be valid on every day of the history.
    const isPatient = medicalExpiresInDays !== null && medicalExpiresInDays > 0;
    const youngestDays = daysToBeAged(isPatient ? neighborhood.medicalMinimumAge : neighborhood.minimumAge);
    const bornDaysAgo = youngestDays + Math.floor(random.next() ** 1.8 * 55 * 365);
    const joinedDaysAgo = random.chance(0.1) ? random.integer(0, 59) : random.integer(60, 900);
    const place = random.pickWeighted(neighborhood.places, ({ weight }) => weight);
    return {
      firstName,
      lastName,
      email: reachableBy === 'phone' ? null : inventMail(firstName, lastName.replaceAll(' ', '-')),
      phone: reachableBy === 'email' ? null : phone,
      bornDaysAgo,
      sex: random.chance(0.12) ? null : sex,
      zip: place.postalCode,
      address: random.chance(0.6) ? inventAddress(place.city, place.postalCode) : null,
      licenseExpiresInDays: random.chance(0.75) ? random.integer(-40, 1800) : null,
      medicalExpiresInDays,
      marketingOptInDaysAgo: random.chance(0.55) ? random.integer(0, joinedDaysAgo) : null,
      groupNames: drawGroups(random, bornDaysAgo),
      joinedDaysAgo,
    };
  }

  return phones.map(inventCustomer).sort((one, other) => other.joinedDaysAgo - one.joinedDaysAgo);
}

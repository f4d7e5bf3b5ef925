import Type, { type Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import {
  List,
  Named,
  NonBlankText,
  Nullable,
  Text,
  TimeOfDay,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import { photoSizes } from '../catalog/products.ts';

/** A week of shops that close at noon and open again. */
const hoursMax = 28;

const OpeningHoursFields = Type.Object({
  day: WholeNumber({ min: 1, max: 7, description: '1 (Monday) to 7 (Sunday): the day on which it opens' }),
  opensAt: TimeOfDay("`HH:MM` in the organization's time zone"),
  closesAt: TimeOfDay('`HH:MM`; not after `opensAt`: on the next day, and equal to it: open for 24 hours'),
});

const ShopAddressFields = Type.Object({
  street1: NonBlankText({ max: 200, description: 'Street and number' }),
  street2: Nullable(Text({ max: 200, description: 'Unit or floor' })),
  city: NonBlankText({ max: 100, description: 'City' }),
  postalCode: NonBlankText({ max: 20, description: 'ZIP code' }),
});

export type OpeningHours = Static<typeof OpeningHoursFields>;
export type ShopAddress = Static<typeof ShopAddressFields>;

export const OpeningHoursList = List(Named('OpeningHours', OpeningHoursFields), {
  max: hoursMax,
  description: 'When customers can come, by day and time; empty: not told',
});

/** The address without the state, which is a setting of the organization. */
export const ShopAddressBody = Nullable(Named('ShopAddress', ShopAddressFields));

export const Logo = Nullable(
  Type.Object(
    {
      fullPath: Text({ max: 2000, description: 'Address of the largest size' }),
      sizes: List(
        Type.Object({
          width: WholeNumber({
            min: 1,
            max: 10_000,
            description: 'In pixels; a smaller picture keeps its own',
          }),
          fullPath: Text({ max: 2000, description: 'Address of this size' }),
        }),
        { max: 10, description: 'Smallest first' },
      ),
    },
    { description: 'Null: none' },
  ),
);

/** A stored logo as replies show it. */
export function shownLogo(location: string | null, photoUrl: (location: string) => string) {
  if (location === null) return null;
  return {
    fullPath: photoUrl(location),
    sizes: photoSizes(location).map((size) => ({ width: size.width, fullPath: photoUrl(size.location) })),
  };
}

/** Hours by day and time. Fails with INVALID_PARAMS when two of them open at the same time of a day. */
export function sortedHours(hours: readonly OpeningHours[]): OpeningHours[] {
  const opening = ({ day, opensAt }: OpeningHours) => `${day} ${opensAt}`;
  const sorted = hours.toSorted((a, b) => (opening(a) < opening(b) ? -1 : 1));
  for (const [index, row] of sorted.entries()) {
    if (index > 0 && opening(sorted[index - 1]!) === opening(row)) {
      throw failure('INVALID_PARAMS', `hours must open once at ${row.opensAt} of day ${row.day}`);
    }
  }
  return sorted;
}

import Type from 'typebox';
import {
  Flag,
  List,
  LocalDate,
  Named,
  NonBlankText,
  Nullable,
  OneOf,
  Text,
} from '../../platform/http/schemas.ts';

/* Localities and sources of own taxes and limits, as staff read and write them. */

const LocalitySchema = Named(
  'Locality',
  Type.Object(
    {
      name: NonBlankText({ max: 200 }),
      kind: OneOf(['city', 'county', 'district']),
      postalCodes: List(Text({ min: 1, max: 20 }), {
        max: 2000,
        description:
          'Codes of 5 digits ("94607") and prefixes ("946*"): deliveries there are in the locality',
      }),
      shopIsHere: Flag({
        description: 'Whether the shop is in it: then it also applies to pickup and in-store sales',
      }),
    },
    {
      description:
        'The city, county or district where it applies; null: everywhere. A delivery counts by the ZIP code of its address. If a delivery zone names its taxes, the zone decides on them',
    },
  ),
);

const OwnSourceSchema = Named(
  'OwnSource',
  Type.Object({
    citation: NonBlankText({ max: 500, description: 'The ordinance, or the person who stated it' }),
    link: Nullable(Text({ max: 500, description: 'Its web address' })),
    readOn: LocalDate({
      description: 'The day on which it was read. Twelve months later a warning asks to check it again',
    }),
    note: Nullable(Text({ max: 1000 })),
  }),
);

/** The field of a tax or limit. */
export const localityField = Nullable(LocalitySchema);
export const ownSourceField = Nullable(OwnSourceSchema);

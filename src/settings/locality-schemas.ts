import Type from 'typebox';
import { Flag, List, LocalDate, Named, NonBlankText, Nullable, OneOf, Text } from '../http/schemas.ts';

/* Where own taxes and limits hold and where they are written, as staff read and write them. */

export const LocalitySchema = Named(
  'Locality',
  Type.Object(
    {
      name: NonBlankText({ max: 200 }),
      kind: OneOf(['city', 'county', 'district']),
      postalCodes: List(Text({ min: 1, max: 20 }), {
        max: 2000,
        description: 'Codes of 5 digits ("94607") and their beginnings ("946*"): deliveries there lie in it',
      }),
      shopIsHere: Flag({
        description: 'Whether the shop lies in it: then it holds for pickup and in-store sales too',
      }),
    },
    {
      description:
        'The city, county or district it holds in; null: it holds everywhere. A delivery counts by the postal code of its ' +
        'address. Where a delivery zone names its taxes, the zone decides on them',
    },
  ),
);

export const OwnSourceSchema = Named(
  'OwnSource',
  Type.Object({
    citation: NonBlankText({ max: 500, description: 'The ordinance, or who said so' }),
    link: Nullable(Text({ max: 500, description: 'Where it can be opened' })),
    readOn: LocalDate({
      description: 'The day on which it was read. Twelve months later a warning asks to compare it',
    }),
    note: Nullable(Text({ max: 1000 })),
  }),
);

/** In a tax or a limit. */
export const localityField = Nullable(LocalitySchema);
export const ownSourceField = Nullable(OwnSourceSchema);

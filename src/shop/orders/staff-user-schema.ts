import Type from 'typebox';
import { Id, Named, Text } from '../../platform/http/schemas.ts';

/** `{}` when none. */
export const StaffUser = Named(
  'StaffUser',
  Type.Object(
    {
      id: Type.Optional(Id()),
      email: Type.Optional(Text({ max: 254 })),
      firstName: Type.Optional(Text({ max: 100 })),
      lastName: Type.Optional(Text({ max: 100 })),
    },
    { description: '`{}` when none' },
  ),
);

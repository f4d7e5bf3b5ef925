import Type from 'typebox';
import { Id, Named, Text } from '../../platform/http/schemas.ts';

/** `{}` when none. */
export const StaffUser = Named(
  'StaffUser',
  Type.Object(
    {
      id: Type.Optional(Id()),
      email: Type.Optional(Text({ description: 'Email address', max: 254 })),
      firstName: Type.Optional(Text({ description: 'First name', max: 100 })),
      lastName: Type.Optional(Text({ description: 'Last name', max: 100 })),
    },
    { description: '`{}` when none' },
  ),
);

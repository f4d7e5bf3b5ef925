import Type, { type Static } from 'typebox';
import { Id, Nullable, OneOf, Text } from './schemas.ts';

/** The actor of a ledger entry, as shown to staff. */
export const EntryActor = Type.Object({
  kind: OneOf(['staff', 'key', 'job']),
  id: Nullable(Id({ description: 'The id of the staff member or the client key' })),
  name: Nullable(Text({ max: 500, description: 'The name of the person, the client key or the job' })),
});

/** An actor (`staff:17`, `key:4`, `job:seed`) with the name on file. */
interface EntryActorRow {
  readonly actor: string;
  readonly staff_first_name: string | null;
  readonly staff_last_name: string | null;
  readonly client_key_name: string | null;
}

/** The actor of an entry, readable for staff; the name is null for an unknown id. */
export function shownActor(row: EntryActorRow): Static<typeof EntryActor> {
  const [kind, subject] = row.actor.split(':') as ['staff' | 'key' | 'job', string];
  switch (kind) {
    case 'staff': {
      const names = [row.staff_first_name, row.staff_last_name].filter(Boolean).join(' ');
      return { kind, id: Number(subject), name: names || null };
    }
    case 'key':
      return { kind, id: Number(subject), name: row.client_key_name };
    case 'job':
      return { kind, id: null, name: subject };
  }
}

import type { Database } from '../../src/database/database.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Witness } from '../harness/witness.ts';

/** From now on every write of an organization to a table collides with another transaction. */
export async function collideOn(
  witness: Witness,
  table: string,
  organization: OrganizationId,
): Promise<void> {
  const name = `collide_on_${table}_${organization}`;
  await witness.query(
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       if coalesce(new.organization_id, old.organization_id) = ${organization} then
         raise 'collision' using errcode = '40001';
       end if;
       return coalesce(new, old);
     end $$`,
  );
  await witness.query(
    `create trigger ${name} before insert or update or delete on ${table} for each row execute function ${name}()`,
  );
}

/** From now on a colliding write is tried only once more: permanent collisions are refused sooner. */
export function giveUpSoon(database: Database): void {
  const write = database.write.bind(database);
  database.write = (organization, work, options) =>
    write(
      organization,
      async (tx) => {
        if (tx.attempt > 2) throw failure('TRANSACTION_RETRY_EXCEEDED', 'It collides, and that was made so.');
        return work(tx);
      },
      options,
    );
}

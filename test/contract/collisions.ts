import { failure } from '../../src/kernel/failure.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import type { TestService } from '../harness/test-service.ts';
import type { Witness } from '../harness/witness.ts';
import { createTenant, makeRoom, type Tenant } from './contract-world.ts';

/**
 * From now on every write of an organization to a table collides with another transaction. Returns the function that ends
 * it.
 */
export async function collideOn(
  witness: Witness,
  table: string,
  organization: OrganizationId,
): Promise<() => Promise<unknown>> {
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
  return () => witness.query(`drop function ${name} cascade`);
}

/** One tenant for all collisions of a test: making one takes longer than the proof. */
export class Collisions {
  readonly #service: TestService;
  readonly #witness: Witness;
  #tenant: Promise<Tenant> | undefined;
  #end: () => Promise<unknown> = async () => {};

  constructor(service: TestService, witness: Witness) {
    this.#service = service;
    this.#witness = witness;
  }

  /** The tenant, prepared for the endpoint. Its writes to this table collide from now on, and to no other. */
  async on(table: string, endpoint: AnyEndpoint): Promise<Tenant> {
    this.#tenant ??= createTenant(this.#service);
    const tenant = await this.#tenant;
    await this.#end();
    await makeRoom(this.#service, endpoint, tenant);
    this.#end = await collideOn(this.#witness, table, tenant.shop.organizationId);
    return tenant;
  }
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

import { inject } from 'vitest';
import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { execute } from '../harness/test-connection.ts';
import type { TestDatabase } from '../harness/test-database.ts';
import { startOwnTestService, type TestRequest, type TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';
import { openWitness, type Witness } from '../harness/witness.ts';
import { Collisions } from './collisions.ts';
import { type ContractRequest, createTenant, type Tenant } from './contract-world.ts';

interface World {
  readonly service: TestService;
  readonly home: Tenant;
}

/** The shops and services in which refusals are provoked. */
export interface Stage extends World {
  /** The same, with requests counted. */
  readonly limited: TestService;
  readonly witness: Witness;
  readonly collisions: Collisions;
  /** Services whose role may no longer read its tables, whose database is gone, and whose disk is full. */
  readonly withoutRights: World;
  readonly withoutDatabase: World;
  readonly withoutRoom: World;
}

export interface Provocation {
  /** By default the stage's own. */
  readonly service?: TestService;
  /** The shop whose keys are sent and whose rows are checked; by default the home's. */
  readonly shop?: TestShop;
  readonly request: ContractRequest;
  readonly options?: TestRequest;
}

/** A way to be refused, and the expected refusal (D12). */
export interface Refusal {
  readonly endpointId: string;
  readonly code: ErrorCode;
  /** The fault of the request. */
  readonly when: string;
  /** Prepares the facts; the test sends the request. */
  arrange(stage: Stage, endpoint: Endpoint): Promise<Provocation> | Provocation;
  /** Names the field. */
  readonly message: RegExp;
  /** The exact value; a function if it depends on ids. By default none. */
  readonly meta?: object | ((stage: Stage, sent: ContractRequest) => object);
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The attempt is written down, against guessing. */
  readonly isCounted?: true;
}

export async function createStage(): Promise<Stage> {
  const world = await createWorld();
  const limited = await startOwnTestService({ database: world.service.database, rateLimits: 'on' });
  const witness = await openWitness(world.service.database);
  return {
    ...world,
    limited,
    witness,
    collisions: new Collisions(world.service, witness),
    withoutRights: await brokenWorld(async (database) => {
      const witness = await openWitness(database);
      await witness.query('revoke select on all tables in schema public from dispensary_app');
      await witness.end();
    }),
    withoutDatabase: await brokenWorld((database) => database.drop()),
    withoutRoom: await brokenWorld(leaveNoRoom),
  };
}

export async function endStage({ service, limited, witness, ...others }: Stage): Promise<void> {
  await witness.end();
  await limited.close();
  await service.close();
  await others.withoutRights.service.close();
  await others.withoutRoom.service.close();
  // Its database is gone already.
  await others.withoutDatabase.service.context.database.close();
}

/** From now on entering the tenant fails with PostgreSQL's error for a full disk. */
async function leaveNoRoom(database: TestDatabase): Promise<void> {
  const witness = await openWitness(database);
  await witness.query(
    `create schema without_room;
     create function without_room.set_config(text, text, boolean) returns text language plpgsql as
     $$ begin
       raise exception 'could not extend file "base/16384/2619": No space left on device' using errcode = '53100';
     end $$;
     grant usage on schema without_room to dispensary_app`,
  );
  const [row] = await witness.query('select current_database() as name');
  const name = String(row!.name);
  await witness.query(`alter database ${name} set search_path = without_room, public, pg_catalog`);
  await witness.end();
  // Sessions keep the search path of their start.
  const { admin } = inject('server');
  await execute(
    admin,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  );
}

async function createWorld(): Promise<World> {
  const service = await startOwnTestService();
  return { service, home: await createTenant(service) };
}

/** The keys are looked up before the fault, and stay cached while the clock stands still. */
async function brokenWorld(breakIt: (database: TestDatabase) => Promise<void>): Promise<World> {
  const world = await createWorld();
  const { keys } = world.home.shop;
  await world.service.call('GET', '/api/v1/organization', { keys });
  await breakIt(world.service.database);
  return world;
}

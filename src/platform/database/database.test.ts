import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { execute, onDatabase } from '../../../test/harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/test-database.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { tryDatabase } from '../connections/database-trial.ts';
import { patientDeadlines } from '../connections/deadlines.ts';
import { type BoundStatement, statement } from '../statements/statement.ts';
import { Database } from './database.ts';
import { isCollision, RetryWrite } from './write-collisions.ts';

const ours = organizationId(1);
const theirs = organizationId(2);

let testDatabase: TestDatabase;
let database: Database;

const insertBrand = statement<{ id: number; name: string }, never>(
  'test_insert_brand',
  `insert into brands (organization_id, id, name, created_at, updated_at)
   values (:organizationId, :id, :name, now(), now())`,
);
const insertForeignBrand = statement<{ owner: number }, never>(
  'test_insert_foreign_brand',
  `insert into brands (organization_id, id, name, created_at, updated_at) values (:owner, 9, 'planted', now(), now())`,
);
/** Lacks its tenant condition on purpose: row-level security is the second barrier. */
const selectAllBrands = statement<
  Record<never, never>,
  { organization_id: number; id: number; name: string }
>('test_select_all_brands', 'select organization_id, id, name from brands order by organization_id, id');
const renameAllBrands = statement<{ name: string }, never>(
  'test_rename_all_brands',
  'update brands set name = :name || id',
);
const giveAwayBrands = statement<{ owner: number }, never>(
  'test_give_away_brands',
  'update brands set organization_id = :owner',
);
const deleteAllBrands = statement<Record<never, never>, never>(
  'test_delete_all_brands',
  'delete from brands',
);
const lockBrand = statement<{ id: number }, { id: number }>(
  'test_lock_brand',
  'select id from brands where organization_id = :organizationId and id = :id for update',
);
const raise = statement<{ code: string }, never>('test_raise', 'select test_raise(:code)');
const divide = statement<{ by: number }, { quotient: number }>(
  'test_divide',
  'select 1 / :by::integer as quotient',
);
const session = statement<Record<never, never>, { pid: number; tenant: string | null }>(
  'test_session',
  `select pg_backend_pid() as pid, nullif(current_setting('app.organization_id', true), '') as tenant`,
);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const owner = new Client(testDatabase.owner);
  await owner.connect();
  await owner.query(
    `create function test_raise(code text) returns void language plpgsql as
     $$ begin raise exception 'as asked' using errcode = code; end $$`,
  );
  await owner.query(
    `insert into organizations (id, name, customer_email, customer_phone, license_number, state, tz, created_at, updated_at)
     select id, 'Shop ' || id, '', '', '', 'CA', 'America/Los_Angeles', now(), now() from generate_series(1, 2) id`,
  );
  await owner.end();
});
afterAll(() => testDatabase.drop());

// One connection: each transaction meets what the previous one left on it.
beforeEach(() => {
  database = new Database(testDatabase.serving, 1);
});
afterEach(async () => {
  for (const organization of [ours, theirs]) await run(organization, deleteAllBrands({}));
  await database.close();
});

async function run<Row>(organization: OrganizationId, bound: BoundStatement<Row>): Promise<Row[]> {
  const [rows] = await database.write(organization, (tx) => tx.run(bound));
  return rows;
}

async function brandNames(organization = ours): Promise<string[]> {
  const [rows] = await database.read(organization, selectAllBrands({}));
  return rows.map((row) => row.name);
}

describe('tenant isolation', () => {
  beforeEach(async () => {
    await run(ours, insertBrand({ id: 1, name: 'ours' }));
    await run(theirs, insertBrand({ id: 1, name: 'theirs' }));
  });

  test('hides rows of other organizations from a query without a tenant condition', async () => {
    expect(await brandNames(ours)).toEqual(['ours']);
    expect(await brandNames(theirs)).toEqual(['theirs']);
    const [first, second] = await database.read(ours, selectAllBrands({}), selectAllBrands({}));
    expect([first, second].map((rows) => rows.length)).toEqual([1, 1]);
    expect(await database.global(selectAllBrands({}))).toEqual([]);
  });

  test('lets no write update, insert or hand over a row of another organization', async () => {
    await run(ours, renameAllBrands({ name: 'renamed' }));
    expect(await brandNames(theirs)).toEqual(['theirs']);
    await expect(run(ours, insertForeignBrand({ owner: theirs }))).rejects.toMatchObject({ code: '42501' });
    await expect(run(ours, giveAwayBrands({ owner: theirs }))).rejects.toMatchObject({ code: '42501' });
    await run(ours, deleteAllBrands({}));
    expect(await brandNames(theirs)).toEqual(['theirs']);
  });

  test('is set up again for each use of a connection, whatever the previous use did', async () => {
    const uses = [
      () => run(ours, session({})),
      () => database.read(ours, session({})),
      () => database.read(ours, session({}), divide({ by: 0 })),
      () => run(ours, divide({ by: 0 })),
      () => database.write(ours, () => Promise.reject(new Error('refused'))),
    ];
    for (const use of uses) {
      await use().catch(() => {});
      expect(await brandNames(theirs)).toEqual(['theirs']);
      expect(await run(theirs, session({}))).toMatchObject([{ tenant: String(theirs) }]);
    }
  });

  test('cannot be skipped: a tenant statement cannot run without an organization', async () => {
    await expect(database.global(insertBrand({ id: 5, name: 'x' }))).rejects.toThrow(
      'belongs to an organization',
    );
  });

  test('requires a role that cannot bypass it', async () => {
    await expect(database.assertServingRole()).resolves.toBeUndefined();
    const { admin } = inject('server');
    const { connectionString, database: name } = testDatabase.serving;
    const climber = new Database(onDatabase(admin, name ?? new URL(connectionString!).pathname.slice(1)));
    const [role] = await execute(
      admin,
      'select rolsuper or rolbypassrls as climbs from pg_roles where rolname = current_user',
    );
    // An external server may be configured with the owner's login alone.
    await expect(climber.assertServingRole()).rejects.toThrow(
      role?.climbs ? 'can bypass row-level security' : 'owns the tables',
    );
    await climber.close();
  });

  test('requires a role that cannot remove it', async () => {
    const owner = new Database(testDatabase.owner);
    await expect(owner.assertServingRole()).rejects.toThrow(/can bypass|owns the tables/);
    await owner.close();
  });
});

describe('a read', () => {
  test('runs all its statements on one snapshot', async () => {
    const other = new Database(testDatabase.serving, 1);
    const nap = statement<Record<never, never>, never>('test_nap', 'select pg_sleep(0.2)');
    const reading = database.read(ours, selectAllBrands({}), nap({}), selectAllBrands({}));
    await other.write(ours, async (tx) => tx.queue(insertBrand({ id: 1, name: 'late' })));
    const [before, , after] = await reading;
    expect(after).toEqual(before);
    await other.close();
  });

  test('that fails leaves its connection clean for the next read', async () => {
    for (let round = 0; round < 3; round++) {
      await expect(database.read(ours, session({}), divide({ by: 0 }))).rejects.toMatchObject({
        code: '22012',
      });
      await expect(database.read(ours, divide({ by: 0 }))).rejects.toMatchObject({ code: '22012' });
      expect(await brandNames()).toEqual([]);
    }
  });
});

describe('a write', () => {
  test('that throws at any point writes nothing and leaves its connection clean', async () => {
    const refusals: ((tx: Parameters<Parameters<Database['write']>[1]>[0]) => Promise<void>)[] = [
      async () => {
        throw new Error('refused');
      },
      async (tx) => {
        tx.queue(insertBrand({ id: 1, name: 'queued' }));
        throw new Error('refused');
      },
      async (tx) => {
        await tx.run(insertBrand({ id: 1, name: 'ran' }));
        throw new Error('refused');
      },
      async (tx) => {
        await tx.run(insertBrand({ id: 1, name: 'ran' }));
        await tx.run(divide({ by: 0 }));
      },
      async (tx) => tx.queue(insertBrand({ id: 1, name: 'queued' }), divide({ by: 0 })),
      async (tx) => tx.queue(insertBrand({ id: 1, name: 'once' }), insertBrand({ id: 1, name: 'twice' })),
    ];
    for (const refuse of refusals) {
      await expect(database.write(ours, refuse)).rejects.toThrow();
      expect(await brandNames()).toEqual([]);
    }
    expect(database.commitCount(ours)).toBe(0);
    await run(ours, insertBrand({ id: 1, name: 'kept' }));
    expect(await brandNames()).toEqual(['kept']);
    expect([database.commitCount(ours), database.commitCount(theirs)]).toEqual([1, 0]);
  });

  test('without statements sends nothing and is not counted as a commit', async () => {
    const before = { ...database.statistics };
    expect(await database.write(ours, async () => 'done')).toBe('done');
    expect(database.statistics).toEqual(before);
    expect(database.commitCount(ours)).toBe(0);
  });

  for (const code of ['40001', '40P01']) {
    test(`that collides with another (${code}) runs again from the start`, async () => {
      const attempts: number[] = [];
      await database.write(ours, async (tx) => {
        attempts.push(tx.attempt);
        await tx.run(insertBrand({ id: tx.attempt, name: `try ${tx.attempt}` }));
        if (tx.attempt < 3) tx.queue(raise({ code }));
      });
      expect(attempts).toEqual([1, 2, 3]);
      expect(await brandNames()).toEqual(['try 3']);
      expect(database.statistics.retries).toBe(2);
    });
  }

  test('runs again when it violates a constraint it named, or on its own request', async () => {
    await run(ours, insertBrand({ id: 1, name: 'taken' }));
    const retryOnConstraints = ['brands_of_name'];
    await database.write(
      ours,
      async (tx) => tx.queue(insertBrand({ id: 2, name: tx.attempt === 1 ? ' TAKEN ' : 'free' })),
      { retryOnConstraints },
    );
    await database.write(ours, async (tx) => {
      if (tx.attempt < 3) throw new RetryWrite();
      tx.queue(insertBrand({ id: 3, name: 'asked' }));
    });
    expect(await brandNames()).toEqual(['taken', 'free', 'asked']);
    await expect(
      database.write(ours, async (tx) => tx.queue(insertBrand({ id: 1, name: 'other' })), {
        retryOnConstraints,
      }),
    ).rejects.toMatchObject({ constraint: 'brands_pkey' });
  });

  test('runs again for a constraint that a server of several names in its message alone, with the number of a part', () => {
    const told = Object.assign(new Error('… violates check constraint "stock_never_negative_102891"'), {
      code: '23514',
    });
    expect(isCollision(told, { retryOnConstraints: ['stock_never_negative'] })).toBe(true);
    expect(isCollision(told, { retryOnConstraints: ['stock_never'] })).toBe(false);
  });

  test('gives up with TRANSACTION_RETRY_EXCEEDED after eight tries, and writes nothing', async () => {
    let attempts = 0;
    await expect(
      database.write(ours, async (tx) => {
        attempts = tx.attempt;
        await tx.run(insertBrand({ id: 1, name: 'x' }));
        tx.queue(raise({ code: '40001' }));
      }),
    ).rejects.toMatchObject({ code: 'TRANSACTION_RETRY_EXCEEDED' });
    expect(attempts).toBe(8);
    expect(await brandNames()).toEqual([]);
  });

  test('that fills the disk is refused with STORAGE_FULL, writes nothing, and succeeds once there is space', async () => {
    for (const place of ['run', 'commit'] as const) {
      const refused = database.write(ours, async (tx) => {
        await tx.run(
          insertBrand({ id: 1, name: 'no room' }),
          place === 'run' ? raise({ code: '53100' }) : null,
        );
        tx.queue(raise({ code: '53100' }));
      });
      await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      expect(await brandNames()).toEqual([]);
    }
    await run(ours, insertBrand({ id: 1, name: 'room' }));
    expect(await brandNames()).toEqual(['room']);
  });

  test('that deadlocks with another runs again, and both succeed', async () => {
    await run(ours, insertBrand({ id: 1, name: 'first' }));
    await run(ours, insertBrand({ id: 2, name: 'second' }));
    const wide = new Database(testDatabase.serving, 2);
    const bothHoldOne = barrier(2);
    const swap = (first: number, second: number) =>
      wide.write(ours, async (tx) => {
        await tx.run(lockBrand({ id: first }));
        if (tx.attempt === 1) await bothHoldOne();
        await tx.run(lockBrand({ id: second }));
      });
    await Promise.all([swap(1, 2), swap(2, 1)]);
    expect(wide.statistics.retries).toBeGreaterThan(0);
    await wide.close();
  });
});

describe('a pool', () => {
  test('is never taken by one organization alone, and those that wait take turns', async () => {
    const shared = new Database(testDatabase.serving, 4, undefined, patientDeadlines);
    const held: OrganizationId[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const hold = (organization: OrganizationId) =>
      shared.write(organization, async (tx) => {
        // Its turn, not its answer: the answer of one connection can be late on a busy machine.
        held.push(organization);
        await tx.run(session({}));
        await gate;
      });
    const noisy = Array.from({ length: 20 }, () => hold(ours));
    await expect.poll(() => held.length).toBe(3);
    const [[quiet]] = await shared.read(theirs, session({}));
    expect(quiet!.tenant).toBe('2');
    const others = Array.from({ length: 3 }, () => hold(theirs));
    await expect.poll(() => held.length).toBe(4);
    open();
    await Promise.all([...noisy, ...others]);
    expect(held).toHaveLength(23);
    // Two waited behind seventeen others.
    expect(held.lastIndexOf(theirs)).toBeLessThan(12);
    await shared.close();
  });
});

describe('a lost connection', () => {
  test('in the middle of a write answers SERVICE_UNAVAILABLE, writes nothing, and is replaced', async () => {
    for (const place of ['run', 'commit'] as const) {
      const lost = database.write(ours, async (tx) => {
        const [[{ pid } = { pid: 0 }]] = await tx.run(session({}), insertBrand({ id: 1, name: 'lost' }));
        await endSession(pid);
        if (place === 'run') await tx.run(selectAllBrands({}));
      });
      await expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await brandNames()).toEqual([]);
    }
  });

  test('while a statement runs answers SERVICE_UNAVAILABLE to that caller only', async () => {
    const nap = statement<Record<never, never>, never>('test_ended_nap', 'select pg_sleep(20) as ended_nap');
    for (const napping of [() => database.read(ours, nap({})), () => run(ours, nap({}))]) {
      const reply = expect(napping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await endSession(await pidOfNap());
      await reply;
    }
    expect(await brandNames()).toEqual([]);
  });

  test('while it is idle fails no request', async () => {
    const { pid } = (await database.global(session({})))[0]!;
    await endSession(pid);
    // The end of the socket is read before the next query is sent.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await brandNames()).toEqual([]);
    await expect(database.ping()).resolves.toBeUndefined();
  });
});

describe('readiness', () => {
  test('fails while the disk has no room for a file, and returns with it', async () => {
    await isReadyAgain();
    // The server refuses a file in the same place as a full disk does.
    await inServingDatabase('set temp_file_limit = 0');
    expect(await database.isReady()).toBe(false);
    expect(await tryDatabase(testDatabase.serving, 20_000)).toMatchObject({
      reached: 'connection',
      error: { code: '53400' },
    });
    // Reading still works, so that only a trial of a write can tell.
    await expect(database.ping()).resolves.toBeUndefined();
    await inServingDatabase('reset temp_file_limit');
    await isReadyAgain();
  });
});

/** A loaded machine may take longer than a probe waits. */
function isReadyAgain(): Promise<void> {
  return expect.poll(() => database.isReady(), { timeout: 20_000 }).toBe(true);
}

/** Only the server's own login may change this setting; new connections have it. */
async function inServingDatabase(change: string): Promise<void> {
  await execute(inject('server').admin, `alter database ${servingDatabaseName()} ${change}`);
}

function servingDatabaseName(): string {
  const { connectionString, database: name } = testDatabase.serving;
  return name ?? new URL(connectionString!).pathname.slice(1);
}

/** Uses the server's own login: the serving role can neither see nor end another role's session. */
async function endSession(pid: number): Promise<void> {
  await execute(inject('server').admin, `select pg_terminate_backend(${pid}, 5000)`);
}

async function pidOfNap(): Promise<number> {
  const asleep = `select pid from pg_stat_activity
     where datname = '${servingDatabaseName()}' and query like '%ended_nap%' and wait_event = 'PgSleep'`;
  for (;;) {
    const [row] = await execute(inject('server').admin, asleep);
    if (row !== undefined) return row.pid as number;
  }
}

/** Resolves for all callers once `count` of them have arrived. */
function barrier(count: number): () => Promise<void> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    if (++waiting === count) open();
    return opened;
  };
}

describe('a read lease', () => {
  const add = (on: Database, id: number) =>
    on.write(ours, (tx) => tx.run(insertBrand({ id, name: `brand ${id}` })));
  const leased = (ms: number, table: string) =>
    new Database(testDatabase.serving, 1, { ms, tables: new Set([table]) });

  test('ends before a write of its tables is answered, also for queued statements', async () => {
    const patient = leased(50, 'brands');
    const beganAtMs = performance.now();
    await add(patient, 501);
    const onceMs = performance.now() - beganAtMs;
    await patient.write(ours, async (tx) => tx.queue(renameAllBrands({ name: 'queued' })));
    const twiceMs = performance.now() - beganAtMs;
    await patient.close();
    expect([onceMs >= 50, twiceMs >= 100]).toEqual([true, true]);
  });

  test('does not delay writes of other tables, reads, or writes without statements', async () => {
    const never = 3_600_000;
    const others = leased(never, 'products');
    await add(others, 502);
    await others.close();
    const brands = leased(never, 'brands');
    await brands.write(ours, (tx) => tx.run(lockBrand({ id: 502 })));
    await expect(add(brands, 502)).rejects.toMatchObject({ code: '23505' });
    await brands.close();
  });
});

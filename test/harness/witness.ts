import { Client } from 'pg';
import { inject } from 'vitest';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { TestDatabase } from './test-database.ts';

/** Reads a database independently of the program, with the rights of its owner. */
export interface Witness {
  /**
   * A digest of every table's rows, of one organization or all. Two equal digests mean that no row was written
   * between them. It covers the transactions that wrote the rows: an update changes its row's transaction, and
   * reading whole rows took most of the time of these tests.
   */
  contents(organization?: OrganizationId): Promise<Readonly<Record<string, string>>>;
  /** Runs a statement as the owner; with an organization, its rows are visible. */
  query(
    statement: string,
    values?: readonly unknown[],
    organization?: OrganizationId,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the columns that it asked for
  ): Promise<any[]>;
  /** While the work runs, the table takes no new row. */
  withoutRoomIn(table: string, work: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/**
 * Counts the writing statements of all sessions, also of transactions that roll back: without one since the last digest there
 * is nothing to read again, and reading took most of the time of the database in these tests. A sequence counts at once,
 * before the commit.
 */
const countingWrites = `
  do $counting$
  declare name regclass;
  begin
    create schema if not exists witness;
    create sequence if not exists witness.writes;
    create or replace function witness.note_write() returns trigger language plpgsql security definer as
      $$ begin perform nextval('witness.writes'); return null; end $$;
    for name in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('create or replace trigger witness_notes after insert or update or delete on %s
                        for each statement execute function witness.note_write()', name);
      execute format('create or replace trigger witness_notes_truncate after truncate on %s
                        for each statement execute function witness.note_write()', name);
    end loop;
  end $counting$`;

/** Tables that hold nothing of anyone: marks of readers, and what authenticators are asked, which is gone within minutes. */
const passing = ['change_feeds', 'staff_passkey_challenges'];

/**
 * Refuses new rows in the tables that are named in `witness.full`. A trigger for each proof would take much longer: every
 * session plans its statements on a changed table again.
 */
const refusingRows = (table: string): string => `
  create schema if not exists witness;
  create table if not exists witness.full (name text);
  create or replace function witness.refuse() returns trigger language plpgsql security definer as
    $$ begin
      if exists (select from witness.full where name = tg_table_name) then raise 'no room'; end if;
      return new;
    end $$;
  create or replace trigger witness_refuses before insert on ${table}
    for each row execute function witness.refuse()`;

/**
 * A distributed table takes no trigger for a whole statement. What a transaction writes is in the log of its server at once, also if
 * it rolls back; a mark that moved for another reason only makes the witness read again.
 */
const placesInLogs = `select string_agg(nodeid || ' ' || result, ' ' order by nodeid) as count
  from run_command_on_all_nodes('select pg_current_wal_insert_lsn()')`;

/** A proof has a trigger of its own there: a table of full ones would be on another server than the rows. */
const refusingHere = (table: string): readonly string[] => [
  'create schema if not exists witness',
  `create or replace function witness.refuse() returns trigger language plpgsql as
     $$ begin raise 'no room'; end $$`,
  `create trigger witness_refuses before insert on ${table} for each row execute function witness.refuse()`,
];

/** Only what a transaction sets is told to the server of an organization. */
async function onItsServer(
  client: Client,
  organization: OrganizationId,
  statement: string | { readonly name: string; readonly text: string },
  values: readonly unknown[],
) {
  await client.query('begin');
  try {
    await client.query(`set local app.organization_id = '${organization}'`);
    // As for the role that serves: triggers read and write on the server where they run.
    await client.query('set local citus.allow_nested_distributed_execution = on');
    return (await client.query(statement as string, [...values])).rows;
  } finally {
    await client.query('commit');
  }
}

export async function openWitness(database: TestDatabase): Promise<Witness> {
  const { isDistributed } = inject('server');
  const client = new Client(database.owner);
  await client.connect();
  if (isDistributed) await client.query('set citus.enable_unsafe_triggers = on');
  let entered: OrganizationId | undefined;
  /** Row-level security also applies to the owner, unless it is a superuser. */
  const enter = async (organization: OrganizationId | undefined) => {
    if (organization === entered) return;
    entered = organization;
    await client.query(`select set_config('app.organization_id', $1, false)`, [String(organization ?? '')]);
  };
  const query: Witness['query'] = async (statement, values = [], organization = undefined) => {
    if (isDistributed && organization !== undefined) {
      return onItsServer(client, organization, statement, values);
    }
    await enter(organization);
    return (await client.query(statement, [...values])).rows;
  };
  const tables: { name: string; is_tenant: boolean }[] = await query(
    `select c.relname as name, p.oid is not null as is_tenant from pg_class c
       left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  // An age counts from the newest transaction, which moves; its distance from the age of the first one does not. A
  // transaction's number itself is available only as text, which takes half as long again.
  const digestText = (isTenant: boolean) =>
    tables
      .filter(({ name, is_tenant: ofTenant }) => ofTenant === isTenant && !passing.includes(name))
      .map(({ name }) => {
        const column = name === 'organizations' ? 'id' : 'organization_id';
        const where = isTenant ? `where ${column} = $1` : '';
        // Reading the feed of changes may publish events: that gives them positions, and changes nothing else.
        if (name === 'outbox_events') {
          return `select '${name}' as name, count(*) || ' ' || coalesce(sum(id), 0) as digest from ${name} t ${where}`;
        }
        return `select '${name}' as name,
                       count(*) || ' ' || count(*) * age('3'::xid) - coalesce(sum(age(t.xmin)), 0) as digest
                  from ${name} t ${where}`;
      })
      .join(' union all ');
  const digestTexts = { ofOrganization: digestText(true), ofNone: digestText(false) };
  /** Prepared: planning a union of all tables takes longer than reading them, and tests run it thousands of times. */
  const digests = async (name: keyof typeof digestTexts, organization?: OrganizationId) => {
    const values = name === 'ofNone' ? [] : [organization];
    const text = digestTexts[name];
    if (isDistributed && organization !== undefined) {
      return onItsServer(client, organization, { name, text }, values);
    }
    await enter(organization);
    return (await client.query<{ name: string; digest: string }>({ name, text, values })).rows;
  };

  const refusing = new Set<string>();
  /** Contents by organization, with the number of writing statements before they were read. */
  const known = new Map<OrganizationId | undefined, { writes: string; contents: Record<string, string> }>();
  let isCounting = false;
  const countWrites = async () => {
    if (isDistributed) return String((await query(placesInLogs))[0].count);
    if (!isCounting) await client.query(countingWrites);
    isCounting = true;
    return String((await query('select last_value as count from witness.writes'))[0].count);
  };

  const withTriggerOf = async (table: string, work: () => Promise<void>) => {
    for (const statement of refusingHere(table)) await query(statement);
    try {
      await work();
    } finally {
      await query(`drop trigger witness_refuses on ${table}`);
    }
  };

  return {
    contents: async (only) => {
      // All rows of all files would be read again and again, and every statement of later files counted.
      if (database.isShared) throw new Error('A file that reads contents needs startOwnTestService()');
      const writes = await countWrites();
      const last = known.get(only);
      if (last?.writes === writes) return last.contents;
      const contents: Record<string, string> = {};
      for (const { name, digest } of await digests('ofNone', only)) contents[name] = digest;
      const organizations =
        only === undefined ? await query('select id from organizations order by id') : [{ id: only }];
      for (const { id } of organizations) {
        for (const { name, digest } of await digests('ofOrganization', id)) {
          contents[`${name} of ${id}`] = digest;
        }
      }
      known.set(only, { writes, contents });
      return contents;
    },
    query,
    withoutRoomIn: async (table, work) => {
      if (isDistributed) return withTriggerOf(table, work);
      if (!refusing.has(table)) await client.query(refusingRows(table));
      refusing.add(table);
      await query('insert into witness.full values ($1)', [table]);
      try {
        await work();
      } finally {
        await query('delete from witness.full');
      }
    },
    end: () => client.end(),
  };
}

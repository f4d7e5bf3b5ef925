import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { MasterKey } from '../../platform/storage/envelope.ts';
import { unwrapKey } from '../../platform/storage/envelope.ts';
import type { MovedTable } from './moved-tables.ts';

const settings = [
  ...["timezone = 'UTC'", "datestyle = 'ISO, MDY'", "intervalstyle = 'postgres'", 'extra_float_digits = 1'],
  ...["bytea_output = 'hex'", 'statement_timeout = 0', 'idle_in_transaction_session_timeout = 0'],
];

/**
 * Begins the transaction of a move: the same text for the same value, whatever the settings of the servers are. All of it is set for the
 * transaction, since a distributed database tells its servers of nothing else. `mode`: as `begin` takes it.
 */
export async function beginMove(client: Client, mode = ''): Promise<void> {
  // One server knows no such setting, and keeps it.
  await client.query(`set citus.propagate_set_commands = 'local'; begin ${mode}`);
  for (const setting of settings) await client.query(`set local ${setting}`);
}

/** Enters an organization for the rest of the transaction, on each server: `set_config` would enter it on the one that runs it only. */
export async function enterOrganization(client: Client, organization: number): Promise<void> {
  await client.query(`set local app.organization_id = '${Number(organization)}'`);
}

/** Count and digest of the rows of a table: the order of rows does not matter. */
export interface RowSum {
  readonly rows: number;
  /** In hexadecimal. */
  readonly digest: string;
}

/** A row as it travels: without the ids of its deployment. */
interface TravelingRow {
  /** The columns as JSON text, as PostgreSQL writes them. */
  readonly text: string;
  /** The name of the integrator that it names; empty: the row says that it is none, as keys of orders that staff place do. */
  readonly integrator?: string | undefined;
  /** What was sealed, open, in Base64, by column. */
  readonly open?: Readonly<Record<string, string>> | undefined;
}

/** What turns the rows of a deployment into traveling ones. */
export interface Reading {
  readonly client: Client;
  readonly organization: number;
  /** The names of integrators by their ids. */
  readonly integrators: ReadonlyMap<string, string>;
  readonly masters: readonly MasterKey[];
}

const rowsPerFetch = 500;

/**
 * The rows of a table as lines, some at a time, in the order of the primary key, on the snapshot of the session's transaction. An
 * organization that was imported gives the same lines as the one that was exported.
 */
export async function* readRows(reading: Reading, table: MovedTable): AsyncGenerator<readonly string[]> {
  const { client } = reading;
  await client.query(`declare moved_rows no scroll cursor for ${selectOf(reading, table)}`);
  try {
    for (;;) {
      const { rows } = await client.query<Record<string, string | Buffer | null>>(
        `fetch ${rowsPerFetch} from moved_rows`,
      );
      if (rows.length === 0) return;
      yield rows.map((row) => JSON.stringify(traveling(reading, table, row)));
      if (rows.length < rowsPerFetch) return;
    }
  } finally {
    await client.query('close moved_rows').catch(() => {});
  }
}

function selectOf(
  { organization }: Reading,
  { name, tenant, columns, key, sealed, hasIntegrator }: MovedTable,
) {
  const shown = [
    `(select row_to_json(r) from (select ${columns.map((column) => `t.${quoted(column)}`).join(', ')}) r)::text as line`,
    ...(hasIntegrator ? ['t.integrator_id::text as integrator'] : []),
    ...sealed.flatMap((column, index) => [
      `t.${quoted(column.sealed)} as sealed_${index}`,
      `t.${quoted(column.keyId)} as key_${index}`,
      `t.${quoted(column.idColumn)}::text as id_${index}`,
    ]),
    // The chain of the audit log says under which id it began.
    ...(name === 'audit_chains' ? ['coalesce(t.began_as, t.organization_id)::text as began'] : []),
  ];
  return `select ${shown.join(', ')} from ${quoted(name)} t where t.${tenant} = ${Number(organization)}
    order by ${key.map((column) => `t.${quoted(column)}`).join(', ')}`;
}

function traveling(
  { organization, integrators, masters }: Reading,
  table: MovedTable,
  row: Readonly<Record<string, string | Buffer | null>>,
): TravelingRow & { readonly began?: string } {
  const open: Record<string, string> = {};
  for (const [index, column] of table.sealed.entries()) {
    const wrapped = row[`sealed_${index}`] as Buffer | null;
    if (wrapped === null) continue;
    const label = column.label(organization, row[`id_${index}`] as string);
    const masterKeyId = row[`key_${index}`] as string;
    open[column.sealed] = unwrapKey(masters, { masterKeyId, wrapped }, label).toString('base64');
  }
  const line = row.line as string;
  const integrator = row.integrator as string | null | undefined;
  return {
    // Past entries of the audit log stay as they were linked.
    text: table.name === 'audit_entries' ? line : withOrganization(line, organization, 0),
    ...(integrator != null && { integrator: integrator === noIntegrator ? '' : integrators.get(integrator) }),
    ...(Object.keys(open).length > 0 && { open }),
    ...(row.began != null && { began: row.began as string }),
  };
}

/** In a column that must name an integrator: none. */
export const noIntegrator = '0';

/** Puts one id of an organization for another where JSON names it, also in a text that is JSON itself. */
export function withOrganization(text: string, from: number, to: number): string {
  const named = new RegExp(`(\\\\?"organizationId\\\\?": ?)${from}(?![0-9])`, 'g');
  return text.replace(named, `$1${to}`);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Sums lines up; see docs/CHECKSUMS.md, which sums records the same way. */
export class LineSum {
  readonly #digest = Buffer.alloc(16);
  #rows = 0;

  add(line: string): void {
    const hash = createHash('sha256').update(line).digest();
    for (let at = 0; at < 16; at += 1) this.#digest[at]! ^= hash[at]!;
    this.#rows += 1;
  }

  get sum(): RowSum {
    return { rows: this.#rows, digest: this.#digest.toString('hex') };
  }
}

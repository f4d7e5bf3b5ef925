import type { Client } from 'pg';

/*
 * What of a table goes along when an organization moves to another deployment. A table of an organization moves with all its rows
 * unless it stands here, so a new table needs nothing.
 */

/** Tables that stay behind: what belongs to this deployment, or to a key or a session that ends with the move. */
const leftBehind: ReadonlySet<string> = new Set([
  // Keys are issued anew, and sessions begin anew.
  ...['client_key_digests', 'customer_codes', 'customer_sessions', 'staff_devices', 'staff_half_sign_ins'],
  ...['staff_identity_sign_ins', 'staff_invitations', 'staff_passkey_challenges', 'staff_session_digests'],
  'staff_sessions',
  // A passkey works at the address where it was made only.
  'staff_passkeys',
  // Replies for callers that send again within a day.
  'idempotency_keys',
  // Digests under the master key of the deployment: a scan notes them again.
  'customer_licenses',
  // Attempts to send to addresses, by the deployment that sends.
  'webhook_deliveries',
  // Made again of names, with the organization's new id in every token.
  ...['product_texts', 'product_searches', 'package_searches'],
]);

/** A column that is sealed with a master key of its deployment: it travels open, and is sealed anew. */
interface SealedColumn {
  readonly sealed: string;
  readonly keyId: string;
  /** What the seal is of: the names of the columns that stand in it, behind the organization. */
  label(organization: number, id: string): string;
  /** The column of the id in the label. */
  readonly idColumn: string;
}

const sealedColumns: Readonly<Record<string, readonly SealedColumn[]>> = {
  customers: [
    {
      ...{ sealed: 'patient_number_sealed', keyId: 'patient_number_key_id', idColumn: 'id' },
      label: (organization) => `patient number ${organization}`,
    },
  ],
  drivers: [
    {
      ...{ sealed: 'license_sealed', keyId: 'license_key_id', idColumn: 'id' },
      label: (organization, id) => `driver license ${organization} ${id}`,
    },
  ],
  mails: [
    {
      ...{ sealed: 'sealed', keyId: 'sealed_master_key_id', idColumn: 'id' },
      label: (organization, id) => `mail ${organization}/${id}`,
    },
  ],
  payment_connections: [
    {
      ...{ sealed: 'secrets', keyId: 'secrets_master_key_id', idColumn: 'id' },
      label: (organization, id) => `payment connection ${organization}/${id}`,
    },
  ],
  staff_identity_providers: [
    {
      ...{ sealed: 'client_secret', keyId: 'client_secret_master_key_id', idColumn: 'organization_id' },
      label: (organization) => `identity provider secret ${organization}`,
    },
  ],
  staff_totp_secrets: [
    {
      ...{ sealed: 'secret', keyId: 'secret_master_key_id', idColumn: 'staff_id' },
      label: (organization, id) => `totp secret ${organization}/${id}`,
    },
  ],
  state_connections: [
    {
      ...{ sealed: 'sealed_key', keyId: 'sealed_key_master_key_id', idColumn: 'id' },
      label: (organization, id) => `state connection ${organization}/${id}`,
    },
  ],
  webhook_endpoints: [
    {
      ...{ sealed: 'secret', keyId: 'secret_master_key_id', idColumn: 'id' },
      label: (organization, id) => `webhook endpoint ${organization}/${id}`,
    },
    {
      ...{ sealed: 'former_secret', keyId: 'former_secret_master_key_id', idColumn: 'id' },
      label: (organization, id) => `webhook endpoint ${organization}/${id}`,
    },
  ],
};

/** Columns that are not the same in both deployments: the import says what they are. */
const ownColumns: Readonly<Record<string, readonly string[]>> = {
  organizations: ['suspended_at', 'suspended_because', 'ends_at'],
  client_keys: ['key_prefix'],
  // A digest of the number under the master key, which finds the patient.
  customers: ['patient_number_digest'],
  // The file is sealed anew, under a new name.
  customer_documents: ['file_name', 'master_key_id', 'wrapped_key'],
  // One reporter only: the owner switches it on once the former deployment is silent.
  state_connections: ['is_on'],
  audit_chains: ['began_as'],
  // The sandbox of a trial stays behind.
  moves: ['trial_organization_id'],
};

/** A table whose rows move. */
export interface MovedTable {
  readonly name: string;
  /** The column of the organization. */
  readonly tenant: 'organization_id' | 'id';
  /** The columns that are written, without that of the organization and those of `own`; sorted by name. */
  readonly columns: readonly string[];
  /** The primary key, for the order of rows. */
  readonly key: readonly string[];
  readonly sealed: readonly SealedColumn[];
  readonly own: readonly string[];
  /** Whether its rows name an integrator, of whom the other deployment has another id. */
  readonly hasIntegrator: boolean;
  /** The columns whose values the database counts itself. */
  readonly counted: readonly string[];
}

const selectTables = `
  select c.relname as name,
         (select array_agg(a.attname::text order by a.attname) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
         (select array_agg(a.attname::text) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> '') as counted,
         (select array_agg(a.attname::text order by k.place)
            from pg_index i
           cross join lateral unnest(i.indkey::smallint[]) with ordinality k(number, place)
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
           where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and (c.relname = 'organizations' or exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
   order by c.relname <> 'organizations', c.relname`;

/** The tables of this schema whose rows move, the organization itself first. */
export async function movedTables(client: Client): Promise<readonly MovedTable[]> {
  const { rows } = await client.query<{
    name: string;
    columns: string[];
    counted: string[] | null;
    key: string[];
  }>(selectTables);
  return rows
    .filter(({ name }) => !leftBehind.has(name) && name !== 'sandboxes')
    .map(({ name, columns, counted, key }) => {
      const tenant = name === 'organizations' ? 'id' : 'organization_id';
      const sealed = sealedColumns[name] ?? [];
      const own = ownColumns[name] ?? [];
      const apart = new Set([tenant, 'integrator_id', ...own]);
      for (const column of sealed) apart.add(column.sealed).add(column.keyId);
      return {
        ...{ name, tenant, key, sealed, own, counted: counted ?? [] },
        columns: columns.filter((column) => !apart.has(column)),
        hasIntegrator: columns.includes('integrator_id'),
      };
    });
}

import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { nameText } from '../../kernel/name-text.ts';
import { Named, Text } from '../http/schemas.ts';
import { type SqlParameters, type Statement, statement } from '../statements/statement.ts';

/** A field of a setting: its schema in requests, its column, and what it is when it is absent. */
export interface SettingField<Schema extends TSchema = TSchema, Stored = Static<Schema>> {
  readonly schema: Schema;
  /** Null: other tables have it, `selected` reads it, and the setting's `beside` writes it. */
  readonly column: string | null;
  /** SQL that reads it; default: the column. */
  readonly selected?: string;
  /** A structure in a column of `jsonb`. */
  readonly isStructure?: true;
  /**
   * Its value when creation or replacement does not send it. Without one, the field is required there. Undefined: the
   * setting makes one when it is created, and a replacement leaves it as it is.
   */
  readonly absent?: Static<Schema> | undefined;
  /** Personal data: the audit log says that it changed, and no value. */
  readonly isPersonal?: true;
  /** The value as it is stored; may fail with INVALID_PARAMS. */
  reads?(sent: Static<Schema>): Stored;
  /** The value as replies show it. */
  shows?(stored: Stored): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: fields of all types, whose functions take what they made.
export type SettingFields = Readonly<Record<string, SettingField<any, any>>>;

/** Declares a field. The type of its value is that of the schema, unless `reads` makes another one. */
export function settingField<Schema extends TSchema, Stored = Static<Schema>>(
  schema: Schema,
  column: string | null,
  options: Omit<SettingField<Schema, Stored>, 'schema' | 'column'> = {},
): SettingField<Schema, Stored> {
  return { schema, column, ...options };
}

/** A name that no other one has. The table's `uniqueName` keeps it so. `refuses` refuses further names. */
export function uniqueNameField(refuses?: (name: string) => void) {
  return settingField(
    Text({ min: 1, max: 200, description: 'Unique, ignoring case and outer spaces' }),
    'name',
    {
      reads: (sent) => {
        const name = nameText(sent);
        if (name === '') throw failure('INVALID_PARAMS', 'name must be text that is not blank.');
        refuses?.(name);
        return name;
      },
    },
  );
}

/** The values of all fields, as they are stored. */
export type SettingValues<Fields extends SettingFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends SettingField<TSchema, infer Stored> ? Stored : never;
};

/** A setting as it is stored; times are milliseconds. */
export type KeptSetting<Fields extends SettingFields> = SettingValues<Fields> & {
  readonly id: number;
  readonly organizationId: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was archived or ended; null: it was not, as for all settings that are deleted instead. */
  readonly archivedAt: number | null;
};

/** A row need not say that it is not archived, or whose it is unless replies show that. */
export type ShownSetting<Fields extends SettingFields> = SettingValues<Fields> &
  Omit<KeptSetting<Record<never, never>>, 'organizationId' | 'archivedAt'> & {
    readonly organizationId?: number;
    readonly archivedAt?: number | null;
  };

/**
 * How a setting ends. `archived` and `ended`: it stays listed, with `archived_at` or `ended_at`. `deleted`: the row stays
 * and is never read again. `removed`: the row goes.
 */
export type SettingEnd = 'archived' | 'ended' | 'deleted' | 'removed';

/** Whether an end can be seen: the setting stays in its list. */
export function staysListed(ends: SettingEnd): boolean {
  return ends === 'archived' || ends === 'ended';
}

const endColumns = { archived: 'archived_at', ended: 'ended_at', deleted: 'deleted_at', removed: null };

interface TableOptions<Fields extends SettingFields> {
  readonly fields: Fields;
  readonly ends: SettingEnd;
  /** `for no key update`: rows that refer to the setting can be written while it changes. */
  readonly lock: 'for update' | 'for no key update';
  /** The order of the list; default: by id (D16). */
  readonly order?: string;
  /** SQL of names without case and outer spaces, and the constraint that keeps them unique. */
  readonly uniqueName?: { readonly key: string; readonly constraint?: string };
}

/** The statements on the table of a setting, made while the module loads. */
export interface SettingTable<Fields extends SettingFields> extends TableOptions<Fields> {
  /** All of them, archived ones included. */
  readonly selectAll: Statement<Record<never, never>, KeptSetting<Fields>>;
  /** Those that have not ended at an instant; null: a setting that does not end. */
  readonly selectLive: Statement<{ at: string }, KeptSetting<Fields>> | null;
  /** One of them. */
  readonly select: Statement<{ id: number }, KeptSetting<Fields>>;
  /** The same, locked until the transaction ends. What other tables have is as it was before a wait for the lock. */
  readonly lockRow: Statement<{ id: number }, KeptSetting<Fields>>;
  /** Whether other tables have some of its fields. */
  readonly hasFieldsElsewhere: boolean;
  readonly insert: Statement<SqlParameters, never>;
  readonly update: Statement<SqlParameters, never>;
  /** The values as parameters of `insert` and `update`. */
  parameters(values: SettingValues<Fields>): SqlParameters;
  /** Deletes the row, or marks it as deleted. */
  readonly remove: Statement<{ id: number; at: string }, never>;
  /** Another setting that has a name, without case and outer spaces; null: names are not unique. */
  readonly findName: Statement<{ name: string; id: number }, { id: number }> | null;
}

/**
 * Declares the table of a setting: `id`, `created_at`, `updated_at`, a column for each field, and the column of its end
 * unless its row goes.
 */
export function settingTable<Fields extends SettingFields>(
  table: string,
  options: TableOptions<Fields>,
): SettingTable<Fields> {
  const { fields, ends, lock, uniqueName, order = 'id' } = options;
  const named = (verb: string) => `${verb}_setting_${table}`;
  const all = Object.entries(fields);
  const own = all.flatMap(([name, { column }]) => (column === null ? [] : [[name, column] as const]));
  const isListed = staysListed(ends);
  const endColumn = endColumns[ends];
  const shown = [
    'id',
    'organization_id as "organizationId"',
    ...all.map(([name, { column, selected = column }]) => `${selected} as "${name}"`),
    'created_at as "createdAt"',
    // Rows that were never changed have none in some tables.
    'coalesce(updated_at, created_at) as "updatedAt"',
    `${isListed ? endColumn : 'null::timestamptz'} as "archivedAt"`,
  ].join(', ');
  const those = `organization_id = :organizationId${ends === 'deleted' ? ' and deleted_at is null' : ''}`;
  const one = `select ${shown} from ${table} where ${those} and id = :id`;
  const changes = own.map(([name, column]) => `${column} = :${name}`);
  return {
    ...options,
    hasFieldsElsewhere: own.length < all.length,
    selectAll: statement(named('list'), `select ${shown} from ${table} where ${those} order by ${order}`),
    selectLive:
      ends === 'ended'
        ? statement(
            named('list_live'),
            `select ${shown} from ${table} where ${those} and (ended_at is null or ended_at > :at) order by ${order}`,
          )
        : null,
    select: statement(named('get'), one),
    lockRow: statement(named('lock'), `${one} ${lock}`),
    insert: statement(
      named('insert'),
      `insert into ${table} (organization_id, id, ${own.map(([, column]) => column).join(', ')}, created_at, updated_at)
       values (:organizationId, :id, ${own.map(([name]) => `:${name}`).join(', ')}, :at, :at)`,
    ),
    update: statement(
      named('update'),
      `update ${table} set ${changes.join(', ')}${isListed ? `, ${endColumn} = :archivedAt` : ''}, updated_at = :at
        where organization_id = :organizationId and id = :id`,
    ),
    parameters: (values) =>
      Object.fromEntries(
        own.map(([name]) => {
          const value = values[name as keyof Fields];
          const isText = fields[name]!.isStructure && value !== null;
          return [name, isText ? JSON.stringify(value) : value];
        }),
      ) as SqlParameters,
    remove: statement(
      named('remove'),
      endColumn === null
        ? `delete from ${table} where organization_id = :organizationId and id = :id`
        : `update ${table} set ${endColumn} = :at, updated_at = :at where organization_id = :organizationId and id = :id`,
    ),
    findName: uniqueName
      ? statement(
          named('find_name_of'),
          `select id from ${table}
            where ${those}${isListed ? ` and ${endColumn} is null` : ''} and ${uniqueName.key} = lower(btrim(:name::text))
              and id <> :id limit 1`,
        )
      : null,
  };
}

/** The schemas of all fields, as replies show them. */
export function schemasOf<Fields extends SettingFields>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Fields]: Fields[Name]['schema'];
  };
}

/** The body that creates or replaces a setting: required fields first. */
export function wholeBody(fields: SettingFields, name?: string) {
  const isOptional = (name: string) => 'absent' in fields[name]!;
  const names = Object.keys(fields);
  const required = names.filter((name) => !isOptional(name)).map((name) => [name, fields[name]!.schema]);
  const optional = names.filter(isOptional).map((name) => [name, Type.Optional(fields[name]!.schema)]);
  const body = Type.Object(Object.fromEntries([...required, ...optional]));
  return name === undefined ? body : Named(name, body);
}

/** The body that changes given fields. */
export function partialBody(fields: SettingFields, others: TProperties) {
  const optional = Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return Type.Object({ ...Object.fromEntries(optional), ...others });
}

/** What a request sends of a setting. */
export type SentSetting<Fields extends SettingFields> = {
  readonly [Name in keyof Fields]: Static<Fields[Name]['schema']>;
};

/** The values of a body, with those of absent fields. */
export function wholeValues<Fields extends SettingFields>(fields: Fields, body: object): SentSetting<Fields> {
  const sent = body as Readonly<Record<string, unknown>>;
  const values = Object.entries(fields).map(([name, { absent }]) => [
    name,
    sent[name] === undefined ? absent : sent[name],
  ]);
  return Object.fromEntries(values) as SentSetting<Fields>;
}

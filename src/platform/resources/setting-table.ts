import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { type SqlParameters, type Statement, statement } from '../database/statement.ts';

/** A field of a setting: its schema in requests, its column, and what it is when it is absent. */
export interface SettingField<Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  readonly column: string;
  /** Its value when creation or replacement does not send it. Without one, the field is required there. */
  readonly absent?: Static<Schema>;
  /** Personal data: the audit log says that it changed, and no value. */
  readonly isPersonal?: true;
  /** The value as it is stored; may fail with INVALID_PARAMS. */
  reads?(sent: Static<Schema>): Static<Schema>;
  /** The value as replies show it. */
  shows?(stored: Static<Schema>): Static<Schema>;
}

export type SettingFields = Readonly<Record<string, SettingField>>;

/** Declares a field. The type of its value is that of the schema. */
export function settingField<Schema extends TSchema>(
  schema: Schema,
  column: string,
  options: Omit<SettingField<Schema>, 'schema' | 'column'> = {},
): SettingField<Schema> {
  return { schema, column, ...options };
}

/** The values of all fields. */
export type SettingValues<Fields extends SettingFields> = {
  readonly [Name in keyof Fields]: Static<Fields[Name]['schema']>;
};

/** A setting as it is stored; times are milliseconds. */
export type KeptSetting<Fields extends SettingFields> = SettingValues<Fields> & {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null: not archived, as for all settings that are deleted instead. */
  readonly archivedAt: number | null;
};

/**
 * How a setting ends. `archived`: it stays listed, with `archived_at`. `deleted`: the row stays and is never read again.
 * `removed`: the row goes.
 */
export type SettingEnd = 'archived' | 'deleted' | 'removed';

interface TableOptions<Fields extends SettingFields> {
  readonly fields: Fields;
  readonly ends: SettingEnd;
  /** `for no key update`: rows that refer to the setting can be written while it changes. */
  readonly lock: 'for update' | 'for no key update';
  /** The column of names without case and outer spaces, and the constraint that keeps it unique. */
  readonly uniqueName?: { readonly key: string; readonly constraint: string };
}

/** The statements on the table of a setting, made while the module loads. */
export interface SettingTable<Fields extends SettingFields> extends TableOptions<Fields> {
  /** All of them by id (D16), archived ones included. */
  readonly selectAll: Statement<Record<never, never>, KeptSetting<Fields>>;
  /** One of them. */
  readonly select: Statement<{ id: number }, KeptSetting<Fields>>;
  /** The same, locked until the transaction ends. */
  readonly lockRow: Statement<{ id: number }, KeptSetting<Fields>>;
  readonly insert: Statement<SqlParameters, never>;
  readonly update: Statement<SqlParameters, never>;
  /** Deletes the row, or marks it as deleted. */
  readonly remove: Statement<{ id: number; at: string }, never>;
  /** The setting that has a name, without case and outer spaces; null: names are not unique. */
  readonly findName: Statement<{ name: string }, { id: number }> | null;
}

/**
 * Declares the table of a setting: `id`, `created_at`, `updated_at`, a column for each field, and `archived_at` or
 * `deleted_at` if it ends like that.
 */
export function settingTable<Fields extends SettingFields>(
  table: string,
  options: TableOptions<Fields>,
): SettingTable<Fields> {
  const { fields, ends, lock, uniqueName } = options;
  const named = (verb: string) => `${verb}_setting_${table}`;
  const list = Object.entries(fields);
  const isArchived = ends === 'archived';
  const shown = [
    'id',
    ...list.map(([name, { column }]) => `${column} as "${name}"`),
    'created_at as "createdAt"',
    // Rows that were never changed have none in some tables.
    'coalesce(updated_at, created_at) as "updatedAt"',
    `${isArchived ? 'archived_at' : 'null::timestamptz'} as "archivedAt"`,
  ].join(', ');
  const own = `organization_id = :organizationId${ends === 'deleted' ? ' and deleted_at is null' : ''}`;
  const one = `select ${shown} from ${table} where ${own} and id = :id`;
  const changes = list.map(([name, { column }]) => `${column} = :${name}`);
  const state = { archived: 'archived_at', deleted: 'deleted_at', removed: '' }[ends];
  return {
    ...options,
    selectAll: statement(named('list'), `select ${shown} from ${table} where ${own} order by id`),
    select: statement(named('get'), one),
    lockRow: statement(named('lock'), `${one} ${lock}`),
    insert: statement(
      named('insert'),
      `insert into ${table} (organization_id, id, ${list.map(([, { column }]) => column).join(', ')}, created_at, updated_at)
       values (:organizationId, :id, ${list.map(([name]) => `:${name}`).join(', ')}, :at, :at)`,
    ),
    update: statement(
      named('update'),
      `update ${table} set ${changes.join(', ')}${isArchived ? ', archived_at = :archivedAt' : ''}, updated_at = :at
        where organization_id = :organizationId and id = :id`,
    ),
    remove: statement(
      named('remove'),
      ends === 'removed'
        ? `delete from ${table} where organization_id = :organizationId and id = :id`
        : `update ${table} set ${state} = :at, updated_at = :at where organization_id = :organizationId and id = :id`,
    ),
    findName: uniqueName
      ? statement(
          named('find_name_of'),
          `select id from ${table}
            where ${own}${isArchived ? ' and archived_at is null' : ''} and ${uniqueName.key} = lower(btrim(:name::text))`,
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
export function wholeBody(fields: SettingFields) {
  const isOptional = (name: string) => 'absent' in fields[name]!;
  const names = Object.keys(fields);
  const required = names.filter((name) => !isOptional(name)).map((name) => [name, fields[name]!.schema]);
  const optional = names.filter(isOptional).map((name) => [name, Type.Optional(fields[name]!.schema)]);
  return Type.Object(Object.fromEntries([...required, ...optional]));
}

/** The body that changes given fields. */
export function partialBody(fields: SettingFields, others: TProperties) {
  const optional = Object.entries(fields).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return Type.Object({ ...Object.fromEntries(optional), ...others });
}

/** The values of a body, with those of absent fields. */
export function wholeValues<Fields extends SettingFields>(
  fields: Fields,
  body: object,
): SettingValues<Fields> {
  const sent = body as Readonly<Record<string, unknown>>;
  const values = Object.entries(fields).map(([name, { absent }]) => [
    name,
    sent[name] === undefined ? absent : sent[name],
  ]);
  return Object.fromEntries(values) as SettingValues<Fields>;
}

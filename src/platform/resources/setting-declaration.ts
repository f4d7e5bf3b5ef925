import type { Static, TObject, TProperties } from 'typebox';
import type { ErrorCode } from '../../kernel/error-catalog.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { RowSorts } from '../http/list-sorts.ts';
import type { BoundStatement } from '../statements/statement.ts';
import type { SettingEnd, SettingFields, SettingTable, ShownSetting } from './setting-table.ts';
import type { SettingRules } from './write-setting.ts';

/**
 * A setting is one value: a small record of an organization that staff list, add, change, and archive or delete. The
 * declaration has its table and fields, rules, roles and words; statements, operations, stale edits, audit entries and
 * events follow.
 */
export interface SettingDeclaration<Fields extends SettingFields, Data extends TObject>
  extends SettingRules<Fields>,
    OperatedSetting<Fields, Data, ShownSetting<Fields>> {
  readonly table: SettingTable<Fields>;
  /** What replies show beside id, fields and times. */
  more?(row: ShownSetting<Fields>): object;
}

/** What the operations of a setting need: also of one whose writes are its own. */
export interface OperatedSetting<Fields extends SettingFields, Data extends TObject, Row> {
  readonly table: OperatedTable<Fields, Row>;
  readonly noun: string;
  readonly idName: string;
  readonly notFound: ErrorCode;
  readonly path: `/staff/v1/${string}`;
  readonly tag: string;
  /** The decisions behind operations that name none. */
  readonly readers: readonly StaffRole[];
  readonly writers: readonly StaffRole[];
  /** In descriptions of replies; default: the noun. */
  readonly called?: string;
  /** The description of its id in paths. */
  readonly idWords?: string;
  /** What replies show. */
  readonly data: Data;
  readonly example: Static<Data>;
  readonly refusesUnknownNames?: true;
  /** The name of the body that creates or replaces it, in the description of the interface. */
  readonly bodyName?: string;
  /** Paths that are required because of other fields of such a body, which can have any shape. */
  alsoMissing?(body: unknown): string[];
  /** All of them, with archived ones, and with ended ones if `ended=true` asks for them. */
  readonly list?: SettingWords & {
    readonly max: number;
    readonly sorts: RowSorts<Static<Data>>;
    /** Why a shop of the demo has none. */
    readonly emptyInDemo?: string;
    /** Another statement, with another order or rows that have more. */
    rows?(): BoundStatement<Row>;
  };
  readonly get?: SettingWords;
  readonly create: SettingWords & { readonly requestExample: Readonly<Record<string, unknown>> };
  /** PUT: absent fields get their defaults. */
  readonly replace?: SettingWords & { readonly requestExample: Readonly<Record<string, unknown>> };
  /** PATCH: absent fields stay. `archived` archives and restores, unless an archived one stays so. */
  readonly update?: SettingWords & {
    readonly requestExample: Readonly<Record<string, unknown>>;
    /** Schemas of fields that differ from those of the other bodies, or that only this one has. */
    readonly fields?: TProperties;
  };
  readonly staysArchived?: true;
  /** DELETE. */
  readonly end?: SettingWords;
}

/** The statements that operations read by. */
export interface OperatedTable<Fields extends SettingFields, Row> {
  readonly fields: Fields;
  readonly ends: SettingEnd;
  selectAll(parameters: Record<never, never>): BoundStatement<Row>;
  /** Null: the list has ended ones too. */
  readonly selectLive: ((parameters: { at: string }) => BoundStatement<Row>) | null;
  /** For `get`. */
  select?(parameters: { id: number }): BoundStatement<Row>;
}

/** What an operation does not share with those of other settings. */
export interface SettingWords {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly failures?: readonly ErrorCode[];
  /** What the reply is, if it is not simply the setting. */
  readonly answers?: string;
  /** Fields of the reply's example that differ from `example`. */
  readonly changed?: object;
}

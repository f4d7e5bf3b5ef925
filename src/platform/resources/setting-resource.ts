import type { Static, TObject } from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import type { StaffEndpoint } from '../http/endpoint.ts';
import type { SettingDeclaration } from './setting-declaration.ts';
import { settingOperations } from './setting-operations.ts';
import { type SettingEnd, type SettingFields, type ShownSetting, staysListed } from './setting-table.ts';
import { SettingWrites, settingValues } from './write-setting.ts';

/** A setting with its operations. */
export interface SettingResource<Fields extends SettingFields, Data extends TObject> {
  readonly writes: SettingWrites<Fields>;
  routes(context: Context): StaffEndpoint[];
  /** A row as replies show it. */
  shown(row: ShownSetting<Fields>): Static<Data>;
}

/** Makes a setting from its declaration. */
export function settingResource<Fields extends SettingFields, Data extends TObject>(
  declaration: SettingDeclaration<Fields, Data>,
): SettingResource<Fields, Data> {
  const { table } = declaration;
  const writes = new SettingWrites(declaration);
  const shown = (row: ShownSetting<Fields>) => {
    const values = {
      id: row.id,
      ...settingValues(table.fields, row),
      createdAt: isoTimestamp(row.createdAt),
      updatedAt: isoTimestamp(row.updatedAt),
      ...endOf(table.ends, row.archivedAt ?? null),
      ...declaration.more?.(row),
    };
    // The fields of `data` are those of the declaration.
    return values as Static<TObject> as Static<Data>;
  };
  return {
    writes,
    shown,
    routes: (context) => settingOperations({ context, declaration, writes, shown }),
  };
}

function endOf(ends: SettingEnd, atMs: number | null): object {
  if (!staysListed(ends)) return {};
  return { [`${ends}At`]: atMs === null ? null : isoTimestamp(atMs) };
}

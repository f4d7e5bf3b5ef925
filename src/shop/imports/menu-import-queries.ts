import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on imports of menus. */

export const importsPerPage = 50;
export const problemsMax = 10_000;

export const importModes = ['add', 'change', 'sync'] as const;
export type ImportMode = (typeof importModes)[number];

export const importStatuses = [
  'uploaded',
  'checking',
  'checked',
  'importing',
  'done',
  'undoing',
  'undone',
  'failed',
  'canceled',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** Whether a check, an import or an undoing goes on. */
export function isRunning({ status }: { readonly status: ImportStatus }): boolean {
  return status === 'checking' || status === 'importing' || status === 'undoing';
}

/** An import; moments are milliseconds since the epoch. */
export interface MenuImportRow {
  id: number;
  file_name: string;
  file_bytes: number;
  record_count: number;
  /** JSON; null: the file has our own columns. */
  mapping: string | null;
  mode: ImportMode;
  status: ImportStatus;
  created_by: number;
  created_by_name: string;
  run_by: number;
  run_number: number;
  done_share: number;
  done_count: number;
  created_count: number;
  changed_count: number;
  retired_count: number;
  refused_count: number;
  note_count: number;
  failure: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
  /** Whether its file is still there. */
  has_file: boolean;
  /** Whether it is the last one that was done or undone. */
  is_last: boolean;
}

const columns = `i.id, i.file_name, i.file_bytes, i.record_count, i.mapping::text as mapping, i.mode, i.status, i.created_by,
          (select concat_ws(' ', s.first_name, nullif(s.last_name, '')) from staff_members s
            where s.organization_id = i.organization_id and s.id = i.created_by) as created_by_name,
          i.run_by, i.run_number, i.done_share, i.done_count, i.created_count, i.changed_count, i.retired_count, i.refused_count,
          i.failure, i.created_at, i.started_at, i.finished_at, i.updated_at,
          exists (select from menu_import_files f
                   where f.organization_id = i.organization_id and f.menu_import_id = i.id) as has_file,
          (select count(*)::integer from menu_import_problems n
            where n.organization_id = i.organization_id and n.menu_import_id = i.id and n.is_note) as note_count,
          not exists (select from menu_imports l
                       where l.organization_id = i.organization_id and l.id <> i.id and l.started_at > i.started_at
                         and l.status in ('importing', 'done', 'undoing')) as is_last`;

export const menuImportList = sortedList<
  MenuImportRow,
  'createdAt' | 'fileName' | 'records' | 'status' | 'startedAt' | 'finishedAt'
>({
  name: 'list_menu_imports',
  rows: 'from menu_imports i where i.organization_id = :organizationId',
  ids: ['i.id'],
  sorts: {
    createdAt: { key: 'i.created_at', own: 'descending' },
    fileName: { key: 'search_key(i.file_name) collate "C"', own: 'ascending' },
    records: { key: 'i.record_count', own: 'descending' },
    status: { key: 'i.status collate "C"', own: 'ascending' },
    startedAt: { key: 'i.started_at', own: 'descending', isNullable: true },
    finishedAt: { key: 'i.finished_at', own: 'descending', isNullable: true },
  },
  rowsPerPage: importsPerPage,
  show: (page) => `select ${columns} from ${page}
     join menu_imports i on i.organization_id = :organizationId and i.id = page.id0`,
});

/** D14: how many there are. */
export const countMenuImports = statement<Record<never, never>, { count: number }>(
  'count_menu_imports',
  countOfRows('select from menu_imports where organization_id = :organizationId'),
);

export const selectMenuImport = statement<{ id: number }, MenuImportRow>(
  'select_menu_import',
  `select ${columns} from menu_imports i where i.organization_id = :organizationId and i.id = :id`,
);

export const lockMenuImport = statement<{ id: number }, MenuImportRow>(
  'lock_menu_import',
  `select ${columns} from menu_imports i where i.organization_id = :organizationId and i.id = :id for no key update of i`,
);

/** Imports of an organization begin one after the other. */
export const lockMenuImports = statement<Record<never, never>>(
  'lock_menu_imports',
  `select from pg_advisory_xact_lock(1885430637, hashint8(:organizationId::bigint))`,
);

/** An import that goes on. */
export const selectRunningImport = statement<Record<never, never>, { id: number }>(
  'select_running_import',
  `select id from menu_imports
    where organization_id = :organizationId and status in ('checking', 'importing', 'undoing') limit 1`,
);

export const insertMenuImports = insertMany<{
  id: number;
  fileName: string;
  fileBytes: number;
  recordCount: number;
  mapping: string | null;
  mode: ImportMode;
  status: ImportStatus;
  createdBy: number;
  runBy: number;
  createdAt: string;
  updatedAt: string;
}>('menu_imports', {
  id: 'id',
  fileName: 'file_name',
  fileBytes: 'file_bytes',
  recordCount: 'record_count',
  mapping: 'mapping',
  mode: 'mode',
  status: 'status',
  createdBy: 'created_by',
  runBy: 'run_by',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const insertMenuImportFiles = insertMany<{ menuImportId: number; content: Uint8Array }>(
  'menu_import_files',
  { menuImportId: 'menu_import_id', content: 'content' },
);

/** Keeps the files of the newest imports that were not done. */
export const deleteFormerFiles = statement<{ kept: number }, never>(
  'delete_former_files',
  `delete from menu_import_files
    where organization_id = :organizationId
      and menu_import_id not in (select f.menu_import_id from menu_import_files f
                                  where f.organization_id = :organizationId order by f.menu_import_id desc limit :kept)
      and menu_import_id not in (select i.id from menu_imports i
                                  where i.organization_id = :organizationId and i.status in ('checking', 'importing'))`,
);

/** The files of some imports from before that time, oldest first; an import that runs keeps its file. */
export const deleteOldImportFiles = statement<{ before: string; limit: number }, { menu_import_id: number }>(
  'delete_old_import_files',
  `delete from menu_import_files where organization_id = :organizationId and menu_import_id in (
     select f.menu_import_id from menu_import_files f
       join menu_imports i on i.organization_id = f.organization_id and i.id = f.menu_import_id
      where f.organization_id = :organizationId and i.created_at < :before and i.status not in ('checking', 'importing')
      order by f.menu_import_id limit :limit)
   returning menu_import_id`,
);

/**
 * What imports that ended before that time did to some products. Only the last import can be undone, so it keeps its products;
 * the counts of the others stay with them.
 */
export const deleteFormerImportChanges = statement<{ before: string; limit: number }, { product_id: number }>(
  'delete_former_import_changes',
  `delete from menu_import_products where organization_id = :organizationId and (menu_import_id, product_id) in (
     select p.menu_import_id, p.product_id from menu_imports i
       join menu_import_products p on p.organization_id = i.organization_id and p.menu_import_id = i.id
      where i.organization_id = :organizationId and i.finished_at < :before and i.status in ('done', 'undone', 'failed', 'canceled')
        and exists (select from menu_imports l
                     where l.organization_id = i.organization_id and l.id <> i.id and l.started_at > i.started_at
                       and l.status in ('importing', 'done', 'undoing'))
      order by p.menu_import_id, p.product_id limit :limit)
   returning product_id`,
);

export const selectImportFile = statement<{ id: number }, { content: Buffer }>(
  'select_import_file',
  `select content from menu_import_files where organization_id = :organizationId and menu_import_id = :id`,
  { isLong: true },
);

export const deleteImportFile = statement<{ id: number }, never>(
  'delete_import_file',
  `delete from menu_import_files where organization_id = :organizationId and menu_import_id = :id`,
);

export const updateImportMapping = statement<{ id: number; mapping: string | null; at: string }, never>(
  'update_import_mapping',
  `update menu_imports set mapping = :mapping::jsonb, status = 'uploaded', updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const insertImportProblems = insertMany<{
  menuImportId: number;
  position: number;
  line: number;
  columnName: string | null;
  message: string;
  isNote: boolean;
}>('menu_import_problems', {
  menuImportId: 'menu_import_id',
  position: 'position',
  line: 'line',
  columnName: 'column_name',
  message: 'message',
  isNote: 'is_note',
});

export const deleteImportProblems = statement<{ id: number }, never>(
  'delete_import_problems',
  `delete from menu_import_problems where organization_id = :organizationId and menu_import_id = :id`,
);

export interface ImportProblemRow {
  line: number;
  column_name: string | null;
  message: string;
  /** A remark on a row that was not refused for it. */
  is_note: boolean;
}

export const selectImportProblems = statement<{ id: number }, ImportProblemRow>(
  'select_import_problems',
  `select line, column_name, message, is_note from menu_import_problems
    where organization_id = :organizationId and menu_import_id = :id order by position limit ${problemsMax}`,
);

export const countImportProblems = statement<{ id: number }, { count: number }>(
  'count_import_problems',
  `select count(*)::integer as count from menu_import_problems
    where organization_id = :organizationId and menu_import_id = :id`,
);

/** Also when an earlier try has noted one as seen. */
export const noteImportedProducts = statement<
  { id: number; kind: string; productIds: readonly number[] },
  never
>(
  'note_imported_products',
  `insert into menu_import_products (organization_id, menu_import_id, product_id, kind)
   select :organizationId::bigint, :id::bigint, p, :kind::text from unnest(:productIds::bigint[]) as p
   on conflict (organization_id, menu_import_id, product_id)
   do update set kind = excluded.kind where menu_import_products.kind = 'seen'`,
);

export const noteChangedProduct = statement<
  { id: number; productId: number; before: string; after: string; newOptionIds: readonly number[] },
  never
>(
  'note_changed_product',
  `insert into menu_import_products
          (organization_id, menu_import_id, product_id, kind, before, after, new_option_ids)
   values (:organizationId, :id, :productId, 'changed', :before::jsonb, :after::jsonb, :newOptionIds)
   on conflict (organization_id, menu_import_id, product_id)
   do update set kind = 'changed', before = excluded.before, after = excluded.after,
                 new_option_ids = excluded.new_option_ids where menu_import_products.kind = 'seen'`,
);

export const selectNotedProducts = statement<{ id: number }, { product_id: number; kind: string }>(
  'select_noted_products',
  `select product_id, kind from menu_import_products
    where organization_id = :organizationId and menu_import_id = :id`,
  { isLong: true },
);

/** The products that an earlier try of the same rows has made or changed. */
export const selectNotedAmong = statement<
  { id: number; productIds: readonly number[] },
  { product_id: number; kind: string }
>(
  'select_noted_among',
  `select product_id, kind from menu_import_products
    where organization_id = :organizationId and menu_import_id = :id and product_id = any(:productIds)
      and kind <> 'seen'`,
);

/** What was only looked at, once it is known what the file lacks; before a run also nothing else is there. */
export const forgetSeenProducts = statement<{ id: number }, never>(
  'forget_seen_products',
  `delete from menu_import_products
    where organization_id = :organizationId and menu_import_id = :id and kind = 'seen'`,
);

/** Retired ones first. */
export const selectProductsToUndo = statement<
  { id: number; limit: number },
  { product_id: number; kind: 'created' | 'changed' | 'retired'; before: string | null; after: string | null }
>(
  'select_products_to_undo',
  `select product_id, kind, before::text as before, after::text as after from menu_import_products
    where organization_id = :organizationId and menu_import_id = :id and kind <> 'seen' and undone_at is null
    order by kind desc, product_id limit :limit`,
);

export const noteUndoneProducts = statement<{ id: number; productIds: readonly number[]; at: string }, never>(
  'note_undone_products',
  `update menu_import_products set undone_at = :at
    where organization_id = :organizationId and menu_import_id = :id and product_id = any(:productIds)`,
);

/**
 * The products that were sold since the import: those that it made, and those of which it made an option. Orders since then
 * are found by their time, because what it made cannot be in an earlier one.
 */
export const selectSoldProducts = statement<{ id: number }, { id: number; name: string }>(
  'select_sold_products',
  `select distinct l.product_id as id, l.product_name as name
     from menu_imports i
     join orders o on o.organization_id = i.organization_id and o.created_at >= i.started_at
     join order_line_items l on l.organization_id = o.organization_id and l.order_id = o.id
     join menu_import_products p on p.organization_id = i.organization_id and p.menu_import_id = i.id
      and p.product_id = l.product_id
    where i.organization_id = :organizationId and i.id = :id
      and (p.kind = 'created' or l.product_option_id = any(p.new_option_ids))
    order by l.product_id limit 20`,
  { isLong: true },
);

/** Imports that failed since a moment, unless a later one succeeded. */
export const selectFailedImports = statement<{ since: string }, { count: number; oldest_at: number | null }>(
  'select_failed_menu_imports',
  `select count(*)::integer as count, min(i.updated_at) as oldest_at from menu_imports i
    where i.organization_id = :organizationId and i.status = 'failed' and i.updated_at >= :since::timestamptz
      and not exists (select from menu_imports l
                       where l.organization_id = :organizationId and l.id > i.id and l.status = 'done')`,
);

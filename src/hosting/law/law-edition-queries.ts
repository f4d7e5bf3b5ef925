import { statement } from '../../platform/statements/statement.ts';

export interface NewestImportRow {
  number: number;
  edition: string;
  outranks: string;
  digest: Uint8Array;
  key_id: string | null;
  imported_at: number;
  imported_by: string;
}

/** The latest import; no row: there was none. Small, because every process runs it once a second. */
export const selectNewestImport = statement<Record<never, never>, NewestImportRow>(
  'select_newest_law_import',
  `select number, edition, outranks, digest, key_id, imported_at, imported_by
     from law_editions order by number desc limit 1`,
);

export const selectImportedContent = statement<{ number: number }, { content: Uint8Array }>(
  'select_law_import_content',
  'select content from law_editions where number = :number',
);

interface LawNoticeRow {
  edition: string;
  told_at: number;
  in_force: boolean;
  changes: Readonly<Record<string, readonly string[]>>;
}

/** The notices of imports and releases, newest first. */
export const selectLawNotices = statement<{ since: string }, LawNoticeRow>(
  'select_law_notices',
  `select edition, told_at, in_force, changes
     from (select edition, imported_at as told_at, true as in_force, changes from law_editions
            where imported_at > :since
           union all
           select edition, started_at, in_force, changes from law_releases
            where started_at > :since and number > 1) told
    order by told_at desc limit 20`,
);

/** The number is the next one: of two concurrent imports, the second fails on the primary key. */
export const insertLawEdition = statement<
  {
    number: number;
    edition: string;
    outranks: string;
    content: Uint8Array;
    digest: Uint8Array;
    signature: string | null;
    keyId: string | null;
    changes: string;
    at: string;
    importedBy: string;
  },
  never
>(
  'insert_law_edition',
  `insert into law_editions
     (number, edition, outranks, content, digest, signature, key_id, changes, imported_at, imported_by)
   values (:number, :edition, :outranks, :content, :digest, :signature, :keyId, :changes, :at, :importedBy)`,
);

interface ReleaseRow {
  number: number;
  edition: string;
  content: Uint8Array;
  /** Whether these facts were shipped before, by this release or an earlier one. */
  is_known: boolean;
}

/** The last release that was started with; no row: none was recorded. */
export const selectLastRelease = statement<{ digest: Uint8Array }, ReleaseRow>(
  'select_last_law_release',
  `select number, edition, content,
          exists (select from law_releases where digest = :digest) as is_known
     from law_releases order by number desc limit 1`,
);

/** The number is the next one: of two processes that start together, the second fails on the primary key. */
export const insertLawRelease = statement<
  {
    number: number;
    edition: string;
    content: Uint8Array;
    digest: Uint8Array;
    inForce: boolean;
    changes: string;
    at: string;
  },
  never
>(
  'insert_law_release',
  `insert into law_releases (number, edition, content, digest, in_force, changes, started_at)
   values (:number, :edition, :content, :digest, :inForce, :changes, :at)`,
);

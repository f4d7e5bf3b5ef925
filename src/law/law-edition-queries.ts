import { statement } from '../database/statement.ts';

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

export interface LawNoticeRow {
  edition: string;
  imported_at: number;
  changes: Readonly<Record<string, readonly string[]>>;
}

/** Newest first. */
export const selectLawNotices = statement<{ since: string }, LawNoticeRow>(
  'select_law_notices',
  `select edition, imported_at, changes from law_editions
    where imported_at > :since order by number desc limit 20`,
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

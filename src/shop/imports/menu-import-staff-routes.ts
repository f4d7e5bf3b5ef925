import Type from 'typebox';
import { csvText } from '../../kernel/csv-text.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { totalOf } from '../../kernel/list-count.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, replyFile, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Flag, Id, List, OneOf, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { inspectMenu } from './inspect-menu.ts';
import { mappingOfView, NullableMapping } from './mapping-view.ts';
import {
  countMenuImports,
  type ImportProblemRow,
  importModes,
  importsPerPage,
  type MenuImportRow,
  menuImportList,
  problemsMax,
  selectImportFile,
  selectImportProblems,
  selectMenuImport,
} from './menu-import-queries.ts';
import {
  exampleImport,
  exampleLook,
  exampleMapping,
  exampleProblem,
  MenuImport,
  MenuImportProblem,
  MenuLook,
  shownImport,
  shownLook,
} from './menu-import-schemas.ts';
import { cancelMenuImport, startMenuImport, undoMenuImport } from './run-menu-import.ts';
import type { SentMapping } from './sent-mapping.ts';
import { requestReaders } from './thread-readers.ts';
import {
  changeMapping,
  importNotFound,
  menuBytesMax,
  notReady,
  readable,
  uploadMenu,
} from './upload-menu.ts';

const params = Type.Object({ menuImportId: Id() });
const resourceParams = { menuImportId: 'MENU_IMPORT_NOT_FOUND' } as const;
/** Those that may change products. */
const roles = ['owner', 'manager', 'inventory'] as const;
const common = { roles, tag: 'Catalog' } as const;
const success = { status: 200, data: MenuImport, description: 'The import', example: exampleImport } as const;
/** Its name says which of them it is. */
const mediaTypes = ['application/octet-stream'];
/** A look is an answer to a request, so it is short. */
const productsLookedAt = 200;
const endings = /\.(csv|tsv|tab|txt|json|ndjson|jsonl)$/i;

/** Staff operations that import a menu: upload, look, correct, check, import, undo. */
export function menuImportStaffRoutes(context: Context): StaffEndpoint[] {
  return [...readingRoutes(context), ...writingRoutes(context)];
}

function readingRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;
  return [
    staffEndpoint({
      ...common,
      id: 'staffListMenuImports',
      method: 'GET',
      path: '/staff/v1/menu-imports',
      kind: 'read',
      readsFrom: 'standby',
      list: {
        staysSmall: 'imports of one shop, by the primary key',
        notInConsole: {
          records: 'the table says what became of them',
          startedAt: 'the table shows the upload',
          finishedAt: 'the table shows the upload',
        },
      },
      exported: { not: 'how products came here; the products themselves are exported' },
      emptyInDemo: 'menus that staff upload',
      summary: 'List imports of menus',
      description: `Uploaded menus and what became of them, ${importsPerPage} a page, newest first unless sorted.`,
      query: Type.Object({
        ...sortFields(menuImportList.sorts),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(MenuImport, { max: importsPerPage }),
        meta: ListTotal,
        description: 'A page of imports',
        example: [exampleImport],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const { startingAfter } = query;
        const [[counted], [after], rows] = await database.read(
          staff.organizationId,
          countMenuImports({}),
          startingAfter === undefined ? null : selectMenuImport({ id: startingAfter }),
          menuImportList.page(query),
        );
        if (startingAfter !== undefined && after === undefined) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of an import.');
        }
        return reply(rows.map(shownImport), { meta: totalOf(counted!.count) });
      },
    }),
    staffEndpoint({
      ...common,
      id: 'staffGetMenuImport',
      method: 'GET',
      path: '/staff/v1/menu-imports/{menuImportId}',
      kind: 'read',
      emptyInDemo: 'menus that staff upload',
      summary: 'Retrieve an import of a menu',
      description: 'Its state, its progress and its counts.',
      params,
      resourceParams,
      success,
      failures: [],
      handle: async ({ staff, params: { menuImportId: id } }) => {
        const [[row]] = await database.read(staff.organizationId, selectMenuImport({ id }));
        if (row === undefined) throw importNotFound();
        return reply(shownImport(row));
      },
    }),
    staffEndpoint({
      ...common,
      id: 'staffLookIntoMenuImport',
      method: 'GET',
      path: '/staff/v1/menu-imports/{menuImportId}/look',
      kind: 'read',
      emptyInDemo: 'menus that staff upload',
      summary: 'Look into an uploaded menu',
      description: `Its columns with samples, ten products as they would be, and every doubt by column, by its first ${productsLookedAt} products. A check looks at all.`,
      params,
      resourceParams,
      success: { status: 200, data: MenuLook, description: 'What the menu says', example: exampleLook },
      failures: ['MENU_IMPORT_NOT_READY', 'INVALID_MENU_FILE'],
      handle: async ({ staff, params: { menuImportId } }) =>
        reply(shownLook(await lookInto(context, staff.organizationId, menuImportId))),
    }),
    staffEndpoint({
      ...common,
      id: 'staffGetMenuImportProblems',
      method: 'GET',
      path: '/staff/v1/menu-imports/{menuImportId}/problems',
      kind: 'read',
      emptyInDemo: 'menus that staff upload',
      summary: 'Retrieve the refused rows of an import',
      description: `The rows that the last check or import refused, with their line, their column, the text that was there and what is expected, and remarks on rows that it read in another way than they are written; the first ${problemsMax.toLocaleString('en-US')}.`,
      params,
      resourceParams,
      query: Type.Object({
        format: Type.Optional(OneOf(['json', 'csv'], { description: 'csv: as text/csv' })),
      }),
      success: {
        status: 200,
        data: Type.Object({ problems: List(MenuImportProblem, { max: problemsMax }) }),
        file: ['text/csv'],
        description: 'The refused rows',
        example: { problems: [exampleProblem] },
      },
      failures: [],
      handle: async ({ staff, params: { menuImportId: id }, query }) => {
        const [[row], problems] = await database.read(
          staff.organizationId,
          selectMenuImport({ id }),
          selectImportProblems({ id }),
        );
        if (row === undefined) throw importNotFound();
        return query.format === 'csv'
          ? problemsFile(row, problems)
          : reply({ problems: problems.map(shownProblem) });
      },
    }),
  ];
}

function shownProblem({ line, column_name: column, message, is_note: isNote }: ImportProblemRow) {
  return { line, column, message, isNote };
}

function problemsFile({ id }: MenuImportRow, problems: readonly ImportProblemRow[]) {
  const rows = problems.map(({ line, column_name: column, message, is_note: isNote }) => ({
    line,
    column: column ?? '',
    problem: message,
    refused: isNote ? 'no' : 'yes',
  }));
  return replyFile(
    Buffer.from(csvText(['line', 'column', 'problem', 'refused'], rows)),
    'text/csv; charset=utf-8',
    {
      headers: { 'content-disposition': `attachment; filename="refused-rows-${id}.csv"` },
    },
  );
}

async function lookInto(context: Context, organization: OrganizationId, id: number) {
  const [[row], [file]] = await context.database.read(
    organization,
    selectMenuImport({ id }),
    selectImportFile({ id }),
  );
  if (row === undefined) throw importNotFound();
  if (file === undefined) throw notReady('its file is no longer there', row);
  return readable(() =>
    requestReaders.read(organization, { name: row.file_name, content: file.content }, (reader) =>
      inspectMenu(context, organization, {
        reader,
        mapping: row.mapping === null ? null : (JSON.parse(row.mapping) as SentMapping),
        preset: null,
        productsMax: productsLookedAt,
      }),
    ),
  );
}

function writingRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      ...common,
      id: 'staffUploadMenu',
      method: 'POST',
      path: '/staff/v1/menu-imports',
      kind: 'write',
      summary: 'Upload a menu',
      description: `The body is the file itself, at most ${menuBytesMax / 1_048_576} MB. Its shape and the meaning of its columns are guessed; no product is written yet.`,
      query: Type.Object({
        fileName: Text({ min: 1, max: 200, description: 'Ends in .csv, .tsv, .txt, .json or .ndjson' }),
      }),
      bodyFile: mediaTypes,
      bodyBytesMax: menuBytesMax,
      success: { ...success, status: 201 },
      failures: ['INVALID_PARAMS', 'INVALID_MENU_FILE'],
      handle: async ({ staff, query: { fileName }, file, requestId }) => {
        if (!endings.test(fileName)) {
          throw failure(
            'INVALID_PARAMS',
            'fileName must end in .csv, .tsv, .txt, .json or .ndjson; save the sheet of a spreadsheet as CSV.',
          );
        }
        const { staffId, organizationId } = staff;
        const sent = { staffId, fileName, content: file };
        return reply(
          shownImport(await uploadMenu(context, staffOrigin(staff, requestId), organizationId, sent)),
        );
      },
    }),
    staffEndpoint({
      ...common,
      id: 'staffMapMenuImport',
      method: 'PUT',
      path: '/staff/v1/menu-imports/{menuImportId}/mapping',
      kind: 'write',
      takesIfMatch: true,
      summary: 'Correct the columns of a menu',
      description:
        'Sets the meaning of all columns; a column that is not listed is ignored. Null: the file has the columns of this service.',
      params,
      resourceParams,
      body: Type.Object({ mapping: NullableMapping }),
      requestExample: { mapping: exampleMapping },
      success,
      failures: ['MENU_IMPORT_NOT_READY', 'INVALID_MENU_FILE'],
      handle: async ({ staff, params, body: { mapping }, requestId, expectedUpdatedAtMs }) =>
        reply(
          shownImport(
            await changeMapping(
              context,
              staffOrigin(staff, requestId, expectedUpdatedAtMs),
              staff.organizationId,
              params.menuImportId,
              mapping === null ? null : mappingOfView(mapping),
            ),
          ),
        ),
    }),
    staffEndpoint({
      ...common,
      id: 'staffRunMenuImport',
      method: 'POST',
      path: '/staff/v1/menu-imports/{menuImportId}/runs',
      kind: 'write',
      summary: 'Check or import a menu',
      description:
        'Starts the work in the background; its progress is that of the import. `dryRun` checks every row by all rules and counts what an import would do. `add` leaves products that are there as they are; `change` makes them equal to the file; `sync` also takes off the menu what the file lacks, unless a row is refused. One run at a time.',
      params,
      resourceParams,
      body: Type.Object({
        mode: OneOf(importModes),
        dryRun: Flag({ description: 'Whether nothing is written' }),
      }),
      requestExample: { mode: 'change', dryRun: true },
      success,
      failures: ['MENU_IMPORT_NOT_READY'],
      handle: async ({ staff, params, body, requestId }) =>
        reply(
          shownImport(
            await startMenuImport(
              context,
              staffOrigin(staff, requestId),
              staff.organizationId,
              staff.staffId,
              params.menuImportId,
              body,
            ),
          ),
        ),
    }),
    staffEndpoint({
      ...common,
      id: 'staffCancelMenuImport',
      method: 'POST',
      path: '/staff/v1/menu-imports/{menuImportId}/cancel',
      kind: 'write',
      summary: 'Cancel an import of a menu',
      description:
        'Ends a check, an import or an undoing, or puts an uploaded menu aside. What was done until then stays, and can be undone; the menu can be checked and imported again. Refused when it is finished.',
      params,
      resourceParams,
      success,
      failures: ['MENU_IMPORT_NOT_READY'],
      handle: async ({ staff, params: { menuImportId }, requestId }) =>
        reply(
          shownImport(
            await cancelMenuImport(
              context,
              staffOrigin(staff, requestId),
              staff.organizationId,
              menuImportId,
            ),
          ),
        ),
    }),
    staffEndpoint({
      ...common,
      id: 'staffUndoMenuImport',
      method: 'POST',
      path: '/staff/v1/menu-imports/{menuImportId}/undo',
      kind: 'write',
      summary: 'Undo the last import of a menu',
      description:
        'Starts the work in the background. Products that the import made are deleted, or leave the menu while they have stock; changed products get back what was not edited since; retired ones return to the menu. Refused when something that the import made was sold.',
      params,
      resourceParams,
      success,
      failures: ['MENU_IMPORT_NOT_READY', 'MENU_IMPORT_SOLD'],
      handle: async ({ staff, params, requestId }) =>
        reply(
          shownImport(
            await undoMenuImport(
              context,
              staffOrigin(staff, requestId),
              staff.organizationId,
              staff.staffId,
              params.menuImportId,
            ),
          ),
        ),
    }),
  ];
}

import Type, { type TObject, type TSchema } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../http/endpoint.ts';
import type { RowSorts } from '../http/list-sorts.ts';
import { Flag, Id, List } from '../http/schemas.ts';
import type { BoundStatement } from '../statements/statement.ts';
import type { OperatedSetting, SettingWords } from './setting-declaration.ts';
import { partialBody, type SettingFields, staysListed, wholeBody, wholeValues } from './setting-table.ts';
import type { SettingEdit, SettingWriter } from './write-setting.ts';

/* The operations of a setting, made of its declaration. Types of bodies and replies hold by their schemas. */

interface Made<Fields extends SettingFields, Data extends TObject, Row> {
  readonly context: Context;
  readonly declaration: OperatedSetting<Fields, Data, Row>;
  readonly writes: SettingWriter<Fields, Row>;
  shown(row: Row): object;
}

/** The operations of a setting that its declaration has words for. */
export function settingOperations<Fields extends SettingFields, Data extends TObject, Row>(
  made: Made<Fields, Data, Row>,
): StaffEndpoint[] {
  return [...reads(made), creation(made), ...edits(made), ...endings(made)];
}

function reads<Fields extends SettingFields, Data extends TObject, Row>(
  made: Made<Fields, Data, Row>,
): StaffEndpoint[] {
  const { context, declaration, writes, shown } = made;
  const { list, get, table, data, example, noun, called = noun } = declaration;
  const operations: StaffEndpoint[] = [];
  if (list) {
    operations.push(
      staffEndpoint({
        ...shared(made, list),
        method: 'GET',
        path: declaration.path,
        roles: declaration.readers,
        kind: 'read',
        readsFrom: 'standby',
        sorts: list.sorts as RowSorts<unknown>,
        ...(table.selectLive && { query: Type.Object({ ended: Type.Optional(Flag()) }) }),
        list: { staysSmall: 'settings of the organization' },
        ...(list.emptyInDemo !== undefined && { emptyInDemo: list.emptyInDemo }),
        success: {
          status: 200,
          data: List(data as TSchema, { max: list.max }),
          description: list.answers ?? `The ${called}s`,
          example: [{ ...example, ...list.changed }],
        },
        handle: async ({ staff, query }) => {
          const isLive = table.selectLive !== null && (query as { ended?: boolean }).ended !== true;
          const at = isoTimestamp(context.clock.now());
          const rows: BoundStatement<Row> = isLive
            ? table.selectLive({ at })
            : (list.rows?.() ?? table.selectAll({}));
          const [found] = await context.database.read(staff.organizationId, rows);
          return reply(found.map(shown) as never);
        },
      }),
    );
  }
  if (get) {
    operations.push(
      staffEndpoint({
        ...shared(made, get),
        ...ofOne(made),
        method: 'GET',
        roles: declaration.readers,
        kind: 'read',
        success: success(made, get),
        handle: async ({ staff, params }) => {
          const asked = table.select!({ id: idIn(made, params) });
          const [[row]] = await context.database.read(staff.organizationId, asked);
          if (row === undefined) throw writes.notFound();
          return reply(shown(row) as never);
        },
      }),
    );
  }
  return operations;
}

function creation<Fields extends SettingFields, Data extends TObject, Row>(
  made: Made<Fields, Data, Row>,
): StaffEndpoint {
  const { context, declaration, writes, shown } = made;
  const { create, table, alsoMissing } = declaration;
  return staffEndpoint({
    ...shared(made, create),
    method: 'POST',
    path: declaration.path,
    roles: declaration.writers,
    kind: 'write',
    body: wholeBody(table.fields, declaration.bodyName),
    ...(alsoMissing && { alsoMissing }),
    requestExample: create.requestExample,
    success: success(made, create, 201),
    handle: async ({ staff, body, requestId }) => {
      const origin = staffOrigin(staff, requestId);
      const values = wholeValues(table.fields, body as object);
      return reply(shown(await writes.create(context, origin, staff.organizationId, values)) as never);
    },
  });
}

/** PUT and PATCH differ in what an absent field means, and in nothing else. */
function edits<Fields extends SettingFields, Data extends TObject, Row>(
  made: Made<Fields, Data, Row>,
): StaffEndpoint[] {
  const { context, declaration, writes, shown } = made;
  const { replace, update, table, alsoMissing } = declaration;
  return (['PUT', 'PATCH'] as const).flatMap((method) => {
    const words = method === 'PUT' ? replace : update;
    if (words === undefined) return [];
    const body =
      method === 'PUT'
        ? wholeBody(table.fields, declaration.bodyName)
        : partialBody(table.fields, { ...archivingOf(declaration), ...update?.fields });
    return staffEndpoint({
      ...shared(made, words),
      ...ofOne(made),
      method,
      roles: declaration.writers,
      kind: 'write',
      takesIfMatch: true,
      body,
      ...(method === 'PUT' && alsoMissing && { alsoMissing }),
      requestExample: words.requestExample,
      success: success(made, words),
      handle: async ({ staff, params, body: sent, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const edit: SettingEdit<Fields> =
          method === 'PUT'
            ? { fields: wholeValues(table.fields, sent as object), isWhole: true }
            : readEdit(table.fields, sent as object);
        const id = idIn(made, params);
        return reply(shown(await writes.change(context, origin, staff.organizationId, id, edit)) as never);
      },
    });
  });
}

function endings<Fields extends SettingFields, Data extends TObject, Row>(
  made: Made<Fields, Data, Row>,
): StaffEndpoint[] {
  const { context, declaration, writes, shown } = made;
  const { end, table, noun, called = noun } = declaration;
  if (end === undefined) return [];
  return [
    staffEndpoint({
      ...shared(made, end),
      ...ofOne(made),
      method: 'DELETE',
      roles: declaration.writers,
      kind: 'write',
      success: success(made, {
        ...(!staysListed(table.ends) && { answers: `The ${called} before its deletion` }),
        ...end,
      }),
      handle: async ({ staff, params, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const id = idIn(made, params);
        return reply(shown(await writes.end(context, origin, staff.organizationId, id)) as never);
      },
    }),
  ];
}

type AnyMade = Pick<Made<SettingFields, TObject, unknown>, 'context'> & {
  readonly declaration: Pick<
    OperatedSetting<SettingFields, TObject, unknown>,
    | 'path'
    | 'tag'
    | 'idName'
    | 'idWords'
    | 'notFound'
    | 'noun'
    | 'called'
    | 'data'
    | 'example'
    | 'refusesUnknownNames'
  >;
};

function shared({ declaration }: AnyMade, { id, summary, description, failures = [] }: SettingWords) {
  const { tag, refusesUnknownNames } = declaration;
  return {
    id,
    summary,
    description,
    failures,
    tag,
    ...(refusesUnknownNames && { refusesUnknownNames }),
  };
}

/** What operations on one setting share. */
function ofOne({ declaration: { path, idName, idWords, notFound } }: AnyMade) {
  return {
    path: `${path}/{${idName}}` as const,
    params: Type.Object({ [idName]: Id(idWords === undefined ? {} : { description: idWords }) }),
    resourceParams: { [idName]: notFound },
  };
}

function success({ declaration }: AnyMade, words: SettingWords, status: 200 | 201 = 200) {
  const { noun, called = noun } = declaration;
  return {
    status,
    data: declaration.data as TSchema,
    description: words.answers ?? `The ${called}`,
    example: { ...declaration.example, ...words.changed },
  };
}

function idIn({ declaration }: AnyMade, params: object): number {
  return (params as Readonly<Record<string, number>>)[declaration.idName]!;
}

function archivingOf({
  table,
  staysArchived,
}: Pick<OperatedSetting<SettingFields, TObject, unknown>, 'table' | 'staysArchived'>) {
  if (table.ends !== 'archived' || staysArchived) return {};
  return { archived: Type.Optional(Flag({ description: 'false restores, true archives' })) };
}

/** `archived` and `archivedAt` say the same in two ways, and must not contradict each other. */
function readEdit<Fields extends SettingFields>(fields: Fields, body: object): SettingEdit<Fields> {
  const { archived, archivedAt, ...sent } = body as {
    readonly archived?: boolean;
    readonly archivedAt?: string | null;
  };
  const known = Object.entries(sent).filter(([name]) => Object.hasOwn(fields, name));
  const edit = { fields: Object.fromEntries(known) as SettingEdit<Fields>['fields'] };
  if (archivedAt === undefined) return { ...edit, archived };
  if (archived !== undefined && archived !== (archivedAt !== null)) {
    throw failure(
      'INVALID_PARAMS',
      'archivedAt must be null with archived: false, and a time with archived: true',
    );
  }
  return { ...edit, archived: archivedAt !== null };
}

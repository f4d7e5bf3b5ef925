import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { allows } from '../../kernel/permission-catalog.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, replyRawJson } from '../../platform/http/endpoint.ts';
import { Id, List, Text } from '../../platform/http/schemas.ts';
import type { CopiedCollection } from './copied-collection.ts';
import { showerFor } from './shown-resources.ts';

/** Records of a page, and ids that one request may name. */
export const recordsPerPage = 100;

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const uuidText = new RegExp(`^${uuid}$`);
const numberText = /^[1-9]\d{0,15}$/;

const After = {
  uuid: Type.String({
    pattern: `^${uuid}$`,
    maxLength: 36,
    'x-expected': 'an order id',
    description: 'The page starts with the next greater id; it need not be there',
  }),
  number: Id({ description: 'The page starts with the next greater id; it need not be there' }),
};

/**
 * Whole collections, and records by id, for readers who keep a copy (D64): pages by ascending id, which lose their place
 * by no merge and no deletion, and are read from the database each time.
 */
export function recordRoutes(context: Context, collections: readonly CopiedCollection[]): Endpoint[] {
  return collections.map(
    ({ collection, id, resource, list, schema, example, ids: kind, select, selectOwn }) =>
      endpoint({
        id,
        method: 'GET',
        path: `/api/v1/records/${collection}`,
        address: 'base',
        permission: resource.permission,
        ...(resource.own && { permissionForLess: resource.own.permission }),
        publishableKey: 'refused',
        kind: 'read',
        readsFrom: 'standby',
        summary: `List ${collection.replace('_', ' ')} to copy`,
        description:
          `The records of ${list}, in the same shape, by ascending id, ${recordsPerPage} a page: for who keeps a copy. ` +
          'Pass the last id as `after` to get the next page; the last page has less than a full one. With `ids` ' +
          'only those; what is not there is left out.' +
          (resource.own
            ? ` With \`${resource.own.permission}\` and without \`${resource.permission}\`: those that the own integrator placed.`
            : ''),
        tag: 'Changes',
        query: Type.Object({
          after: Type.Optional(After[kind]),
          ids: Type.Optional(
            Text({
              min: 1,
              max: recordsPerPage * 37,
              description: `Up to ${recordsPerPage} ids, separated by commas`,
            }),
          ),
        }),
        list: { staysSmall: 'a hundred records by the primary key' },
        success: {
          status: 200,
          data: List(schema, { max: recordsPerPage }),
          description: 'The records',
          example: [example],
        },
        failures: [],
        handle: async ({ caller, query }) => {
          const { organizationId, integratorId } = caller;
          const isOwn = !allows(caller.permissions, 'read', resource.permission);
          const after = query.after === undefined ? null : String(query.after);
          const ids =
            query.ids === undefined
              ? await context.database
                  .read(
                    organizationId,
                    isOwn ? selectOwn!(integratorId, after, recordsPerPage) : select(after, recordsPerPage),
                  )
                  .then(([rows]) => rows.map((row) => String(row.id)))
              : readIds(query.ids, kind).filter((named) => after === null || comesAfter(kind, named, after));
          const jsonOf =
            ids.length === 0 ? new Map<string, string>() : await showerFor(resource, caller)!(ids);
          const records = ids.flatMap((named) => jsonOf.get(named) ?? []);
          return replyRawJson(`{"data":[${records.join(',')}]}`);
        },
      }),
  );
}

/** The ids that a request names, each once, ascending. */
function readIds(text: string, kind: CopiedCollection['ids']): string[] {
  const ids = [...new Set(text.split(',').map((part) => part.trim().toLowerCase()))];
  const pattern = kind === 'uuid' ? uuidText : numberText;
  const bad = ids.find((id) => !pattern.test(id) || (kind === 'number' && !Number.isSafeInteger(Number(id))));
  if (bad !== undefined) {
    throw failure('INVALID_PARAMS', `ids names "${bad.slice(0, 100)}", which is no id of this list.`);
  }
  if (ids.length > recordsPerPage) {
    throw failure('INVALID_PARAMS', `ids must be at most ${recordsPerPage} ids.`);
  }
  return kind === 'uuid' ? ids.sort() : ids.sort((a, b) => Number(a) - Number(b));
}

function comesAfter(kind: CopiedCollection['ids'], id: string, after: string): boolean {
  return kind === 'uuid' ? id > after.toLowerCase() : Number(id) > Number(after);
}

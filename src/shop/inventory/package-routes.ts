import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../platform/http/endpoint.ts';
import { Id, List, Text, Timestamp, withErrorCode } from '../../platform/http/schemas.ts';
import { sqlMicroseconds } from '../../platform/statements/sql-instant.ts';
import { packageNotFound } from './package-not-found.ts';
import {
  packagesPerPage,
  selectPackageByLabel,
  selectPackagePage,
  selectPackagePageAfter,
  selectPackages,
  selectSettledChanges,
} from './package-queries.ts';
import { Package, packageExample } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';

/** Operations on packages. */
export function packageRoutes(context: Context): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      id: 'listPackages',
      method: 'GET',
      path: '/api/v1/packages',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      readsFrom: 'standby',
      list: { order: { ascending: ['updatedAt', 'id'] } },
      summary: 'List packages',
      description: `Labeled packages by their last change, oldest change first, ${packagesPerPage} a page. To continue, pass \`updatedAt\` (unmodified) and \`id\` of the last one; a package whose fields or stock change meanwhile appears again later. A change concurrent with other writes may appear up to a second late, but is never missed.`,
      tag: 'Inventory',
      query: Type.Object({
        startingAfterUpdatedAt: Type.Optional(
          Timestamp({ description: '`updatedAt` of the last package of the previous page' }),
        ),
        startingAfterId: Type.Optional(
          withErrorCode(
            Id({ description: '`id` of the last package of the previous page' }),
            'INVALID_CURSOR',
          ),
        ),
      }),
      success: {
        status: 200,
        data: List(Package, { max: packagesPerPage }),
        description: 'A page of packages',
        example: [packageExample],
      },
      failures: ['INVALID_CURSOR', 'MISSING_PARAMS'],
      handle: async ({ caller, query }) => {
        const { startingAfterUpdatedAt: afterUpdatedAt, startingAfterId: afterId } = query;
        const absent = [
          ...(afterUpdatedAt === undefined ? ['startingAfterUpdatedAt'] : []),
          ...(afterId === undefined ? ['startingAfterId'] : []),
        ];
        if (absent.length === 1) {
          throw failure('MISSING_PARAMS', `Required but absent: ${absent[0]}.`, { missing: absent });
        }
        const { organizationId } = caller;
        // A separate read: it must finish before the next one takes its snapshot.
        const [[settled]] = await database.read(organizationId, selectSettledChanges({}));
        const { before } = settled!;
        const [rows, cursor] = await database.read(
          organizationId,
          afterUpdatedAt === undefined || afterId === undefined
            ? selectPackagePage({ before })
            : selectPackagePageAfter({ before, afterUpdatedAt: sqlMicroseconds(afterUpdatedAt), afterId }),
          afterId === undefined ? null : selectPackages({ ids: [afterId] }),
        );
        if (afterId !== undefined && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfterId must be the id of a package.');
        }
        return reply(
          await shownPackages((...statements) => database.read(organizationId, ...statements), rows),
        );
      },
    }),

    endpoint({
      id: 'getPackage',
      method: 'GET',
      path: '/api/v1/packages/{label}',
      address: 'base',
      permission: 'analytics',
      publishableKey: 'refused',
      kind: 'read',
      summary: 'Retrieve a package',
      description: 'The package with that label.',
      tag: 'Inventory',
      params: Type.Object({ label: Text({ description: 'Label of the package', min: 1, max: 100 }) }),
      resourceParams: { label: 'PACKAGE_NOT_FOUND' },
      success: { status: 200, data: Package, description: 'The package', example: packageExample },
      failures: [],
      handle: async ({ caller, params }) => {
        const { organizationId } = caller;
        const [rows] = await database.read(organizationId, selectPackageByLabel({ label: params.label }));
        const [shown] = await shownPackages(
          (...statements) => database.read(organizationId, ...statements),
          rows,
        );
        if (shown === undefined) throw packageNotFound();
        return reply(shown);
      },
    }),
  ];
}

import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { totalOf, totalOfPage } from '../../kernel/list-count.ts';
import { askedSort, type SortQuery } from '../../kernel/list-sort.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import { Id, List, OneOf, Text, withErrorCode } from '../../platform/http/schemas.ts';
import { readSearchPage } from '../../platform/lists/search.ts';
import type { SortOf } from '../../platform/lists/sorted-list.ts';
import { packageNotFound } from './package-not-found.ts';
import {
  countNewestPackages,
  listNewestPackages,
  type PackageStatus,
  packageList,
  packageStatuses,
  packagesPerPage,
  searchNewestPackages,
  selectPackages,
} from './package-queries.ts';
import { Package, PackageParams, packageExample } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';
import { stockWriters } from './stock-schemas.ts';

interface PackagesQuery extends SortQuery<SortOf<typeof packageList>> {
  readonly status?: PackageStatus | undefined;
  readonly startingAfter?: number | undefined;
}

function packagePage(query: PackagesQuery) {
  const { status, startingAfter } = query;
  if (askedSort(packageList.sorts, query).isOwn) {
    return listNewestPackages({ startingAfter: startingAfter ?? null, status: status ?? null });
  }
  return packageList.page(query, {}, status === undefined ? [] : [status]);
}

/** Lists of packages for staff: on their way, in stock, or finished (D53). */
export function packageListStaffRoutes({ database }: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'staffListPackages',
      method: 'GET',
      path: '/staff/v1/packages',
      roles: stockWriters,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        readsAll: { status: 'the packages of a shop; a status alone is a filter with an index' },
        notInConsole: {
          createdAt: 'the order that the table has by itself',
          receivedAt: 'the table has no column of it',
        },
        found: { descending: ['id'] },
        keys: { createdAt: [], initialAmount: ({ initialAmount }) => Number(initialAmount) },
      },
      exported: {
        not: 'read by their ids instead: a list by last change omits those that are changing at the moment',
      },
      summary: 'List packages',
      description: `Packages on their way, in stock and finished, ${packagesPerPage} a page, newest first unless sorted. Filters combine.`,
      tag: 'Packages',
      query: Type.Object({
        status: Type.Optional(OneOf(packageStatuses)),
        search: Type.Optional(
          Text({
            min: 1,
            max: 200,
            description:
              'Words, in any order, of label and product names, in the catalog and on the manifest, without case',
          }),
        ),
        ...sortFields(packageList.sorts, 'With a search always newest first'),
        startingAfter: Type.Optional(
          withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
        ),
      }),
      success: {
        status: 200,
        data: List(Package, { max: packagesPerPage }),
        meta: ListTotal,
        description: 'A page of packages; with a search, `meta` is of the page',
        example: [packageExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff: { organizationId }, query }) => {
        const { startingAfter, status } = query;
        const filter = { startingAfter: startingAfter ?? null, status: status ?? null };
        const search = query.search?.trim() || null;
        const [page, cursor, counts] = await database.read(
          organizationId,
          search === null ? packagePage(query) : null,
          startingAfter === undefined ? null : selectPackages({ ids: [startingAfter] }),
          search === null ? countNewestPackages(filter) : null,
        );
        if (startingAfter !== undefined && cursor.length === 0) {
          throw failure('INVALID_CURSOR', 'startingAfter must be the id of a package.');
        }
        const rows =
          search === null
            ? page
            : await readSearchPage(database, organizationId, searchNewestPackages(search, filter));
        const total =
          search === null
            ? totalOf(counts[0]!.count)
            : totalOfPage(rows.length, packagesPerPage, startingAfter === undefined);
        return reply(
          await shownPackages((...statements) => database.read(organizationId, ...statements), rows),
          { meta: total },
        );
      },
    }),

    staffEndpoint({
      id: 'staffGetPackage',
      method: 'GET',
      path: '/staff/v1/packages/{packageId}',
      roles: stockWriters,
      kind: 'read',
      summary: 'Retrieve a package',
      description: 'With what is left of it, and where. A change of it is guarded by its `updatedAt`.',
      tag: 'Packages',
      params: PackageParams,
      resourceParams: { packageId: 'PACKAGE_NOT_FOUND' },
      success: { status: 200, data: Package, description: 'The package', example: packageExample },
      failures: [],
      handle: async ({ staff: { organizationId }, params }) => {
        const [rows] = await database.read(organizationId, selectPackages({ ids: [params.packageId] }));
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

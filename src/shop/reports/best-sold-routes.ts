import Type from 'typebox';
import { addDays, businessDayAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { List, LocalDate } from '../../platform/http/schemas.ts';
import { productExample } from '../catalog/product-examples.ts';
import { Product } from '../catalog/product-schemas.ts';
import { productStatements, showProducts } from '../catalog/products.ts';
import { selectReportDays } from './report-queries.ts';
import { selectBestSold } from './today-queries.ts';

const days = 28;
const productsMax = 48;

/** What sells most, for those who sell. */
export function bestSoldRoutes(
  { database, clock }: Context,
  photoUrl: (location: string) => string,
): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'getBestSoldProducts',
      method: 'GET',
      path: '/staff/v1/reports/best-sold-products',
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      summary: 'Retrieve the best sold products',
      description: `The active products of which most units were sold in the last ${days} business days, best sold first: at most ${productsMax}. Of the sums of reports, which take an order in within half a minute.`,
      tag: 'Reports',
      success: {
        status: 200,
        data: Type.Object({
          from: LocalDate(),
          to: LocalDate(),
          products: List(Product, { max: productsMax }),
        }),
        description: 'The products',
        example: { from: '2026-02-11', to: '2026-03-10', products: [productExample] },
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const [[asked]] = await database.read(organizationId, selectReportDays({}));
        const to = businessDayAt(clock.now(), { tz: asked!.tz, dayStartsAt: asked!.day_starts_at });
        const from = addDays(to, 1 - days);
        // Some of them may be off the menu by now.
        const range = { fromDay: from, toDay: to, rowsMax: productsMax * 2 };
        const [sold] = await database.read(organizationId, selectBestSold(range));
        const ids = sold.map(({ product_id }) => product_id);
        const rows = await database.read(organizationId, ...productStatements(ids));
        const shown = showProducts(ids, rows, photoUrl);
        const products = shown.filter(({ isActive, deletedAt }) => isActive && deletedAt === null);
        return reply({ from, to, products: products.slice(0, productsMax) });
      },
    }),
  ];
}

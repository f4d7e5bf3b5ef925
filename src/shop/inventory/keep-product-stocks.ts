import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { ensureProductStocks, foldProductStocks, lockProductStocks } from './product-stock-queries.ts';

const periodMs = 10_000;
/** What one transaction does at most, in a fraction of a second. */
const productsAtOnce = 500;
/** The other organizations come after so many steps; the rest is done the next time. */
const stepsMax = 100;

/**
 * Takes changes of stock into the sums by which the list of products is sorted, step by step. The list is the same before and
 * after each step; it reads more while there are many changes. Resolves to how many changes it took.
 */
export async function foldStockChanges(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let sum = 0;
  for (let steps = 0; steps < stepsMax && !isStopping(); steps += 1) {
    const asked = { productsMax: productsAtOnce };
    const taken = await database.write(
      organization,
      async (tx) => {
        const [, locked] = await tx.run(ensureProductStocks(asked), lockProductStocks(asked));
        const productIds = locked.map(({ product_id: id }) => id);
        const [[folded]] = await tx.run(foldProductStocks({ productIds }));
        return { products: productIds.length, changes: folded!.changes };
      },
      { countsAsChange: false },
    );
    sum += taken.changes;
    if (taken.products < productsAtOnce) break;
  }
  return sum;
}

/** Does it now and every ten seconds, for the organizations that have changes. */
export function startKeepingProductStocks(
  context: Pick<Context, 'database'>,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'],
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'the stock of products was not summed',
    periodMs,
    listOrganizations,
    logger,
    work: async (organization, isStopping) => {
      await foldStockChanges(context, organization, isStopping);
    },
  });
}

import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import type { OptionRow } from './catalog-queries.ts';
import { contentDoubt, optionDoubts } from './content-doubt.ts';
import {
  type CheckedOptionRow,
  deleteContentDoubts,
  insertContentDoubts,
  productsPerCheck,
  replaceContentDoubts,
  selectOptionsToCheck,
} from './content-doubt-queries.ts';
import type { ShownProductRow } from './product-queries.ts';

/** An option whose content contradicts its size. */
export interface ContentDoubt {
  readonly productId: number;
  readonly productName: string;
  readonly productOptionId: number;
  /** Words that follow the option's name. */
  readonly reason: string;
}

const periodMs = 3_600_000;

/** Every option on sale with its doubt, in batches. */
async function* checkedOptions(context: Context, organization: OrganizationId) {
  let after = 0;
  for (;;) {
    const [rows] = await context.database.read(organization, selectOptionsToCheck({ after }));
    yield rows.filter(isOption).map((row) => ({ row, reason: doubtOf(row) }));
    if (new Set(rows.map(({ product_id: productId }) => productId)).size < productsPerCheck) return;
    after = rows.at(-1)!.product_id;
  }
}

type CheckedOption = CheckedOptionRow & { id: number };

function isOption(row: CheckedOptionRow): row is CheckedOption {
  return row.id !== null;
}

function doubtOf(row: CheckedOption): string | null {
  return contentDoubt({
    cannabisType: row.cannabis_type,
    unit: row.unit,
    productName: row.is_only ? row.product_name : null,
    name: row.name,
    amount: row.amount,
    content: row.content,
  });
}

/** The options of an organization whose content contradicts their size, in the order of products and ids. Read only. */
export async function* findContentDoubts(
  context: Context,
  organization: OrganizationId,
): AsyncGenerator<ContentDoubt> {
  for await (const page of checkedOptions(context, organization)) {
    for (const { row, reason } of page) {
      if (reason === null) continue;
      const { id: productOptionId, product_id: productId, product_name: productName } = row;
      yield { productId, productName, productOptionId, reason };
    }
  }
}

/** Stores the doubted contents for the warnings that owners see. Writes only changes. */
async function noteContentDoubts(context: Context, organization: OrganizationId): Promise<void> {
  for await (const page of checkedOptions(context, organization)) {
    const idsWhere = (isDoubted: boolean) =>
      page.flatMap(({ row, reason }) =>
        row.is_noted !== isDoubted && (reason !== null) === isDoubted ? [row.id] : [],
      );
    const [found, settled] = [idsWhere(true), idsWhere(false)];
    if (found.length === 0 && settled.length === 0) continue;
    await context.database.write(organization, async (tx) => {
      tx.queue(insertContentDoubts({ optionIds: found }), deleteContentDoubts({ optionIds: settled }));
    });
  }
}

/**
 * Checks the contents of all organizations at the start and every hour: the type of a category may have changed, and a release may
 * have another check.
 */
export function startContentCheck(
  context: Context,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: RequestLog,
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'contents of options could not be checked',
    periodMs,
    isSpread: true,
    listOrganizations,
    logger,
    work: (organization) => noteContentDoubts(context, organization),
  });
}

/** Replaces the stored doubts of a product that this transaction has written. */
export function noteProductDoubts(
  tx: TenantTransaction,
  [[product], options]: readonly [ShownProductRow[], OptionRow[], ...unknown[]],
): void {
  if (product === undefined) return;
  const { id, name, unit, category_cannabis_type: type } = product;
  const reasons = optionDoubts({ name, unit }, type, options);
  const optionIds = options.flatMap((option, index) => (reasons[index] === null ? [] : [option.id]));
  tx.queue(replaceContentDoubts({ productId: id, optionIds }));
}

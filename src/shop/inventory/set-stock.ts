import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { errorCatalog } from '../../kernel/error-catalog.ts';
import { Failure, failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { requestValidator } from '../../platform/http/request-validation.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock, stockFacts } from './move-stock.ts';
import { selectMovesSinceCount, selectOptionToSet, selectStockSetting } from './set-stock-queries.ts';
import { StockLineBody, type StockLineRequest } from './set-stock-schemas.ts';
import { heldItems } from './stock-items.ts';
import { refuseGlut, runStockOperation } from './stock-operation.ts';

const validate = requestValidator({ body: StockLineBody, resourceParams: {} });

/** Either the stock of a line, or why it was refused. */
interface LineResult {
  readonly productOptionId?: number;
  readonly externalId?: string;
  /** Stock on hand now. */
  readonly onHand?: string;
  readonly isChanged?: boolean;
  readonly error?: Pick<Failure, 'code' | 'message'> & { readonly meta?: Readonly<Record<string, unknown>> };
}

/** Who sends the counts. */
interface Sender {
  readonly organizationId: OrganizationId;
  readonly integratorId: number;
  /** Unknown names are refused (D5). */
  readonly strict: boolean;
}

/**
 * Sets loose stock to what an integrator counted at a moment, each line in a transaction of its own: a line that is
 * refused stops no other. What was sold or moved here since that moment counts on top, so no concurrent sale is lost, and
 * the same lines again change nothing. Open orders have taken their stock when they were placed: it is no part of the
 * count. A count that is older than another count of the same stock is refused with STALE_EDIT. Fails with
 * INSUFFICIENT_PERMISSIONS unless the organization's owner lets integrators set stock.
 */
export async function setStock(
  context: Context,
  origin: Origin,
  sender: Sender,
  countedAt: string,
  lines: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly LineResult[]> {
  const [[setting]] = await context.database.read(sender.organizationId, selectStockSetting({}));
  if (setting?.integrators_set_stock !== true) {
    throw failure(
      'INSUFFICIENT_PERMISSIONS',
      'The organization does not let integrators set its stock. Its owner switches that on in the settings.',
    );
  }
  const countedAtMs = Date.parse(countedAt);
  if (countedAtMs > context.clock.now()) {
    throw failure('INVALID_PARAMS', 'countedAt must not be in the future.');
  }
  const results: LineResult[] = [];
  for (const [index, line] of lines.entries()) {
    const named = namesOf(line);
    try {
      const sent = validate({}, {}, line, sender.strict).body as StockLineRequest;
      results.push({ ...named, ...(await setLine(context, origin, sender, countedAtMs, sent, index)) });
    } catch (problem) {
      if (!(problem instanceof Failure) || errorCatalog[problem.code].status >= 500) throw problem;
      const { code, message, meta } = problem;
      results.push({ ...named, error: { code, message, ...(meta !== undefined && { meta }) } });
    }
  }
  return results;
}

/** How a line names its option, as far as a reply can repeat it. */
function namesOf({ productOptionId, externalId }: Readonly<Record<string, unknown>>) {
  return {
    ...(Number.isSafeInteger(productOptionId) &&
      Number(productOptionId) > 0 && { productOptionId: Number(productOptionId) }),
    ...(typeof externalId === 'string' && {
      externalId: Buffer.from(externalId.slice(0, 200)).toString(),
    }),
  };
}

const reason = 'Counted by an integrator';

async function setLine(
  context: Context,
  origin: Origin,
  { organizationId, integratorId }: Sender,
  countedAtMs: number,
  { productOptionId = null, externalId = null, inventoryLocationId, counted }: StockLineRequest,
  index: number,
): Promise<LineResult> {
  const option = await namedOption(context, { organizationId, integratorId }, productOptionId, externalId);
  const item = { productId: option.product_id, productOptionId: option.id, packageId: null };
  let line: LineResult = {};
  try {
    await runStockOperation(
      context,
      origin,
      organizationId,
      'count',
      { reason, idempotencyKey: null },
      async (tx, { id, nowMs }) => {
        const [held] = await heldItems(tx, [item], { inventoryLocationId }, () => (field) => field);
        const key = { ...held!, locationId: inventoryLocationId };
        const [before] = await lockedBalances(tx, [key]);
        const [[moves]] = await tx.run(
          selectMovesSinceCount({
            productId: key.productId,
            optionId: key.optionId,
            locationId: inventoryLocationId,
            countedAt: isoTimestamp(countedAtMs),
          }),
        );
        const wanted = decimal(counted).plus(decimal(moves!.moved));
        // More was sold here than there was: nothing is left.
        const onHand = wanted.lt(zero) ? zero : wanted;
        refuseGlut('counted', onHand);
        const difference = onHand.minus(before!);
        line = { productOptionId: option.id, onHand: decimalText(onHand), isChanged: true };
        if (difference.eq(zero)) throw new Unchanged();
        if (moves!.is_counted_since) {
          throw failure(
            'STALE_EDIT',
            `countedAt must be after the last count of ${key.productName}: it was counted since. Count it again.`,
            { line: index, onHand: decimalText(before!) },
          );
        }
        const told = {
          ...item,
          counted,
          expected: decimalText(before!),
          difference: decimalText(difference),
        };
        await announce(tx, context, origin, nowMs, {
          event: 'stock.counted',
          subjectType: 'stock_operation',
          subjectId: id,
          payload: { operationId: id, inventoryLocationId, lines: 1, ...stockFacts([key]) },
          details: { inventoryLocationId, lines: [told], reason, countedAt: isoTimestamp(countedAtMs) },
        });
        await moveStock(tx, context, origin, {
          cause: 'counted',
          causeId: id,
          atMs: nowMs,
          reason,
          movements: [{ ...key, delta: difference, orderLineItemId: null }],
        });
        return { id, inventoryLocationId, lines: [told], reason, createdAt: isoTimestamp(nowMs) };
      },
    );
  } catch (problem) {
    if (!(problem instanceof Unchanged)) throw problem;
    return { ...line, isChanged: false };
  }
  return line;
}

/** The option that a line names. Fails with INVALID_PARAMS and PRODUCT_OPTION_NOT_FOUND. */
async function namedOption(
  { database }: Pick<Context, 'database'>,
  { organizationId, integratorId }: Pick<Sender, 'organizationId' | 'integratorId'>,
  productOptionId: number | null,
  externalId: string | null,
) {
  if ((productOptionId === null) === (externalId === null)) {
    throw failure('INVALID_PARAMS', 'productOptionId must be sent, or externalId, but not both.');
  }
  const [[option]] = await database.read(
    organizationId,
    selectOptionToSet({ integratorId, externalId, productOptionId }),
  );
  if (option === undefined) {
    const field = externalId === null ? 'productOptionId must be the id' : 'externalId must be your id';
    throw failure('PRODUCT_OPTION_NOT_FOUND', `${field} of an option.`);
  }
  return option;
}

/** Ends a line that changes nothing: not a row is written. */
class Unchanged extends Error {
  override name = 'Unchanged';
}

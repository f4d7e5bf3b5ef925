import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { judgeMove, type ShopSums } from './judge-move.ts';
import {
  type MoveRow,
  selectMove,
  selectRefundLinks,
  selectReportersOfMove,
  selectTagsOfMove,
  sumFormerCustomers,
  sumFormerDays,
  sumGoods,
} from './move-queries.ts';
import { noteChecks } from './step-move.ts';

/** Compares the files of a move with what the shop has now, and keeps the numbers. Fails with MOVE_NOT_FOUND. */
export async function checkMove(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<MoveRow> {
  const [[move]] = await context.database.read(organization, selectMove({ id }));
  if (move === undefined) throw failure('MOVE_NOT_FOUND', 'There is no such move.');
  const since = isoTimestamp(move.live_at ?? context.clock.now());
  const [[customers], days, [goods], tags, [reporters], [refunds]] = await context.database.read(
    organization,
    sumFormerCustomers({ till: move.till }),
    sumFormerDays({ till: move.till }),
    sumGoods({}),
    selectTagsOfMove({}),
    selectReportersOfMove({ since }),
    selectRefundLinks({ till: move.till }),
  );
  const shop: ShopSums = {
    customers: {
      ...{ accounts: customers!.accounts, points: customers!.points },
      ...{ creditCents: customers!.credit_cents, consents: customers!.consents },
    },
    days: Object.fromEntries(
      days.map(({ day, sales, net_cents: netCents, tax_cents: taxCents }) => [
        day,
        { sales, netCents, taxCents },
      ]),
    ),
    goods: {
      ...{ options: goods!.options, priceCents: goods!.price_cents },
      ...{ withoutPrice: goods!.without_price, twice: goods!.twice },
    },
    tags: Object.fromEntries(
      tags.map(({ label, quantity, has_product: hasProduct, value }) => [
        label,
        { quantity, hasProduct, value },
      ]),
    ),
    refunds: refunds!,
    ...{ reporters: reporters!.connections_on, isLive: move.status === 'live' },
  };
  return noteChecks(context, origin, organization, id, judgeMove(move.files, shop));
}

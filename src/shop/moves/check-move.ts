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
import { noteChecks, noteTrialChecks, sandboxOf } from './step-move.ts';

/** Compares the files of a move with what the shop has now, and keeps the numbers. Fails with MOVE_NOT_FOUND. */
export async function checkMove(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<MoveRow> {
  const move = await moveOf(context, organization, id);
  const sums = await sumsOfShop(context, organization, move, organization);
  return noteChecks(context, origin, organization, id, judgeMove(move.files, sums));
}

/** Compares the files that were loaded into the sandbox with what that has. Fails with MOVE_NOT_FOUND and MOVE_NOT_READY. */
export async function checkTrial(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<MoveRow> {
  const move = await moveOf(context, organization, id);
  const sandbox = sandboxOf(move);
  if (move.trial === null || sandbox === null) {
    throw failure('MOVE_NOT_READY', 'Nothing was loaded into a sandbox yet.');
  }
  const sums = await sumsOfShop(context, organization, move, sandbox);
  return noteTrialChecks(context, origin, organization, id, judgeMove(move.trial.files, sums));
}

async function moveOf(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  id: number,
): Promise<MoveRow> {
  const [[move]] = await database.read(organization, selectMove({ id }));
  if (move === undefined) throw failure('MOVE_NOT_FOUND', 'There is no such move.');
  return move;
}

/** What the shop has, or its sandbox; who reports to the state is the shop's. */
async function sumsOfShop(
  { database, clock }: Context,
  organization: OrganizationId,
  move: MoveRow,
  at: OrganizationId,
): Promise<ShopSums> {
  const [[customers], days, [goods], tags, [refunds]] = await database.read(
    at,
    sumFormerCustomers({ till: move.till }),
    sumFormerDays({ till: move.till }),
    sumGoods({}),
    selectTagsOfMove({}),
    selectRefundLinks({ till: move.till }),
  );
  const since = isoTimestamp(move.live_at ?? clock.now());
  const [[reporters]] = await database.read(organization, selectReportersOfMove({ since }));
  return {
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
}

import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { loadOrder } from '../orders/orders.ts';
import { type DecidedReturn, decideReturn, type ReturnRequest } from './decide-return.ts';
import { assertReturnLawful } from './lawful-return.ts';
import { chargedTaxes, paidCents } from './return-charges.ts';
import { shownTaxes } from './return-document.ts';
import { loadReturnFacts } from './return-facts.ts';
import type { ShownReturnPreview } from './return-schemas.ts';

/** Computes a return on the current data; writes and locks nothing. Fails as `returnOrder` would. */
export async function previewReturn(
  { database, law, clock }: Context,
  organization: OrganizationId,
  orderId: string,
  request: ReturnRequest,
): Promise<ShownReturnPreview> {
  const run: TenantTransaction['run'] = (...statements) => database.read(organization, ...statements);
  const tx = { organizationId: organization, run };
  const order = await loadOrder(tx, orderId, { lock: false });
  if (order === null) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
  const facts = await loadReturnFacts(tx, order, { ...request, idempotencyKey: null }, { lock: false });
  await assertReturnLawful(tx, law.current, order, request, clock.now());
  return returnPreview(order, request, decideReturn(order, request, facts));
}

function returnPreview(
  order: OrderRecord,
  { refundType }: Pick<ReturnRequest, 'refundType'>,
  { amounts, lines, settlement, broken, adjustment, cashRoundingCents }: DecidedReturn,
): ShownReturnPreview {
  const charged = chargedTaxes(order);
  return {
    refundType,
    refundInitial: amounts.refundInitialCents,
    refundTotal: amounts.refundTotalCents,
    cashRounding: 0 - (cashRoundingCents ?? 0),
    creditsTotal: amounts.creditsTotalCents,
    discountsTotal: amounts.discountsTotalCents,
    loyaltyTotal: amounts.loyaltyTotalCents,
    adjustmentAmount: adjustment.adjustmentCents,
    lineItems: lines.map(({ orderLineItemId, quantity, parts }) => ({
      orderLineItemId,
      quantity,
      // Avoids -0.
      refund: refundType === 'none' ? 0 : 0 - paidCents(parts, charged),
    })),
    taxes: shownTaxes(order, amounts),
    storeCredit: settlement.storeCreditCents,
    pointsTakenBack: settlement.pointsTakenBack,
    pointsGivenBack: settlement.pointsGivenBack,
    pointsCharged: adjustment.pointsChargedCents,
    brokenRewards: broken.map(({ amountCents, ...reward }) => ({ ...reward, amount: amountCents })),
    rewardTakenBack: adjustment.rewardTakenBackCents,
  };
}

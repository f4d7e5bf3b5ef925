import { isDeepStrictEqual } from 'node:util';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { barredDiscount } from '../../engines/duties/barred-promotions.ts';
import type { StateLaw } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { DiscountSetup } from './discount-setup.ts';
import { selectReachesCannabis } from './discount-setup-queries.ts';

/**
 * Fails with DISCOUNT_NOT_ALLOWED_BY_LAW, naming the law, for a discount that could reduce cannabis where the state bars it (D93). One on other
 * goods alone is the shop's affair.
 */
export async function assertDiscountLawful(
  tx: Pick<TenantTransaction, 'run'>,
  law: StateLaw,
  { kind, conditions: { customerType }, targets }: DiscountSetup,
  nowMs: number,
): Promise<void> {
  const [[organization]] = await tx.run(selectOrganization({}));
  assert(organization !== undefined, 'the organization exists');
  const { state, tz } = organization;
  const barred = barredDiscount(law.find(state), localDateAt(nowMs, tz), { kind, customerType, targets });
  if (barred === null) return;
  const isForAll = Object.values(targets).every((ids: readonly number[]) => ids.length === 0);
  const [[reached]] = isForAll ? [[{ reaches: true }]] : await tx.run(selectReachesCannabis(targets));
  if (!reached!.reaches) return;
  const { words, citation } = barred;
  throw failure(
    'DISCOUNT_NOT_ALLOWED_BY_LAW',
    `${words}: give it to patients alone, or on goods without cannabis, if the law allows that`,
    { citation },
  );
}

/** Whether a change leaves a discount that is given from now on: one that only ends needs no leave of the law. */
export function isGivenLater(before: DiscountSetup, after: DiscountSetup, nowMs: number): boolean {
  const { endsAtMs } = after.conditions;
  if (endsAtMs === null) return true;
  const endsSooner = before.conditions.endsAtMs === null || endsAtMs < before.conditions.endsAtMs;
  return endsAtMs > nowMs && !(endsSooner && isDeepStrictEqual(judged(before), judged(after)));
}

/** What the law asks of a discount. */
function judged({ kind, conditions: { customerType }, targets }: DiscountSetup) {
  return { kind, customerType, targets };
}

import { selectOrganization } from '../../access/organizations/organizations.ts';
import { barredReturn } from '../../engines/duties/barred-promotions.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import { localDateAt } from '../../kernel/local-time.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { ReturnRequest } from './decide-return.ts';

/** Fails with RETURN_NOT_ALLOWED for cannabis where the law of the state bars that it is taken back (D93). */
export async function assertReturnLawful(
  tx: Pick<TenantTransaction, 'run'>,
  law: Law,
  { lines }: OrderRecord,
  { lines: returnedLines }: Pick<ReturnRequest, 'lines'>,
  nowMs: number,
): Promise<void> {
  // No state is asked where none is known to bar it.
  if (!law.edition.jurisdictions.some(({ duties }) => duties?.returns?.some(isBarred))) return;
  const returned = new Set(returnedLines.map(({ orderLineItemId }) => orderLineItemId));
  const isCannabis = lines.some(
    ({ id, productCannabisType }) => returned.has(id) && productCannabisType !== 'none',
  );
  if (!isCannabis) return;
  const [[organization]] = await tx.run(selectOrganization({}));
  assert(organization !== undefined, 'the organization exists');
  const { state, tz } = organization;
  const barred = barredReturn(law.find(state), localDateAt(nowMs, tz));
  if (barred !== null) throw failure('RETURN_NOT_ALLOWED', barred.words, { citation: barred.citation });
}

const isBarred = ({ value }: { readonly value: { readonly accepted: string } }) =>
  value.accepted === 'barred';

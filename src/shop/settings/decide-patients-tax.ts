import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { changeTax } from './change-tax.ts';
import type { SavedTax } from './tax-settings.ts';

/**
 * Stores whether patients owe a tax, with the owner's reason (D35). Resolves to the tax that is charged from now on:
 * another one, if the decision changes the charge. Fails with TAX_NOT_FOUND, TAX_ENDED, and INVALID_PARAMS for a tax
 * that is charged to one type of customer.
 */
export async function decidePatientsTax(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  taxId: number,
  decision: { readonly owe: boolean; readonly note: string; readonly decidedBy: number },
): Promise<SavedTax> {
  const decidedAt = isoTimestamp(context.clock.now());
  return changeTax(context, origin, organization, taxId, ({ customerType, patients }) => {
    if (customerType !== 'all') {
      throw failure(
        'INVALID_PARAMS',
        `taxId must name a tax that all customers owe; this one is ${customerType}`,
      );
    }
    const { rule, text } = patients ?? { rule: 'not-known', text: 'Set up by hand.' };
    return { exemptable: !decision.owe, patients: { rule, text, decision: { ...decision, decidedAt } } };
  });
}

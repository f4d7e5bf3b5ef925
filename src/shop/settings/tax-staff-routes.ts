import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, NonBlankText } from '../../platform/http/schemas.ts';
import { decidePatientsTax } from './decide-patients-tax.ts';
import { shownTax, Tax, taxExample } from './tax-schemas.ts';
import { taxes } from './tax-setting.ts';

/** Staff operations on taxes. */
export function taxStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    ...taxes(context),
    staffEndpoint({
      id: 'decidePatientsTax',
      method: 'POST',
      path: '/staff/v1/taxes/{taxId}/patients',
      roles: ['owner'],
      kind: 'write',
      summary: 'Decide whether patients owe a tax',
      description:
        'If the known law does not say whether patients owe a tax, its preset does not charge them. The owner decides, with a reason that is stored with the tax and in the audit. A decision that changes the charge ends the tax and begins another at the same instant. Applying the preset again keeps the decision. A tax that is charged to one type of customer needs no decision.',
      tag: 'Settings',
      params: Type.Object({ taxId: Id() }),
      resourceParams: { taxId: 'TAX_NOT_FOUND' },
      body: Type.Object({
        owe: Flag({ description: 'Whether patients are charged the tax' }),
        note: NonBlankText({ max: 1000, description: 'The reason: the person and the source' }),
      }),
      requestExample: { owe: true, note: 'Our accountant asked the department on 2026-11-20.' },
      success: {
        status: 200,
        data: Tax,
        description: 'The tax that is charged from now on',
        example: {
          ...taxExample,
          exemptable: false,
          patients: {
            rule: 'not-known',
            text: 'Whether patients owe the sales tax was not looked up.',
            decision: {
              owe: true,
              note: 'Our accountant asked the department on 2026-11-20.',
              decidedAt: '2026-11-23T17:05:09.123Z',
              decidedBy: 1201,
            },
          },
        },
      },
      failures: ['TAX_NOT_FOUND', 'TAX_ENDED'],
      handle: async ({ staff, params: { taxId }, body, requestId }) =>
        reply(
          shownTax(
            await decidePatientsTax(context, staffOrigin(staff, requestId), staff.organizationId, taxId, {
              ...body,
              decidedBy: staff.staffId,
            }),
          ),
        ),
    }),
  ];
}

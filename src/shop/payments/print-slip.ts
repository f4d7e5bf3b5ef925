import Type from 'typebox';
import { orderRoles } from '../../kernel/staff-roles.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, Nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paymentDeskOf } from './payment-desk.ts';
import { readIntent } from './request-intent.ts';
import { open } from './start-intent.ts';

/** Prints the slip of a card payment again, at its terminal. */
export function slipEndpoint(context: Context): StaffEndpoint {
  return staffEndpoint({
    id: 'printPaymentSlip',
    method: 'POST',
    path: '/staff/v1/payment-intents/{paymentIntentId}/slip',
    params: Type.Object({ paymentIntentId: Id() }),
    resourceParams: { paymentIntentId: 'PAYMENT_INTENT_NOT_FOUND' },
    roles: orderRoles,
    kind: 'read',
    readsFrom: { primary: 'the customer waits for the slip of what was just taken' },
    summary: 'Print the slip of a payment again',
    description:
      "Asks the terminal that took the payment to print the customer's slip once more. No money moves, and nothing is stored. The receipt " +
      'of the order, which a terminal does not print, says the same of the payment.',
    tag: 'Orders',
    success: {
      status: 200,
      data: Type.Object({
        state: OneOf(['printed', 'gone', 'refused', 'silent', 'none'], {
          description:
            '`gone`: the terminal does not know the payment any more, as after its batch was closed. `refused`: not printed, for the reason ' +
            'that `code` and `advice` name. `silent`: no answer. `none`: nothing was taken, or not at a terminal',
        }),
        code: Nullable(Text({ max: 100, description: "The terminal's word for it" })),
        advice: Nullable(Text({ max: 300, description: 'What to do about it' })),
      }),
      description: 'What the terminal says',
      example: { state: 'printed', code: null, advice: null },
    },
    failures: ['PAYMENT_INTENT_NOT_FOUND'],
    handle: async ({ staff: { organizationId }, params: { paymentIntentId: id } }) => {
      const { capturedCents } = await readIntent(context, organizationId, id);
      const { provider, asked } = await open(paymentDeskOf(context), organizationId, id);
      const none = { state: 'none', code: null, advice: null } as const;
      if (provider.printSlip === undefined || capturedCents === 0) return reply(none);
      const { seen, code = null, advice = null } = await provider.printSlip(asked);
      return reply({ state: seen === 'silence' ? 'silent' : seen, code, advice });
    },
  });
}

import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../../../sdk/src/api-failure.ts';
import { fieldRefusalInWords, refusalInWords } from './refusal-words.ts';

function words(code: string, message: string, meta: Record<string, unknown> = {}, status = 422): string {
  return refusalInWords(new ApiFailure({ code, message, meta, status }));
}

describe('refusals in plain words', () => {
  test.each([
    [
      'DISCOUNT_CODE_INVALID',
      'discountCodes[0] is not a code of this organization',
      { discountCode: 'SUMMER20' },
      'The code “SUMMER20” does not belong to this shop.',
    ],
    [
      'DISCOUNT_CODE_INVALID',
      'discountCodes[1] needs a subtotal of at least 5000 cents',
      { discountCode: 'BIG' },
      'The code “BIG” needs a subtotal of at least $50.00.',
    ],
    [
      'INVALID_ORDER',
      'payments must add up to 9131 cents (the amount due before payment fees), not 9000',
      {},
      'The payments add up to $90.00, but $91.31 is due before payment fees.',
    ],
    [
      'INVALID_ORDER',
      'payments[0].tendered must be at least 9131 cents, not 9000',
      {},
      '$90.00 in cash is not enough for $91.31.',
    ],
    [
      'INVALID_PARAMS',
      'adjustments[0].description must be text of 1 to 200 characters.',
      {},
      'Description of adjustment 1: enter 1 to 200 characters.',
    ],
    [
      'OUT_OF_STOCK',
      'delta must not take more of Moonlit Grove than there is: 3.5',
      { product: { name: 'Moonlit Grove' }, lineItem: { quantity: '5' } },
      'Only 3.5 of Moonlit Grove in stock.',
    ],
    [
      'OUT_OF_STOCK',
      'Not enough stock of Moonlit Grove for a quantity of 4',
      { product: { name: 'Moonlit Grove' }, lineItem: { quantity: 4 } },
      'Not enough Moonlit Grove in stock for 4.',
    ],
    [
      'INVALID_API_CREDENTIALS',
      'There is no valid session: sign in with POST /staff/v1/sessions.',
      {},
      'Your session has ended. Sign in again.',
    ],
    [
      'INSUFFICIENT_PERMISSIONS',
      'The role must be one of owner.',
      {},
      'Your role may not do this. It needs an owner.',
    ],
    [
      'INSUFFICIENT_PERMISSIONS',
      'The role must be one of owner, manager.',
      {},
      'Your role may not do this. It needs an owner or a manager.',
    ],
    [
      'ORGANIZATION_SUSPENDED',
      'The organization is suspended: it can be read, and not written.',
      {},
      'This shop is suspended. You can view everything and change nothing.',
    ],
    [
      'PRICE_CHANGED',
      'The order would cost 9131 cents, not 9000',
      { expected: 9000, actual: 9131 },
      'The price has changed to $91.31; it was $90.00. Check it, then try again.',
    ],
    [
      'MISSING_PARAMS',
      'Required but absent: name, options[0].price.',
      { missing: ['name', 'options[0].price'] },
      'Required: Name, Price of option 1.',
    ],
    [
      'MISSING_PARAMS',
      'Required but absent: type, email or phone.',
      { missing: ['type', 'email', 'phone'] },
      'Required: Type, Email or Phone.',
    ],
    [
      'INVALID_PARAMS',
      'paymentTypeId must be left out unless refundType is payment-method',
      {},
      'Payment type must be left out unless refund type is payment-method',
    ],
    [
      'MISSING_PARAMS',
      "Required but absent, as the category's cannabisType is concentrated: options[0].content, options[2].content.",
      { missing: ['options[0].content', 'options[2].content'] },
      'Required: Content of option 1, Content of option 3.',
    ],
    [
      'INVALID_PARAMS',
      'amount must be a number above 0 as text, with at most 12 digits before and 6 after the point.',
      {},
      'Amount: enter a number above 0.',
    ],
    [
      'INVALID_PARAMS',
      'orderMinimums.delivery must be at least 0.',
      {},
      'Order minimums, delivery must be at least 0.',
    ],
  ])('%s: %s', (code, message, meta, said) => {
    expect(words(code, message, meta)).toBe(said);
  });

  test('names written by people stay unchanged', () => {
    const said =
      'Live discounts name the group: Noor.Sandoval@people.example.com, e.g. iPhone (415) 555-0123.';
    expect(words('CUSTOMER_GROUP_IN_USE', said, {}, 409)).toBe(said);
  });

  test('the message beside a field omits the field name', () => {
    const failure = new ApiFailure({
      code: 'INVALID_PARAMS',
      message: 'amount must be at most the outstanding amount: 5000 cents.',
      status: 400,
    });
    expect(fieldRefusalInWords(failure, 'amount')).toBe('Must be at most the outstanding amount: $50.00.');
    const ofReason = {
      code: 'INVALID_PARAMS',
      status: 400,
      message: 'lineItems[0].reason must be text of 1 to 500 characters.',
    };
    expect(fieldRefusalInWords(new ApiFailure(ofReason), 'lineItems[0].reason')).toBe(
      'Enter 1 to 500 characters.',
    );
  });
});

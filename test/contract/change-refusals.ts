import type { ErrorCode } from '../../src/kernel/error-catalogue.ts';
import type { Refusal } from './refusal.ts';

/** What requests for changes are refused for (D64). */
export function changeRefusals(endpointId: string): Refusal[] {
  if (endpointId !== 'listChanges') return [];
  const refusal = (name: string, value: string, code: ErrorCode, message: RegExp): Refusal => ({
    endpointId,
    code,
    when: `${name} is ${value === '' ? 'empty' : value}`,
    arrange: () => ({ request: { params: {}, body: undefined, query: { [name]: value } } }),
    message,
  });
  return [
    ...['first', '', '-1', '1-2-3', 'ZZ-1'].map((value) =>
      refusal('after', value, 'INVALID_CURSOR', /^after must be /),
    ),
    refusal('after', 'zzzzzzz-1', 'CURSOR_EXPIRED', /changes\/latest/),
    refusal('types', 'order.exploded', 'INVALID_PARAMS', /^types names "order\.exploded"/),
    refusal('types', 'staff.*,', 'INVALID_PARAMS', /^types names ""/),
    refusal('limit', '501', 'INVALID_PARAMS', /^limit must be /),
    refusal('wait', '26', 'INVALID_PARAMS', /^wait must be /),
    refusal('include', 'everything', 'INVALID_PARAMS', /^include must be /),
  ];
}

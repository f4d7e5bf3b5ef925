import type { ErrorCode } from '../../src/kernel/error-catalog.ts';
import { collision } from './collision-refusals.ts';
import type { Refusal } from './refusal.ts';

/** What requests for changes are refused for (D64). */
export function changeRefusals(endpointId: string): Refusal[] {
  if (endpointId.endsWith('Checksum')) return checksumRefusals(endpointId);
  if (endpointId !== 'listChanges' && endpointId !== 'listOwnRequests') return [];
  const refusal = (name: string, value: string, code: ErrorCode, message: RegExp): Refusal => ({
    endpointId,
    code,
    when: `${name} is ${value === '' ? 'empty' : value}`,
    arrange: () => ({ request: { params: {}, body: undefined, query: { [name]: value } } }),
    message,
  });
  if (endpointId === 'listOwnRequests') {
    return [refusal('startingAfter', 'first', 'INVALID_CURSOR', /^startingAfter must be /)];
  }
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

/** What requests for checksums are refused for (D65). */
function checksumRefusals(endpointId: string): Refusal[] {
  return [
    // Events of the organization cannot be published.
    collision(endpointId, 'outbox_events'),
    ...(endpointId === 'getOrdersChecksum'
      ? ['2026-13', '2026-3', 'March', ''].map(
          (month): Refusal => ({
            endpointId,
            code: 'INVALID_PARAMS',
            when: `month is ${month === '' ? 'empty' : month}`,
            arrange: () => ({ request: { params: {}, query: { month }, body: undefined } }),
            message: /^month must be a month YYYY-MM/,
          }),
        )
      : []),
  ];
}

import { expect, test } from 'vitest';
import {
  type IntentEvent,
  type IntentStatus,
  intentAfter,
  intentEvents,
  intentStatuses,
} from './intent-lifecycle.ts';

/** D105 again, by hand: each state with each event that leads somewhere. */
const expected: Readonly<Record<IntentStatus, string>> = {
  created: 'send>sending canceled>canceled',
  sending:
    'silence>unknown waiting>waiting authorized>authorized captured>captured rejected>failed canceled>canceled expired>expired settled>settled returned>returned disputed>disputed',
  waiting:
    'silence>unknown waiting>waiting authorized>authorized captured>captured rejected>failed canceled>canceled expired>expired settled>settled returned>returned disputed>disputed',
  authorized:
    'silence>unknown waiting>waiting authorized>authorized captured>captured rejected>failed canceled>canceled expired>expired settled>settled returned>returned disputed>disputed',
  unknown:
    'waiting>waiting authorized>authorized captured>captured rejected>failed canceled>canceled expired>expired settled>settled returned>returned disputed>disputed',
  canceled: 'captured>captured settled>settled returned>returned disputed>disputed',
  failed: 'captured>captured settled>settled returned>returned disputed>disputed',
  expired: 'captured>captured settled>settled returned>returned disputed>disputed',
  captured:
    'captured>captured settled>settled returned>returned disputed>disputed refund-asked>refund-pending',
  settled: 'settled>settled returned>returned disputed>disputed refund-asked>refund-pending',
  'refund-pending':
    'returned>returned disputed>disputed refund-asked>refund-pending refund-paid>captured refund-paid-whole>refunded refund-failed>captured',
  refunded: 'returned>returned disputed>disputed refund-failed>captured',
  returned: 'returned>returned recovered>captured disputed>disputed',
  disputed: 'captured>captured settled>settled returned>returned refund-asked>refund-pending',
};

test.each(intentStatuses)('from %s, each event leads where D105 says, and all others nowhere', (status) => {
  const led = intentEvents.flatMap((event) => {
    const after = intentAfter(status, event);
    return after === null ? [] : [`${event}>${after}`];
  });
  expect(led.toSorted()).toEqual(expected[status].split(' ').toSorted());
});

test('what is not known leaves only by what a provider says, and money that was taken is never forgotten', () => {
  const ours: readonly IntentEvent[] = ['send', 'silence', 'refund-asked', 'refund-paid', 'refund-failed'];
  expect(ours.map((event) => intentAfter('unknown', event))).toEqual(ours.map(() => null));
  const holding: readonly IntentStatus[] = [
    'captured',
    'settled',
    'refund-pending',
    'refunded',
    'returned',
    'disputed',
  ];
  for (const status of holding) {
    for (const event of intentEvents) expect([...holding, null]).toContain(intentAfter(status, event));
  }
});

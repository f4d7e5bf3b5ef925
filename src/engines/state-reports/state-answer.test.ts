import { expect, test } from 'vitest';
import { dutyRows } from '../jurisdictions/duty.ts';
import { shippedLaw } from '../jurisdictions/law-book.ts';
import { alarmAtMs, dueAtMs, isKnownDeadline } from './report-deadline.ts';
import {
  afterTurn,
  batchesOf,
  type Queued,
  reportStates,
  sendable,
  waitMsAfter,
} from './report-lifecycle.ts';
import { readReadAnswer, readWriteAnswer, rowsOf } from './state-answer.ts';
import { metrcState, metrcUrl } from './state-hosts.ts';

const nowMs = Date.parse('2026-03-10T18:00:00.000Z');
const answer = (status: number, text: string, retryAfter: string | null = null) =>
  ({ arrived: true, status, text, retryAfter }) as const;
const page = '<html><body>503</body></html>';

test.each([
  ['created', answer(200, '{"Ids":[9001],"Warnings":null}'), { kind: 'done', ids: [9001] }],
  ['an empty body', answer(200, ''), { kind: 'done', ids: [] }],
  ['ids that are none', answer(200, '{"Ids":[0,"7",-1]}'), { kind: 'done', ids: [] }],
  ['a page with status 200', answer(200, page), { kind: 'unsure' }],
  ['a list with status 200', answer(200, '[1]'), { kind: 'unsure' }],
  [
    'refused rows',
    answer(400, '[{"row":0,"message":"No."},{"row":0,"message":"Never."}]'),
    { kind: 'refused', words: 'No. Never.' },
  ],
  ['refused texts', answer(400, '["No."]'), { kind: 'refused', words: 'No.' }],
  ['an internal fault dressed as 400', answer(400, '{"Message":"Could not load file."}'), { kind: 'unsure' }],
  ['no access', answer(401, 'Unauthorized'), { kind: 'locked-out', words: 'Unauthorized' }],
  ['a route that is gone', answer(405, ''), { kind: 'locked-out' }],
  ['too many, in seconds', answer(429, '', '7'), { kind: 'later', afterMs: 7_000 }],
  [
    'too many, until a date',
    answer(429, '', 'Tue, 10 Mar 2026 18:01:00 GMT'),
    { kind: 'later', afterMs: 60_000 },
  ],
  ['too many, without a time', answer(429, ''), { kind: 'later', afterMs: null }],
  [
    'a fault',
    answer(500, '{"Message":"An error has occurred."}'),
    { kind: 'unsure', words: 'An error has occurred.' },
  ],
  ['a gateway', answer(503, page), { kind: 'unsure', words: 'The state answered with status 503.' }],
  [
    'silence',
    { arrived: false, isUnsent: false, words: 'Silence.' } as const,
    { kind: 'unsure', words: 'Silence.' },
  ],
  [
    'no way there',
    { arrived: false, isUnsent: true, words: 'No.' } as const,
    { kind: 'later', words: 'No.' },
  ],
])('the answer to a write is read: %s', (_, given, expected) => {
  expect(readWriteAnswer(given, nowMs)).toMatchObject(expected);
});

test('a read is found, absent, or not known', () => {
  expect(readReadAnswer(answer(200, '{"Id":1}'), nowMs)).toEqual({ kind: 'found', body: { Id: 1 } });
  expect(readReadAnswer(answer(401, ''), nowMs)).toMatchObject({ kind: 'absent' });
  expect(readReadAnswer(answer(200, page), nowMs)).toMatchObject({ kind: 'failed' });
  expect(readReadAnswer(answer(429, '', '3'), nowMs)).toMatchObject({ kind: 'failed', afterMs: 3_000 });
  expect(rowsOf({ Data: [1], TotalPages: 3 })).toEqual({ rows: [1], pages: 3 });
  expect(rowsOf([1, 2])).toEqual({ rows: [1, 2], pages: null });
  expect(rowsOf({ Message: 'No.' })).toBeNull();
});

test('a report that may be at the state is never sent, and one that is settled is not touched again', () => {
  for (const state of reportStates) {
    if (state !== 'waiting') expect([state, afterTurn(state, 'send')]).toEqual([state, null]);
  }
  for (const state of ['accepted', 'superseded', 'done-by-hand'] as const) {
    for (const turn of [
      'send',
      'done',
      'refuse',
      'put-off',
      'lose-sight',
      'miss',
      'overtake',
      'enter-by-hand',
    ] as const) {
      expect([state, turn, afterTurn(state, turn)]).toEqual([state, turn, null]);
    }
  }
  expect(afterTurn('sending', 'enter-by-hand')).toBeNull();
});

test('what is not known to be at the state holds back its packages and its order, and nothing else', () => {
  const report = (
    id: number,
    state: Queued['state'],
    packages: string[],
    orderId: string | null = null,
  ): Queued => {
    const order = orderId === null ? [] : [orderId];
    const names = [...packages, ...order];
    return { id, state, isDue: true, waitsFor: names, holdsBack: names, oneByOne: order };
  };
  const open = [
    report(1, 'refused', ['A']),
    report(2, 'waiting', ['A', 'B']),
    report(3, 'waiting', ['C'], 'one'),
    report(4, 'waiting', ['D'], 'one'),
    report(5, 'unknown', ['E']),
    report(6, 'waiting', ['E']),
    report(7, 'waiting', ['F']),
    { ...report(8, 'waiting', ['G']), isDue: false },
    report(9, 'waiting', ['G']),
  ];
  expect(sendable(open).map(({ id }) => id)).toEqual([3, 7]);
});

test('what is sent at once has no package or order twice, and what waits for another keeps its order', () => {
  const report = (id: number, packages: string[], ...order: string[]) => {
    const names = [...packages, ...order];
    return { id, waitsFor: names, holdsBack: names };
  };
  const ready = [
    report(1, ['A']),
    report(2, ['A', 'B']),
    report(3, ['B']),
    report(4, ['C'], 'one'),
    report(5, ['D'], 'one'),
    report(6, ['E']),
  ];
  const ids = (sizeMax: number) => batchesOf(ready, sizeMax).map((batch) => batch.map(({ id }) => id));
  expect(ids(12)).toEqual([[1, 4, 6], [2, 5], [3]]);
  expect(ids(1)).toEqual([[1], [2], [3], [4], [5], [6]]);
});

test('attempts are at most half an hour apart, for ever', () => {
  expect(waitMsAfter(0)).toBe(5_000);
  expect(waitMsAfter(1_000_000)).toBe(30 * 60_000);
});

test('every deadline of the law is understood, and half of it is an alarm', () => {
  const rows = shippedLaw.edition.jurisdictions.flatMap(({ state, duties }) =>
    dutyRows(duties).flatMap(({ name, duty }) => {
      if (name !== 'reporting') return [];
      const { deadline } = duty.value as { readonly deadline: string | null };
      return deadline === null ? [] : [{ state, deadline }];
    }),
  );
  expect(rows.filter(({ deadline }) => !isKnownDeadline(deadline))).toEqual([]);
  const zone = 'America/Los_Angeles';
  expect(new Date(dueAtMs('24 hours', nowMs, zone)!).toISOString()).toBe('2026-03-11T18:00:00.000Z');
  expect(new Date(dueAtMs('8:00 of the next day', nowMs, zone)!).toISOString()).toBe(
    '2026-03-11T15:00:00.000Z',
  );
  expect(new Date(dueAtMs('23:59 of the day', nowMs, zone)!).toISOString()).toBe('2026-03-11T06:59:00.000Z');
  expect(dueAtMs(null, nowMs, zone)).toBeNull();
  expect(alarmAtMs(nowMs, dueAtMs('24 hours', nowMs, zone))).toBe(nowMs + 12 * 3_600_000);
});

test('hosts are a closed list', () => {
  expect(metrcUrl('CA', false)).toBe('https://api-ca.metrc.com');
  expect(metrcUrl('NY', true)).toBe('https://sandbox-api-ny.metrc.com');
  expect([metrcState('ca'), metrcState('WA'), metrcState('ca.evil.example')]).toEqual(['CA', null, null]);
});

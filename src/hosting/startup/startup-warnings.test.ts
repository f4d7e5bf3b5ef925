import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { shippedLaw } from '../../engines/jurisdictions/law-book.ts';
import { loadConfig } from './config.ts';
import { exposureWarnings, standInWarnings, startupWarnings } from './startup-warnings.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

test('a start warns of each unknown state in use, and of those with data more than a year old', async () => {
  const { context, clock, database } = service;
  for (const [name, state] of [
    ['Alder', 'OK'],
    ['Birch', 'OK'],
    ['Cedar', 'MI'],
  ] as const) {
    await createTestShop(context, { name, state });
  }
  clock.set(Date.parse('2026-11-21T12:00:00Z'));
  expect(await startupWarnings(database.owner, shippedLaw, clock)).toEqual([
    expect.stringMatching(/^No fact about the law of OK is known here.* Concerns Alder and 1 more\.$/),
  ]);
  // Still the previous day in the shop's zone.
  clock.set(Date.parse('2027-11-21T07:59:59Z'));
  expect(await startupWarnings(database.owner, shippedLaw, clock)).toHaveLength(1);
  clock.set(Date.parse('2027-11-21T08:00:00Z'));
  expect(await startupWarnings(database.owner, shippedLaw, clock)).toEqual([
    expect.stringMatching(/OK/),
    expect.stringMatching(
      /Michigan were read more than a year ago, the oldest on 2026-11-20.* Concerns Cedar\.$/,
    ),
  ]);
});

test.each<readonly [Record<string, string>, readonly string[]]>([
  [{ HOST: '0.0.0.0' }, ['AND THE DEMO IS ON', 'PUBLIC_URL is not set']],
  [{ HOST: '192.168.1.5', PUBLIC_URL: 'https://shop.example.com' }, ['AND THE DEMO IS ON']],
  [{ HOST: '::', DEMO: 'off' }, ['PUBLIC_URL is not set']],
  [{ HOST: '0.0.0.0', DEMO: 'off', PUBLIC_URL: 'https://shop.example.com' }, []],
  [
    {
      ...{ HOST: '0.0.0.0', DEMO: 'off', PUBLIC_URL: 'https://shop.example.com' },
      ...{ METRICS_PORT: '9100', OPERATOR_KEY: 'lantern-harbor-quiet-violet-0123' },
    },
    ['THE PAGE OF THE OPERATOR AT METRICS_PORT'],
  ],
  ...['127.0.0.1', '127.1.2.3', '::1', 'localhost'].map((HOST) => [{ HOST }, []] as const),
])(
  'a service open to other machines with the demo, without PUBLIC_URL, or with the page of the operator causes warnings: %o',
  (env, expected) => {
    const warnings = exposureWarnings(loadConfig(env, '/nowhere'));
    expect(warnings).toEqual(expected.map((part) => expect.stringContaining(part)));
    for (const warning of warnings) expect(warning).toContain(`HOST is ${env.HOST}`);
  },
);

test('another server in place of the states is said loudly; plain HTTP leads to this machine only', () => {
  const warningsOf = (env: Record<string, string>) => standInWarnings(loadConfig(env, '/nowhere'));
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ METRC_URL: 'http://127.0.0.1:8095' })).toEqual([
    expect.stringContaining('EVERY REPORT TO A STATE GOES THERE'),
  ]);
  expect(() => warningsOf({ METRC_URL: 'http://state.example.com' })).toThrow(/METRC_URL/);
});

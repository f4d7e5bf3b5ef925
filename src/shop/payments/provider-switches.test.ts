import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import {
  bankSwitches,
  type PaymentSettings,
  type PaymentSwitch,
  paymentDefaults,
  paymentSwitches,
  terminalSwitches,
} from '../../hosting/payment-servers/payment-switches.ts';
import { FollowedPayment, type PlayedProviders, playProviders } from './played-providers.test-support.ts';

/*
 * What is not known of the providers is a switch of the stand-ins, and the adapters are right with every value: the same day of payments, with
 * answers that are lost, ends with the same books on both sides.
 */

const played: PlayedProviders[] = [];
afterAll(() => Promise.all(played.map((it) => it.close())));

const othersOf = (switches: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(switches).flatMap(([name, [, ...others]]) =>
    others.map((value) => [name as PaymentSwitch, value] as const),
  );
const terminalValues = othersOf(terminalSwitches).map((it) => [...it, terminalDay] as const);
const bankValues = othersOf(bankSwitches).map((it) => [...it, bankDay] as const);

test.each([...terminalValues, ...bankValues])(
  'with %s=%s a day of payments ends with the same books on both sides',
  async (name, value, dayOf) => {
    const at = await playProviders({ [name]: value });
    played.push(at);
    for (const { payment, givenBackCents } of await dayOf(at, { ...paymentDefaults, [name]: value })) {
      const books = [payment.isOpen, payment.keptCents - givenBackCents];
      expect(books).toEqual([false, at.taken(payment.reference)]);
    }
  },
);

type Day = { readonly payment: FollowedPayment; readonly givenBackCents: number }[];

async function terminalDay(
  { server, tpn, terminal, taken }: PlayedProviders,
  settings: PaymentSettings,
): Promise<Day> {
  const { customer } = server.terminals;
  const does = (act: Parameters<typeof customer>[1]) => server.terminals.customer(tpn, act);
  const sold = async (act: Parameters<typeof does>[0]) => {
    does(act);
    return new FollowedPayment(terminal).create();
  };
  const day: Day = [];
  for (const act of [
    { does: 'tap' },
    { does: 'tap', approvedCents: 2_000, tipCents: 300, feeCents: 50 },
    { does: 'decline', hostCode: '51' },
    { does: 'cancel' },
  ] as const) {
    day.push({ payment: await sold(act), givenBackCents: 0 });
  }
  server.faults.plan({ kind: 'commit-then-close', at: 'POST /v2/Payment/Sale' });
  const lost = await sold({ does: 'tap' });
  await lost.look();
  day.push({ payment: lost, givenBackCents: 0 });
  // Given back: by a void, or by a return with the card, which is a payment of its own there.
  const { payment } = day[0]!;
  const before = taken(payment.reference);
  does({ does: 'tap' });
  expect((await payment.refund(4_130, true)).seen).toBe('paid');
  day[0] = { payment, givenBackCents: before - taken(payment.reference) };
  // Paper moves no money.
  expect((await terminal.printSlip!(lost.asked)).seen).toBe(settings['slip-again']);
  // Its batch holds every cent of the day, line by line and by its sums.
  const closing = terminal.closeBatch!();
  await expect.poll(() => server.calls).toContain('POST /v2/Payment/Settle');
  server.advance(61);
  const { seen, lines, totalCents } = await closing;
  const isListed = settings['batch-list'] === 'given';
  expect([seen, lines?.reduce((sum, { amountCents }) => sum + amountCents, 0), totalCents]).toEqual([
    isListed || settings['settle-answer'] === 'given' ? 'closed' : 'none',
    isListed ? taken() : undefined,
    settings['batch-sums'] === 'missing' ? null : taken(),
  ]);
  return day;
}

async function bankDay({ server, bank, clock }: PlayedProviders): Promise<Day> {
  const pass = (seconds: number) => {
    clock.advance(seconds * 1_000);
    server.advance(0);
  };
  const paid = async (fault?: 'commit-then-close' | 'close') => {
    const payment = await new FollowedPayment(bank).create();
    server.bank.confirm(payment.reference);
    pass(21);
    if (fault !== undefined) server.faults.plan({ kind: fault, at: 'POST /v2/capturePreauthTransaction' });
    for (let look = 0; look < 3; look++) await payment.look();
    expect(payment.status).toBe('captured');
    return payment;
  };
  const [part, lost, back] = [await paid(), await paid('commit-then-close'), await paid('close')];
  expect((await part.refund(1_000, false, 'early')).seen).toBe('paid');
  pass(25 * 3_600);
  expect((await part.refund(500, false, 'late')).seen).toBe('pending');
  for (let day = 0; day < 2; day++) pass(25 * 3_600);
  expect((await part.readRefund(500, 'late')).seen).toBe('paid');
  if (server.bank.returns(back.reference, 'R01')) {
    await back.look();
    server.bank.recovers(back.reference);
  }
  await back.look();
  return [
    { payment: part, givenBackCents: 1_500 },
    { payment: lost, givenBackCents: 0 },
    { payment: back, givenBackCents: 0 },
  ];
}

test('each of the seventy-six statements of what is known of providers is named by a test, and so is each switch', () => {
  const texts = ['terminal-facts', 'terminal-batch-facts', 'bank-facts', 'second-provider'].map((name) =>
    readFileSync(new URL(`${name}.test.ts`, import.meta.url), 'utf8'),
  );
  const titles = texts.flatMap((text) =>
    [...text.matchAll(/^test\('([\d–, ]+)[:U]/gm)].map(([, title]) => title!),
  );
  const named = titles.flatMap((title) =>
    title.split(',').flatMap((range) => {
      const [from = '', to = from] = range.trim().split('–');
      return from === ''
        ? []
        : Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
    }),
  );
  expect([...new Set(named)].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 76 }, (_, index) => index + 1),
  );
  const isNamed = (name: string) => texts.some((text) => new RegExp(`[' ]${name}[',:]`).test(text));
  expect(Object.keys(paymentSwitches).filter((name) => !isNamed(name))).toEqual([]);
});

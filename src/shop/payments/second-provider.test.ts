import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IntentStatus, isOpen } from './intent-lifecycle.ts';
import { FollowedPayment } from './played-providers.test-support.ts';
import type { AskedIntent, Sighting } from './provider.ts';
import { ChargeBook, chargeProvider, chargeSwitches } from './second-provider.test-support.ts';
import { type Act, weighSighting } from './weigh-sighting.ts';

const move = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'read', 'capture', 'cancel') }),
  fc.record({ kind: fc.constant('agree'), tipCents: fc.constantFrom(0, 250) }),
  fc.record({ kind: fc.constantFrom('bounce', 'collect', 'give-up', 'dispute') }),
);
const settings = fc.record(
  Object.fromEntries(
    Object.entries(chargeSwitches).map(([name, values]) => [name, fc.constantFrom(...values)]),
  ),
);
const lost = fc.constantFrom('nothing', 'nothing', 'request', 'answer');

const start = {
  ...{
    status: 'sending' as IntentStatus,
    capturedCents: 0,
    tipCents: 0,
    cashBackCents: 0,
    providerFeeCents: 0,
  },
  ...{ appliedCents: 0, refundedCents: 0, returnedCents: 0, absentCount: 0 },
};
const asked: AskedIntent = {
  ...{ reference: 'k7q2m9x04dtw', askedCents: 4_130, providerId: null, facts: {} },
  ...{ label: 'order 1093', phone: null, email: null, lacksLink: false },
};

test('another provider of another shape fits the interface: after any losses, reads lead to what it knows, charged once', async () => {
  await fc.assert(
    fc.asyncProperty(settings, fc.array(fc.tuple(move, lost), { maxLength: 12 }), async (turned, moves) => {
      const book = new ChargeBook(turned);
      const provider = chargeProvider(book);
      let intent = start;
      const see = (sighting: Sighting, act: Act) => {
        const lack = { dueCents: 4_130 - intent.appliedCents, balanceCents: 4_130 };
        intent = { ...intent, ...weighSighting(intent, sighting, act, lack).after };
      };
      see(await provider.create(asked), 'start');
      for (const [it, isLost] of moves) {
        book.lost = isLost as ChargeBook['lost'];
        const { reference } = asked;
        // Where it would charge again, the service asks once; nothing else guards it.
        const isGuarded = book.settings['external-id'] === 'value-taken' || book.charges.length === 0;
        if (it.kind === 'create' && isGuarded) await provider.create(asked);
        if (it.kind === 'read') see(await provider.read(asked), 'read');
        if (it.kind === 'capture' && intent.status === 'authorized') {
          see(await provider.capture(asked), 'capture');
        }
        if (it.kind === 'cancel' && isOpen(intent.status)) see(await provider.cancel(asked), 'cancel');
        if ('tipCents' in it && book.move(reference, ['created'], 'authorized')) {
          book.find(reference)!.tipCents = it.tipCents;
        }
        if (it.kind === 'bounce') book.move(reference, ['captured'], 'attempting_collection');
        if (it.kind === 'collect') book.move(reference, ['attempting_collection'], 'captured');
        if (it.kind === 'give-up') book.move(reference, ['attempting_collection'], 'capture_failed');
        if (it.kind === 'dispute') book.move(reference, ['captured'], 'disputed');
      }
      book.lost = 'nothing';
      for (let look = 0; look < 3; look++) see(await provider.read(asked), 'read');
      expect(book.charges).toHaveLength(1);
      const [charge] = book.charges;
      const hasIt = ['captured', 'disputed'].includes(charge!.status);
      if (hasIt) expect(intent.capturedCents + intent.tipCents).toBe(4_130 + charge!.tipCents);
      if (charge!.status === 'canceled')
        expect([intent.status, intent.capturedCents]).toEqual(['canceled', 0]);
      if (charge!.status === 'capture_failed') expect(intent.status).toBe('returned');
      if (isOpen(intent.status)) expect(['created', 'authorized']).toContain(charge!.status);
      // Returned money is not counted by the order.
      expect(intent.appliedCents + intent.returnedCents).toBeLessThanOrEqual(intent.capturedCents);
    }),
    { numRuns: 300 },
  );
});

test('a refund without key is never sent twice: what was not heard of is read', async () => {
  const book = new ChargeBook();
  const provider = chargeProvider(book);
  await provider.create(asked);
  book.move(asked.reference, ['created'], 'captured');
  const whole = { reference: 'r1', amountCents: 4_130, isWhole: true, hasCard: false };
  expect((await provider.refund(asked, { ...whole, amountCents: 100, isWhole: false })).seen).toBe(
    'rejected',
  );
  book.lost = 'answer';
  expect((await provider.refund(asked, whole)).seen).toBe('silence');
  expect((await provider.readRefund(asked, whole)).seen).toBe('pending');
  book.move(asked.reference, ['refund_pending'], 'refunded');
  expect((await provider.readRefund(asked, whole)).seen).toBe('paid');
  expect(provider.capabilities.refundRepeats).toBe(false);
});

const charge = (book: ChargeBook) => new FollowedPayment(chargeProvider(book));

test('60–61, 72: the other provider collects again or gives up, is disputed before and after a refund, and has tips apart', async () => {
  for (const end of ['captured', 'capture_failed'] as const) {
    const book = new ChargeBook();
    const payment = charge(book);
    await payment.create();
    book.move(payment.reference, ['created'], 'authorized');
    expect((await payment.look()).status).toBe('captured');
    book.move(payment.reference, ['captured'], 'attempting_collection');
    expect((await payment.look()).status).toBe('returned');
    book.move(payment.reference, ['attempting_collection'], end);
    await payment.look();
    expect([payment.last.seen, payment.keptCents]).toEqual(
      end === 'captured' ? ['captured', 4_130] : ['returned', 0],
    );
  }
  // On its way back, and then disputed; disputed, and then not given back.
  const disputes = new ChargeBook();
  const disputed = charge(disputes);
  await disputed.create();
  disputes.move(disputed.reference, ['created'], 'captured');
  await disputed.look();
  expect((await disputed.refund(4_130, false)).seen).toBe('pending');
  disputes.move(disputed.reference, ['refund_pending'], 'disputed');
  expect((await disputed.look()).status).toBe('disputed');
  expect((await disputed.refund(4_130, false)).seen).toBe('rejected');
  // A tip is an object of its own: it fails, and the charge is good.
  const tipped = new ChargeBook();
  const payment = charge(tipped);
  await payment.create();
  expect([
    tipped.tip(payment.reference, 0),
    tipped.tip(payment.reference, 250),
    tipped.tip(payment.reference, 1),
  ]).toEqual([...['invalid_tip_amount', 'made', 'charge_tip_already_created']]);
  tipped.move(payment.reference, ['created'], 'captured');
  expect((await payment.look()).state).toMatchObject({ capturedCents: 4_130, tipCents: 250 });
});

test('U15–U18: the other provider, in each way it may be: its id of ours, parts of a refund, the path that cancels, hints, late reads', async () => {
  for (const settings of [
    {
      'external-id': 'value-taken',
      'partial-refund': 'yes',
      'void-path': 'cancel',
      hooks: 'unsigned',
      'read-lag': '2',
    },
    { 'external-id': 'again', 'partial-refund': 'no', 'void-path': 'void', hooks: 'none', 'read-lag': '0' },
  ] as const) {
    const book = new ChargeBook(settings);
    const provider = chargeProvider(book);
    const payment = charge(book);
    book.lost = 'answer';
    expect((await payment.create()).status).toBe('unknown');
    for (let look = 0; look < Number(settings['read-lag']); look++) {
      expect((await payment.look()).last.seen).toBe('absent');
    }
    expect((await payment.look()).status).toBe('waiting');
    if (settings['external-id'] === 'value-taken') await provider.create(payment.asked);
    expect(book.charges).toHaveLength(1);
    const hint = JSON.stringify({ external_id: payment.reference });
    expect(provider.events(hint, {}, '')).toEqual(settings.hooks === 'none' ? null : [payment.reference]);
    const other = charge(book);
    await other.create();
    expect((await other.cancel()).status).toBe('canceled');
    book.move(payment.reference, ['created'], 'captured');
    await payment.look();
    const part = await payment.refund(1_000, false);
    expect(part.seen).toBe(settings['partial-refund'] === 'yes' ? 'pending' : 'rejected');
  }
});

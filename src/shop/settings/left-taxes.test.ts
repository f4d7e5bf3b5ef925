import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { usStates } from '../../engines/jurisdictions/us-states.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const law = service.context.law.current;
const states = usStates.filter((state) => {
  const known = law.find(state);
  return known !== null && known.taxes.length > 0 && known.gaps.some(({ kind }) => kind === 'local');
});

async function open(state: string) {
  const shop = await createTestShop(service.context, { state, taxes: [] });
  const owner = await service.staff(shop);
  const settings = async () => (await owner.call('GET', '/staff/v1/organization')).data;
  const steps = async () => (await owner.call('GET', '/staff/v1/first-steps')).data.steps;
  return {
    owner,
    settings,
    apply: () => owner.call('POST', '/staff/v1/taxes/apply-preset', { state }),
    isStepDone: async () => (await steps()).find(({ step }: { step: string }) => step === 'taxes').done,
    waiting: async () =>
      (await owner.call('GET', '/staff/v1/attention')).data.items.find(
        ({ kind }: { kind: string }) => kind === 'left-taxes',
      )?.count ?? 0,
  };
}

describe('a tax that the preset of a state leaves to the owner', () => {
  test('California, Illinois, New Mexico and Missouri are among these states', () => {
    expect(states).toEqual(expect.arrayContaining(['CA', 'IL', 'NM', 'MO']));
  });

  test.each(states)(
    '%s: waits after the preset is applied, until it is dismissed with a reason',
    async (state) => {
      const { owner, settings, apply, isStepDone, waiting } = await open(state);
      expect((await settings()).leftTaxes).toEqual([]);
      await apply();
      const { leftTaxes, warnings } = await settings();
      expect(leftTaxes.length).toBeGreaterThan(0);
      for (const { text } of leftTaxes) {
        expect(warnings.filter((it: string) => it.includes(text))).toHaveLength(1);
      }
      expect(await waiting()).toBe(leftTaxes.length);
      expect(await isStepDone()).toBe(false);
      const [first] = leftTaxes;
      for (const reason of ['', '  ']) {
        const body = { leftTaxesDismissed: [{ key: first.key, reason }] };
        expect((await owner.call('PATCH', '/staff/v1/organization', body)).status).toBe(400);
      }
      const reason = 'The city has none: asked the clerk on 2026-03-09.';
      const dismissed = leftTaxes.map(({ key }: { key: string }) => ({ key, reason }));
      const saved = await owner.call('PATCH', '/staff/v1/organization', { leftTaxesDismissed: dismissed });
      expect(saved.data).toMatchObject({ leftTaxes: [], leftTaxesDismissed: dismissed });
      expect(await waiting()).toBe(0);
      expect(await isStepDone()).toBe(true);
      const { data: audit } = await owner.call('GET', '/staff/v1/audit-log');
      expect(JSON.stringify(audit[0])).toContain(reason);
      await apply();
      expect((await settings()).leftTaxes).toEqual([]);
    },
  );

  test('of California: a sales tax settles what is said of sales tax, and nothing else', async () => {
    const { owner, settings, apply, waiting } = await open('CA');
    await apply();
    expect(await waiting()).toBe(2);
    const tax = { description: 'Sales tax of Oakland', rate: '10.25', tier: '3', encompass: true };
    const { data: made } = await owner.call('POST', '/staff/v1/taxes', tax);
    const [left, ...others] = (await settings()).leftTaxes;
    expect([left.text, others]).toEqual([expect.stringMatching(/^Local cannabis business tax/), []]);
    await owner.call('DELETE', `/staff/v1/taxes/${made.id}`);
    expect(await waiting()).toBe(2);
  });

  test('of a state with one: any own tax settles it', async () => {
    const { owner, apply, waiting } = await open('MO');
    await apply();
    expect(await waiting()).toBe(1);
    await owner.call('POST', '/staff/v1/taxes', { description: 'Kansas City', rate: '3' });
    expect(await waiting()).toBe(0);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import type { Jurisdiction, Sourced } from '../../engines/jurisdictions/jurisdiction.ts';
import {
  equivalencesOf,
  factsOf,
  isInForce,
  jurisdictions,
} from '../../engines/jurisdictions/jurisdictions.ts';
import { equivalenceInWords } from '../../engines/jurisdictions/limit-in-words.ts';
import { projectFolder } from '../../kernel/project-folder.ts';

const today = '2026-11-24';
const service = await startTestService();
service.clock.set(Date.parse(`${today}T20:00:00Z`));
const shop = await createTestShop(service.context, { state: 'CA' });
const owner = await service.staff(shop);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

async function read(staff: TestStaff, path: string) {
  const reply = await staff.call('GET', path);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply;
}

/** The source as the interface shows it, with every part that gives a fact its age. */
function shownSource(fact: Sourced) {
  const { citation, confidence, source, link, sourceKind, readOn, textOf, pending } = fact;
  expect([citation, link?.startsWith('https://')]).toEqual([citation, true]);
  const dates = { effectiveFrom: fact.effectiveFrom, effectiveTo: fact.effectiveTo };
  return {
    citation,
    ...dates,
    // A change that is known to come takes the certainty away.
    confidence: pending === null ? confidence : 'medium',
    source,
    link,
    sourceKind,
    readOn,
    textOf,
    pending,
    isStale: false,
  };
}

function isLeft({ effectiveTo }: Sourced): boolean {
  return effectiveTo === null || effectiveTo >= today;
}

test('every age, limit with its equivalences, tax and rule of every state has its source, link and age', async () => {
  for (const jurisdiction of jurisdictions) {
    const { state, minimumAges, purchaseLimits, taxes, gaps } = jurisdiction;
    const { data } = await read(owner, `/staff/v1/law?state=${state}`);
    const sourcesOf = (rows: readonly { source: unknown }[]) => rows.map(({ source }) => source);
    expect(sourcesOf(data.minimumAges)).toEqual(minimumAges.map(shownSource));
    expect(sourcesOf(data.limits)).toEqual(purchaseLimits.map(shownSource));
    expect(sourcesOf(data.taxes)).toEqual(taxes.map(shownSource));
    const equivalences = data.limits.flatMap((limit: { equivalences: unknown[] }) => limit.equivalences);
    expect(sourcesOf(equivalences)).toEqual(purchaseLimits.flatMap(equivalencesOf).map(shownSource));
    const facts = [...data.minimumAges, ...data.limits, ...equivalences, ...data.taxes, ...data.rules];
    expect(facts).toHaveLength(factsOf(jurisdiction).length);
    const days = facts.map(({ source }) => source.readOn).sort();
    expect(data.oldestReadOn).toBe(days[0] ?? null);
    for (const [index, { counts }] of purchaseLimits.entries()) {
      for (const counting of Object.values(counts)) {
        if (typeof counting === 'string') continue;
        const { of, amount, uses } = counting;
        const isWhole = of === 'thc' && amount.amount === uses.amount && amount.unit === uses.unit;
        const thc = of === 'thc' ? ' of THC' : '';
        const words = isWhole ? '(its THC)' : `(${amount.amount} ${amount.unit}${thc} as `;
        expect(data.limits[index].words).toContain(words);
      }
    }
    expect(data.gaps.map(({ kind }: { kind: string }) => kind)).toEqual(gaps.map(({ kind }) => kind));
  }
});

test('"not looked up" and "not found in the text" are different words', async () => {
  const openings = new Map<string, Set<string>>();
  for (const { state } of jurisdictions) {
    for (const { kind, words } of (await read(owner, `/staff/v1/law?state=${state}`)).data.gaps) {
      if (kind === 'note') continue;
      openings.set(kind, (openings.get(kind) ?? new Set()).add(words.slice(0, words.indexOf(':'))));
    }
  }
  expect([...openings.get('not-looked-up')!]).toEqual(['Not looked up']);
  expect([...openings.get('not-found')!]).toEqual(['Not found in the text']);
});

/** A shop in a state, and what the interface says of limits and preset there. */
async function inState({ state }: Jurisdiction) {
  await owner.call('PATCH', '/staff/v1/organization', { state });
  return {
    limits: (await read(owner, '/staff/v1/purchase-limit-rules')).data,
    preset: await owner.call('GET', '/staff/v1/taxes/preset'),
  };
}

test('limits and presets of every state show the same source; taxes say what patients owe, and why', async () => {
  for (const jurisdiction of jurisdictions) {
    const { purchaseLimits, taxes } = jurisdiction;
    const { limits, preset } = await inState(jurisdiction);
    // A profile has no home address: the limits of non-residents are in the law, and not checked.
    const checked = purchaseLimits.filter(({ audience }) => audience !== 'adult-use-non-resident');
    const inForce = checked.filter((rule) => isInForce(rule, today));
    expect(limits.map(({ law }: { law: unknown }) => law)).toEqual(inForce.map(shownSource));
    expect(
      limits.map(({ equivalences }: { equivalences: { words: string; source: unknown }[] }) =>
        equivalences.map(({ words, source }) => [words, source]),
      ),
    ).toEqual(
      inForce.map((rule) =>
        equivalencesOf(rule).map((it) => [equivalenceInWords(it.cannabisType, it), shownSource(it)]),
      ),
    );
    expect(preset.status).toBe(taxes.length === 0 ? 400 : 200);
    if (taxes.length === 0) continue;
    const left = taxes.filter(isLeft);
    expect(preset.data.sources).toEqual(
      left.map((tax) => ({
        description: tax.description,
        rate: tax.rate,
        basis: tax.basis ?? null,
        source: shownSource(tax),
      })),
    );
    expect(preset.data.begins).toHaveLength(left.length);
    for (const [index, tax] of left.entries()) {
      const { rule, text } = tax.patients;
      expect(preset.data.begins[index]).toMatchObject({
        description: tax.description,
        exemptable: rule === 'exempt' || rule === 'not-known',
        patients: { rule, text, decision: null },
      });
      if (rule !== 'not-known') continue;
      expect(preset.data.warnings).toContain(
        `Patients are not charged "${tax.description}": ${text} Decide whether they owe it.`,
      );
    }
  }
});

test('where a preset charges patients, its row names the text that was read to say so', () => {
  const readText =
    /^(Reports?|Pages|RCW|RIGL|R [\d.]+|The (tax authority's (pages?|answers)|constitution|statute|department))\b/;
  const charged = jurisdictions.flatMap(({ state, taxes }) =>
    taxes
      .filter(({ patients, customerType }) => patients.rule === 'owe' && customerType !== 'adult-use')
      .map(({ description, patients }) => `${state} ${description}: ${patients.text}`),
  );
  expect(charged.length).toBeGreaterThan(15);
  expect(charged.filter((it) => !readText.test(it.slice(it.indexOf(': ') + 2)))).toEqual([]);
});

test('the generated page has the same for every fact', () => {
  const page = readFileSync(join(projectFolder(), 'docs/JURISDICTIONS.md'), 'utf8');
  const sections = page.split('\n## ').slice(1);
  for (const jurisdiction of jurisdictions) {
    const section = sections.find((it) => it.startsWith(`${jurisdiction.name} (${jurisdiction.state})`))!;
    const facts = factsOf(jurisdiction);
    const rows = section.split('\n').filter((line) => /^\| (?!Fact|---)/.test(line));
    expect([jurisdiction.state, rows.length]).toEqual([jurisdiction.state, facts.length]);
    for (const [index, fact] of facts.entries()) {
      const { citation, link, readOn, sourceKind, textOf, source, pending } = fact;
      const confidence = pending === null ? fact.confidence : `${fact.confidence}; pending: ${pending}`;
      const text = textOf === null ? 'text without a date' : `text of ${textOf}`;
      const shown = `| ${confidence} | [${citation}](${link}) | ${readOn} (${sourceKind}, ${text}) | ${source} |`;
      expect(rows[index]).toContain(shown);
    }
    const oldest = facts.map(({ readOn }) => readOn).sort()[0];
    if (oldest !== undefined) expect(section).toContain(`The oldest fact was read on ${oldest}.`);
  }
});

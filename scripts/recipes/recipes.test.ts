import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { isLongSuite } from '../../test/harness/long-suite.ts';
import { allRecipes, planOf } from './all-recipes.ts';
import { type PlantedBug, type ProvingTests, plantBug, projectIn } from './recipe.ts';
import {
  copyProject,
  followIn,
  type Outcome,
  reportOf,
  type ScratchProject,
} from './scratch-project.test-support.ts';

/*
 * Every recipe of docs/RECIPES.md, one after the other in one copy of the project: the places that they change are there,
 * and the format holds. In the long suite every check passes, and one of them fails for each planted bug.
 */

const minute = 60_000;
let scratch: ScratchProject;
/** The code that the recipes wrote: the rest of the project is as `npm run check` knows it. */
const written = new Set<string>();
/** By recipe. */
const writtenBy = new Map<string, readonly string[]>();
beforeAll(async () => {
  scratch = copyProject();
  for (const recipe of allRecipes) {
    const paths = followIn(scratch, recipe);
    writtenBy.set(recipe.id, paths);
    for (const path of paths) written.add(path);
  }
  await scratch.run('biome', 'check', '--write', ...written);
}, 5 * minute);
afterAll(() => scratch.remove());

async function expectGreen(name: string, run: Promise<Outcome>): Promise<void> {
  const { code, output } = await run;
  expect([name, code, code === 0 ? '' : output.slice(-6_000)]).toEqual([name, 0, '']);
}

test('every recipe can be followed after the others, and planted bugs have their place', () => {
  const project = projectIn(scratch.root);
  for (const recipe of allRecipes) {
    expect([recipe.id, writtenBy.get(recipe.id)]).not.toEqual([recipe.id, []]);
    for (const bug of planOf(recipe, recipe.example, projectIn(projectFolder())).proof.bugs) {
      // Other files are generated of these.
      if (!written.has(bug.path)) continue;
      const sound = project.read(bug.path);
      // Throws when its text does not stand there exactly once.
      plantBug(project, bug);
      expect([bug.title, project.read(bug.path)]).not.toEqual([bug.title, sound]);
      writeFileSync(join(scratch.root, bug.path), sound);
    }
  }
});

test('the recipes keep the format', { timeout: 5 * minute }, () =>
  expectGreen('format', scratch.run('biome', 'check', ...written)),
);

if (isLongSuite) {
  test('the recipes keep the house rules', { timeout: 5 * minute }, async () => {
    await expectGreen('house rules', scratch.run('tsx', 'scripts/tidy.ts'));
  });

  test('the recipes pass the other checks', { timeout: 30 * minute }, async () => {
    await expectGreen('generate', scratch.run('tsx', 'scripts/generate.ts'));
    await expectGreen('types of the SDK', scratch.writeSdkTypes());
    await expectGreen('house rules', scratch.run('tsx', 'scripts/tidy.ts'));
    await expectGreen('types', scratch.run('tsc', '--noEmit'));
    await expectGreen('types of the console', scratch.run('tsc', '--noEmit', '-p', 'console'));
    await expectGreen(
      'contract',
      scratch.run(
        'redocly',
        'lint',
        '--config',
        'lint-contract.yaml',
        'contract/v1.json',
        'contract/staff.json',
      ),
    );
  });

  // The plan is the same without the files of other recipes, apart from numbers of migrations and editions.
  const plans = allRecipes.map((recipe) => ({
    recipe,
    proof: planOf(recipe, recipe.example, projectIn(projectFolder())).proof,
  }));

  describe('the tests of each recipe', () => {
    let outcomes: TestOutcomes;
    beforeAll(async () => {
      outcomes = await runTests(plans.flatMap(({ proof }) => proof.tests));
    }, 60 * minute);

    test.each(plans.map((plan) => [plan.recipe.id, plan] as const))('%s: pass', (_, { proof }) => {
      const faults = proof.tests.flatMap((tests) => {
        const failed = outcomes.failed(tests);
        if (failed.length > 0) return failed.map((fault) => `${titleOf(tests)}: ${fault}`);
        return outcomes.passedCount(tests) > 0 ? [] : [`${titleOf(tests)}: no test of this name ran`];
      });
      expect(faults).toEqual([]);
    });
  });

  describe.each(roundsOf(plans.flatMap(({ recipe, proof }) => chainOf(recipe, proof.bugs))))(
    'round %i',
    (_, bugs) => {
      let isRed: ReadonlyMap<PlantedBug, boolean>;
      beforeAll(async () => {
        isRed = await checkWith(bugs);
      }, 60 * minute);

      test.each(bugs.map((bug) => [bug.title, bug] as const))('a check fails when %s', (_title, bug) => {
        expect(isRed.get(bug)).toBe(true);
      });
    },
  );
}

interface QueuedBug {
  /** Bugs of one chain are planted one after the other: they change the same slice. */
  readonly chain: string;
  readonly bug: PlantedBug;
}

function chainOf({ id, after = [] }: (typeof allRecipes)[number], bugs: readonly PlantedBug[]): QueuedBug[] {
  return bugs.map((bug) => ({ chain: after[0] ?? id, bug }));
}

/** Rounds with one bug of each chain. A round is one run of the checks, so few rounds are quick. */
function roundsOf(queue: readonly QueuedBug[]): (readonly [number, readonly PlantedBug[]])[] {
  const rounds: PlantedBug[][] = [];
  const taken = new Map<string, number>();
  for (const { chain, bug } of queue) {
    const round = taken.get(chain) ?? 0;
    taken.set(chain, round + 1);
    rounds[round] = [...(rounds[round] ?? []), bug];
  }
  return rounds.map((bugs, at) => [at + 1, bugs]);
}

/** Plants the bugs, runs the checks that must fail for them, and takes the bugs out again. */
async function checkWith(bugs: readonly PlantedBug[]): Promise<ReadonlyMap<PlantedBug, boolean>> {
  const project = projectIn(scratch.root);
  const sound = new Map(bugs.map(({ path }) => [path, project.read(path)]));
  for (const bug of bugs) plantBug(project, bug);
  try {
    const tests = bugs.flatMap(({ red }) => (isCheck(red) ? [] : [red]));
    const outcomes = tests.length > 0 ? await runTests(tests) : undefined;
    const isRed = new Map<PlantedBug, boolean>();
    for (const bug of bugs) {
      const { red, path } = bug;
      if (!isCheck(red)) isRed.set(bug, outcomes!.failed(red).length > 0);
      // Another bug of the round must not be what the check complains of.
      else isRed.set(bug, (await runCheck(red)).output.includes(path));
    }
    return isRed;
  } finally {
    for (const [path, text] of sound) writeFileSync(join(scratch.root, path), text);
  }
}

type Check = Extract<PlantedBug['red'], 'tidy' | 'types' | 'types of the console'>;

function isCheck(red: PlantedBug['red']): red is Check {
  return red === 'tidy' || red === 'types' || red === 'types of the console';
}

function runCheck(name: Check): Promise<Outcome> {
  if (name === 'tidy') return scratch.run('tsx', 'scripts/tidy.ts');
  return scratch.run('tsc', '--noEmit', ...(name === 'types' ? [] : ['-p', 'console']));
}

interface TestOutcomes {
  /** The names of failed tests, and the file if it could not be loaded. */
  failed(tests: ProvingTests): readonly string[];
  passedCount(tests: ProvingTests): number;
}

/**
 * Runs whole files in one run, and chosen tests of a file in a run of their own: a choice is one for the whole run.
 */
async function runTests(tests: readonly ProvingTests[]): Promise<TestOutcomes> {
  const files = [...new Set(tests.filter((it) => typeof it === 'string'))];
  const named = tests.filter((it) => typeof it !== 'string');
  const reports = files.length > 0 ? [...(await reportOf(scratch, files))] : [];
  for (const file of new Set(named.map((it) => it.file))) {
    const names = named.filter((it) => it.file === file).map(({ name }) => name);
    const pattern = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
    reports.push(...(await reportOf(scratch, [file, '-t', pattern])));
  }
  const of = (it: ProvingTests) => {
    const [file, name] = typeof it === 'string' ? [it, ''] : [it.file, it.name];
    const own = reports.filter((report) => report.name.endsWith(`/${file}`));
    const results = own.flatMap(({ assertionResults }) => assertionResults);
    return { own, results: results.filter(({ fullName }) => fullName.includes(name)) };
  };
  return {
    failed: (it) => {
      const { own, results } = of(it);
      const broken = own.filter(
        ({ status, assertionResults: all }) =>
          status === 'failed' && !all.some((it) => it.status === 'failed'),
      );
      return [
        ...broken.map(({ message }) => message),
        ...results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      ];
    },
    passedCount: (it) => of(it).results.filter(({ status }) => status === 'passed').length,
  };
}

function titleOf(tests: ProvingTests): string {
  return typeof tests === 'string' ? tests : `${tests.file} (${tests.name})`;
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { allRecipes, planOf, recipeOf } from './recipes/all-recipes.ts';
import { applyPlan, projectIn, RecipeError } from './recipes/recipe.ts';

/*
 * Follows a recipe of docs/RECIPES.md: `npm run new -- endpoint till`. Writes its files and lines, and prints them with
 * what to do next.
 */

const usage = `Usage: npm run new -- <recipe> <name> [--plural=<names>]

${allRecipes.map(({ id, title, example }) => `  ${`${id} ${example}`.padEnd(32)}${title}`).join('\n')}
`;

function follow(id: string, name: string, plural: string | undefined): void {
  const root = projectFolder();
  const project = projectIn(root);
  const plan = planOf(recipeOf(id), name, project, plural);
  const { made, changed } = applyPlan(project, plan);
  const program = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const code = [...made, ...changed].filter((path) => /\.tsx?$/.test(path));
  spawnSync(process.execPath, [program, 'check', '--write', ...code], { cwd: root, stdio: 'ignore' });
  for (const path of made) console.log(`wrote    ${path}`);
  for (const path of changed) console.log(`changed  ${path}`);
  const steps = [...plan.next, 'npm run generate, then npm run check.'];
  console.log(`\nNext:\n${steps.map((step, at) => `${at + 1}. ${step}`).join('\n')}`);
}

try {
  const { values, positionals } = parseArgs({
    options: { plural: { type: 'string' } },
    allowPositionals: true,
  });
  const [id, name, ...more] = positionals;
  if (id === undefined) console.log(usage);
  else if (name === undefined || more.length > 0) throw new RecipeError(usage);
  else follow(id, name, values.plural);
} catch (error) {
  if (!(error instanceof RecipeError) && !(error instanceof TypeError && 'code' in error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

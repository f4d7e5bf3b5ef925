import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { allRecipes, planOf, recipeOf } from './all-recipes.ts';
import { projectIn, RecipeError } from './recipe.ts';

const project = projectIn(projectFolder());
const sections = readFileSync(join(project.root, 'docs/RECIPES.md'), 'utf8').split('\n## ');

test.each(allRecipes.map((recipe) => [recipe.id, recipe] as const))(
  'docs/RECIPES.md has the command of %s and each of its files',
  (id, recipe) => {
    const section =
      sections.find((text) => text.includes(`\`npm run new -- ${id} ${recipe.example}\``)) ?? '';
    const { files, edits } = planOf(recipe, recipe.example, project);
    const names = [...files, ...edits].map(({ path }) => basename(path).replace(/^\d{4}_/, 'NNNN_'));
    expect([...new Set(names)].filter((name) => !section.includes(name))).toEqual([]);
  },
);

test('an endpoint of a slice that is there is three files by hand: its routes, its test, the CHANGELOG', () => {
  const { files, edits } = planOf(recipeOf('endpoint'), 'till', project);
  expect([...edits, ...files].map(({ path }) => path)).toEqual([
    'src/shop/tills/till-routes.ts',
    'CHANGELOG.md',
    'src/shop/tills/till-names.test.ts',
  ]);
});

test('a wrong name, an unknown recipe, a state without letters are refused with the remedy', () => {
  const endpoint = recipeOf('slice');
  for (const name of ['Till', 'till_one', '-till', 'till-', '../till', '']) {
    expect(() => planOf(endpoint, name, project)).toThrow(RecipeError);
  }
  expect(() => recipeOf('banquet')).toThrow('There are: slice, ');
  expect(() => planOf(recipeOf('state'), 'atlantis-zz', project)).toThrow('such as wyoming-wy');
});

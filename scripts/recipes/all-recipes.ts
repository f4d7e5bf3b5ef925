import { discountKindRecipe } from './discount-kind-recipe.ts';
import { endpointRecipe } from './endpoint-recipe.ts';
import { eventRecipe } from './event-recipe.ts';
import { filterRecipe } from './filter-recipe.ts';
import { orderActionRecipe } from './order-action-recipe.ts';
import { namesOf, type Plan, type Project, type Recipe, RecipeError } from './recipe.ts';
import { screenRecipe } from './screen-recipe.ts';
import { settingRecipe } from './setting-recipe.ts';
import { sliceRecipe } from './slice-recipe.ts';
import { stateRecipe } from './state-recipe.ts';
import { variableRecipe } from './variable-recipe.ts';

/** Every recipe, in the order of the list that `npm run new` prints. */
export const allRecipes: readonly Recipe[] = [
  sliceRecipe,
  filterRecipe,
  eventRecipe,
  endpointRecipe,
  orderActionRecipe,
  discountKindRecipe,
  stateRecipe,
  screenRecipe,
  settingRecipe,
  variableRecipe,
];

/** The recipe of this name. */
export function recipeOf(id: string): Recipe {
  const recipe = allRecipes.find((it) => it.id === id);
  if (recipe === undefined) {
    throw new RecipeError(
      `There is no recipe “${id}”. There are: ${allRecipes.map((it) => it.id).join(', ')}.`,
    );
  }
  return recipe;
}

/** What a recipe does for a name in kebab case. */
export function planOf(recipe: Recipe, name: string, project: Project, plural?: string): Plan {
  return recipe.plan(namesOf(name, plural), project);
}

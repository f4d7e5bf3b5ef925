import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A recipe adds one thing to the project: new files from templates, and insertions into existing files. */
export interface Recipe {
  /** The word on the command line: `npm run new -- endpoint …`. */
  readonly id: string;
  /** One line for the list of recipes. */
  readonly title: string;
  /** What the name means, with an example that the tests use. */
  readonly example: string;
  /** Recipes that run before this one with the same name, because it builds on their files. */
  readonly after?: readonly string[];
  plan(names: Names, project: Project): Plan;
}

/** What a recipe does for one name. */
export interface Plan {
  readonly files: readonly NewFile[];
  readonly edits: readonly Edit[];
  /** What a person does next, one line each. */
  readonly next: readonly string[];
  readonly proof: Proof;
}

export interface NewFile {
  /** From the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** A text for an existing file, at another text that stands in the file exactly once. */
export interface Edit {
  readonly path: string;
  readonly place: 'before' | 'after' | 'instead of';
  readonly anchor: string;
  readonly text: string;
}

/** The heading of the newest version in CHANGELOG.md, below which a line for users is added. */
export const newestChanges = '## 1.0.0\n\n';

/** How a test shows that the recipe works, and that its checks see a mistake. */
export interface Proof {
  /** Tests that pass after the recipe. */
  readonly tests: readonly ProvingTests[];
  readonly bugs: readonly PlantedBug[];
}

/** A test file, or those of its tests whose name has this part: of all operations, one operation's. */
export type ProvingTests = string | { readonly file: string; readonly name: string };

/** A mistake in what the recipe made, and the check that must fail for it. */
export interface PlantedBug {
  readonly title: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** A second change of the same file. */
  readonly also?: { readonly from: string; readonly to: string };
  readonly red: ProvingTests | 'tidy' | 'types' | 'types of the console';
}

/** The files that are there before the recipe. */
export interface Project {
  readonly root: string;
  /** The text of a file. Throws when it is not there. */
  read(path: string): string;
  has(path: string): boolean;
}

/** A mistake in the call, or a place that a recipe no longer finds. The message is for people. */
export class RecipeError extends Error {}

/** The spellings of a name. */
export interface Names {
  /** `cash-drawer` */
  readonly kebab: string;
  /** `cashDrawer` */
  readonly camel: string;
  /** `CashDrawer` */
  readonly pascal: string;
  /** `cash_drawer` */
  readonly snake: string;
  /** `cash drawer` */
  readonly words: string;
  /** `Cash drawer` */
  readonly title: string;
  /** The plural, in the same spellings. */
  readonly many: Omit<Names, 'many'>;
}

/** Reads a name in kebab case; `plural` where an s is not enough. */
export function namesOf(name: string, plural = `${name}s`): Names {
  return { ...spell(name), many: spell(plural) };
}

function spell(kebab: string): Omit<Names, 'many'> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab) || kebab.length > 40) {
    throw new RecipeError(`A name has small letters and dashes, such as cash-drawer; “${kebab}” has not.`);
  }
  const parts = kebab.split('-');
  const pascal = parts.map(capitalized).join('');
  const words = parts.join(' ');
  return {
    kebab,
    camel: pascal[0]!.toLowerCase() + pascal.slice(1),
    pascal,
    snake: parts.join('_'),
    words,
    title: capitalized(words),
  };
}

function capitalized(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** The project in a folder. */
export function projectIn(root: string): Project {
  return {
    root,
    has: (path) => existsSync(join(root, path)),
    read: (path) => {
      if (!existsSync(join(root, path))) throw new RecipeError(`${path} is not there.`);
      return readFileSync(join(root, path), 'utf8');
    },
  };
}

/**
 * Writes the files and insertions of a plan. Checks all of them first, so a plan that does not fit changes nothing.
 * Returns the paths of new and changed files.
 */
export function applyPlan({ root, has, read }: Project, { files, edits }: Plan): Written {
  const made = files.map(({ path }) => path);
  const taken = made.filter(has);
  if (taken.length > 0) throw new RecipeError(`${taken.join(', ')} is already there. Choose another name.`);
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const text = texts.get(edit.path) ?? read(edit.path);
    texts.set(edit.path, insert(edit, text));
  }
  const changed = [...texts.keys()];
  for (const { path, text } of files) texts.set(path, text);
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { made, changed };
}

export interface Written {
  readonly made: readonly string[];
  readonly changed: readonly string[];
}

function insert({ path, place, anchor, text }: Edit, whole: string): string {
  const found = whole.split(anchor).length - 1;
  if (found !== 1) {
    throw new RecipeError(
      `${path}: the recipe writes ${place} “${anchor.trim()}”, which stands there ${found} times; it must be once. Correct the recipe in scripts/recipes/.`,
    );
  }
  const start = whole.indexOf(anchor);
  const end = start + anchor.length;
  return (
    whole.slice(0, place === 'after' ? end : start) + text + whole.slice(place === 'before' ? start : end)
  );
}

/** Puts a planted bug into the project. */
export function plantBug({ root, read }: Project, { path, from, to, also }: PlantedBug): void {
  let text = read(path);
  for (const change of [{ from, to }, ...(also ? [also] : [])]) {
    if (text.split(change.from).length !== 2) {
      throw new RecipeError(`${path}: “${change.from}” does not stand there once.`);
    }
    text = text.replace(change.from, () => change.to);
  }
  writeFileSync(join(root, path), text);
}

import { findAll, type ProjectFile, type Rule } from './project-files.ts';

/** Words that make a reader read twice → what to write in their place. The system account 'nobody' stays. */
const unclearWords: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /(?!(?<=[`'])nobody[`'])(?<!postgres, )nobody(?!:)|anybody/,
    'name the actor ("no customer", "any member of staff") or say what is not done',
  ],
  [/somebody/, 'name the actor: "a customer", "another member of staff", "another request"'],
  [/whoever|(?<!\w)whosoever(?!\w)/, 'name the actor: "the caller", "the user who …"'],
  [/\b(may|can|must) (everything|anything|nothing|all)\b/, 'add the verb: "may do everything"'],
  [/\bof now\b/, 'write "current"'],
  [/\bthat which\b/, 'name the thing'],
  [/\bwhat (came|comes) of\b/, 'write "the result of"'],
  [/\bleaves? word\b/, 'say what is shown, and where'],
  [/\bwhere the shop is\b/, 'write "in the organization\'s time zone"'],
  [
    /\ball that (is|are|was|were|lies|lay|stands|hangs|belongs)\b/,
    'name the things: "all lines", "every row"',
  ],
  [/\bnothing that\b/, 'name the thing: "no row that …"'],
  [/\b(however|whatever) (it|they|that) (is|are|was|were|may be)\b/, 'say what is ignored or accepted'],
  [/\/\*\* Of\b/, 'begin with the noun: "The month of an order"'],
  [
    /\b(whence|whither|wherein|whereof|thereof|therein|hitherto|thither|heretofore)\b/,
    'use two plain words: "from which", "of it"',
  ],
];

/** Generated files, files that are never edited, quotations of law, and the rule itself. */
const notProse: readonly RegExp[] = [
  /^package-lock\.json$/,
  /^(contract|docs\/reference|migrations)\//,
  /^docs\/JURISDICTIONS\.md$/,
  /^src\/engines\/jurisdictions\/us-/,
  /^scripts\/tidy\/prose-rules\.ts$/,
];

const isText = ({ path }: ProjectFile): boolean => /\.(tsx?|mjs|css|html|md|txt|sql|ya?ml|json)$/.test(path);

/** The words of a phrase may stand on two lines of a comment. */
const phrases = unclearWords.map(
  ([pattern, instead]) => [new RegExp(pattern.source.replaceAll(' ', '[\\s*/]+'), 'gi'), instead] as const,
);

/** Comments, texts, documents and names use plain words. */
export const proseIsPlain: Rule = (files) =>
  files
    .filter((file) => isText(file) && !notProse.some((pattern) => pattern.test(file.path)))
    .flatMap((file) =>
      phrases.flatMap(([pattern, instead]) =>
        findAll(
          file,
          file.text,
          pattern,
          ([match]) => `"${match.replace(/[\s*/]+/g, ' ')}" is hard to read: ${instead}.`,
        ),
      ),
    );

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Finding, findAll, type ProjectFile, type Rule } from './project-files.ts';

const isCode = ({ path }: ProjectFile): boolean => /\.(tsx?|mjs)$/.test(path);
const whole = (file: ProjectFile, message: string): Finding => ({ path: file.path, line: 1, message });

/** The entry of each program is called main. */
const sharedNames = ['main.ts'];

export const fileNamesAreKebabCaseAndUnique: Rule = (files) => {
  const seen = new Map<string, string>();
  return files.filter(isCode).flatMap((file) => {
    const name = basename(file.path);
    const findings: Finding[] = [];
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|test-support|config))?\.(tsx?|mjs)$/.test(name)) {
      findings.push(whole(file, 'Name files in kebab-case.'));
    }
    const other = seen.get(name);
    if (other !== undefined && !sharedNames.includes(name)) {
      findings.push(whole(file, `${other} has the same name: use a more specific name.`));
    }
    seen.set(name, file.path);
    return findings;
  });
};

/** `index` hides the contents of a folder; the others collect unrelated code. */
const emptyWords = ['utils', 'util', 'helpers', 'helper', 'common', 'service', 'manager', 'index', 'misc'];

/** Name → reason. */
const mayHaveEmptyName: Readonly<Record<string, string>> = {
  'test-service': 'starts the whole service',
};

export const fileNamesSaySomething: Rule = (files) =>
  files.filter(isCode).flatMap((file) =>
    file.path
      .split('/')
      .map((part) => part.split('.', 1)[0]!)
      .filter((name) => !Object.hasOwn(mayHaveEmptyName, name))
      .map((name) => name.split('-').at(-1)!)
      .filter((word) => emptyWords.includes(word))
      .map((word) => whole(file, `"${word}" means nothing: name the file after what it does.`)),
  );

/** A reader needs a whole file of the program in mind; tests, worlds and pages are read in pieces. */
const linesMaxOf = ({ path, isTest }: ProjectFile): number =>
  !isTest && /^(src|cli|seed|sdk|console|scripts|bench)\/.*\.(tsx?|mjs)$/.test(path) ? 450 : 500;
const bytesMax = 1_000_000;
/**
 * The contract of an audience is one generated document, which tools read as a whole. It grows with every operation; what
 * operations share is in it once.
 */
const contractBytesMax = 2_200_000;

/** Pattern → reason. */
const mayBeLong: readonly RegExp[] = [
  /^package-lock\.json$/, // written by npm
  /^(contract|docs\/reference)\//, // generated
  /^docs\/JURISDICTIONS\.md$/, // generated
  /^console\/src\/words\/es\.json$/, // the console's texts in a language, in their order
  /^migrations\//, // a file that was released is never edited
];

export const filesAreSmall: Rule = (files) =>
  files.flatMap((file) => {
    const max = file.path.startsWith('contract/') ? contractBytesMax : bytesMax;
    if (file.byteCount > max) return [whole(file, `Over ${max} bytes: keep it out of the repository.`)];
    const lineCount = file.text.split('\n').length - 1;
    const linesMax = linesMaxOf(file);
    if (lineCount <= linesMax || mayBeLong.some((pattern) => pattern.test(file.path))) return [];
    return [whole(file, `${lineCount} lines, over ${linesMax}: split it by its tasks.`)];
  });

/** Digests of names of companies and products, which must not appear in any file, this list included. */
const unwantedWordDigests = new Set([
  '122c30b35c8f',
  '1d222df1f19f',
  '33473a732204',
  '36546d452b59',
  '3c49e4580bde',
  '3ccbd9105a45',
  '3ea125d0bff3',
  '408a9e301ed3',
  '43250578088e',
  '4c6a65a11440',
  '57de4cf40144',
  '5d72436256ad',
  '60965168ce76',
  '6916bff5239e',
  '70df34868784',
  '7d3194f79e64',
  '850f4e8602b7',
  '89d01c9ba73c',
  '8a72266588ef',
  '9b3c4e397db6',
  'a4bf06be2b01',
  'a96ded76c93f',
  'a96ebe20297c',
  'c5b1ff6152a6',
  'c660ce9260d5',
  'c70eca6b0f88',
  'c857d09db23e',
  'd0070f166f4c',
  'd089c6407639',
  'df103fbd451e',
  'fa424f572a4e',
]);

function digestOfWord(word: string): string {
  return createHash('sha256').update(word.toLowerCase()).digest('hex').slice(0, 12);
}

const known = new Map<string, boolean>();

function isUnwanted(word: string): boolean {
  const answer = known.get(word) ?? unwantedWordDigests.has(digestOfWord(word));
  known.set(word, answer);
  return answer;
}

export const noVendorNames: Rule = (files) =>
  files
    .filter(({ path }) => path !== 'package-lock.json')
    .flatMap((file) =>
      findAll(file, file.text, /[A-Za-z]{5,}/g, ([word]) =>
        isUnwanted(word) ? `"${word}" is the name of a company or product: use a general term.` : undefined,
      ),
    );

const traces = /\b(as requested|as instructed|per the (task|instructions)|the ticket (says|asks|wants))\b/gi;
const absolutePath = /(?<![\w.:/])\/(work|home|Users)\/\w+|\b[A-Z]:\\\\?Users\b/g;

/** Texts describe the product, for readers who have nothing but the product. */
export const textsSpeakOfTheProduct: Rule = (files) =>
  files
    .filter(({ path }) => !/^scripts\/tidy/.test(path))
    .flatMap((file) => [
      ...findAll(
        file,
        file.text,
        traces,
        ([match]) => `"${match}" describes the development process: state the reason.`,
      ),
      ...findAll(
        file,
        file.text,
        absolutePath,
        ([match]) => `${match} is a path of one machine: make it relative.`,
      ),
    ]);

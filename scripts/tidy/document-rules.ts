import { posix } from 'node:path';
import { errorCodes } from '../../src/kernel/error-catalog.ts';
import { findAll, type ProjectFile, type Rule } from './project-files.ts';

const isMarkdown = ({ path }: ProjectFile): boolean => path.endsWith('.md');

/** The anchors of a page's headings, as web front ends of Git make them. */
function anchorsOf(markdown: string): Set<string> {
  return new Set(
    [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Files with their parent folders: the possible targets of links. */
function pathsIn(files: readonly ProjectFile[]): Set<string> {
  const paths = new Set<string>();
  for (const { path } of files) for (let it = path; it !== '.'; it = posix.dirname(it)) paths.add(it);
  return paths;
}

export const linksResolve: Rule = (files) => {
  const paths = pathsIn(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files.filter(isMarkdown).flatMap((file) =>
    findAll(file, file.text, /\]\(([^)\s]+)\)/g, ([, link]) => {
      if (/^[a-z]+:/.test(link!)) return undefined;
      const [path, anchor] = link!.split('#', 2) as [string, string?];
      const target = path === '' ? file.path : posix.join(posix.dirname(file.path), path).replace(/\/$/, '');
      if (!paths.has(target)) return `The link ${link} is broken: there is no ${target}.`;
      const page = byPath.get(target);
      if (anchor === undefined || page === undefined || anchorsOf(page.text).has(anchor)) return undefined;
      return `The link ${link} is broken: ${target} has no such heading.`;
    }),
  );
};

/** A document named in a comment must exist. */
export const mentionedDocumentsExist: Rule = (files) => {
  const paths = pathsIn(files);
  return files
    .filter(({ path }) => /\.(ts|mjs|sql)$/.test(path) && !path.startsWith('scripts/'))
    .flatMap((file) =>
      findAll(file, file.text, /(?<![\w./}])[\w-]+[\w./-]*\.md\b/g, ([path]) =>
        paths.has(path)
          ? undefined
          : `There is no ${path}: state the reason, or a path from the project's folder.`,
      ),
    );
};

const errorsPage = 'contract/errors.md';

export const errorsPageNamesEveryCode: Rule = (files) => {
  const text = files.find(({ path }) => path === errorsPage)?.text ?? '';
  const onPage = [...text.matchAll(/^### (\w+)$/gm)].map(([, code]) => code!);
  const at = (message: string) => ({ path: errorsPage, line: 1, message: `${message} npm run generate` });
  return [
    ...errorCodes.filter((code) => !onPage.includes(code)).map((code) => at(`${code} is missing:`)),
    ...onPage
      .filter((code) => !(errorCodes as readonly string[]).includes(code))
      .map((code) => at(`No ${code} exists:`)),
  ];
};

const decisionsPages = /^docs\/(PRODUCT|product\/[a-z-]+)\.md$/;

const decisionNumber = /(?<![\w-])D\d{1,3}(?![\w-])/g;

const readByUsers =
  /^(contract\/.*\.(json|md)|README\.md|docs\/(?!PRODUCT|ARCHITECTURE|RECIPES|product\/|decisions\/).*\.md|sdk\/.*\.md|examples\/.*\.md)$/;

/** Numbers of decisions are for developers. */
export const usersReadNoDecisionNumbers: Rule = (files) =>
  files
    .filter(({ path }) => readByUsers.test(path))
    .flatMap((file) =>
      findAll(
        file,
        file.text,
        decisionNumber,
        ([number]) => `${number} means nothing to a user: state the rule.`,
      ),
    );

/** Comments and texts cite decisions by number; each must exist. */
export const citedDecisionsExist: Rule = (files) => {
  const pages = files.filter(({ path }) => decisionsPages.test(path));
  const known = new Set(
    pages.flatMap(({ text }) => [...text.matchAll(/^\*\*(D\d+)\*\*/gm)].map(([, number]) => number)),
  );
  return files
    .filter(
      ({ path }) =>
        /\.(ts|sql|md)$/.test(path) && !path.startsWith('contract/') && !/^scripts\/tidy/.test(path),
    )
    .flatMap((file) =>
      findAll(file, file.text, decisionNumber, ([number]) =>
        known.has(number)
          ? undefined
          : `${number} is not in docs/PRODUCT.md or docs/product/: write it there, or state the reason.`,
      ),
    );
};

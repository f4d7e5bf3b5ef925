import { roomOf } from './architecture-tables.ts';
import { type Finding, finding, type Rule } from './project-files.ts';
import { blocksOf, isProgram, tablesOf, writtenTables } from './sql-tables.ts';

const declares =
  /(?<![.\w])(statement|insertMany|insertRows|searchStatements|wordSearch|sortedList|settingTable)\s*[<(]/;
const assembles =
  /`\s*(select|insert into|update|delete from|with|create|alter|drop|grant|truncate)\b[^`]*\$\{/;

/** Files that create statements, or send text made by this program only. File → reason. */
const mayAssembleSql: Readonly<Record<string, string>> = {
  'src/platform/statements/statement.ts': 'creates statements',
  'src/platform/lists/search.ts': 'creates the statements of a search',
  'src/platform/lists/word-search.ts': 'creates the statements of a search by words',
  'src/platform/lists/sorted-list.ts': 'creates the statements of a sorted list',
  'src/platform/events/event-feed-queries.ts':
    'takes the expression that a slice declares while modules load',
  'src/platform/resources/setting-table.ts': 'creates the statements of a setting',
  'src/platform/lists/counted-rows.ts': 'wraps the rows of a list, in statements that are constants',
  'src/platform/distribution/copy-tables.ts': 'names of tables and columns, as PostgreSQL quotes them',
  'src/hosting/organization-moves/organization-rows.ts':
    'names of tables and columns, as PostgreSQL quotes them',
  'src/hosting/organization-moves/import-organization.ts':
    'names of tables and columns, as PostgreSQL quotes them',
  'src/hosting/embedded-postgres/cluster.ts': 'a password that it generates, of letters and digits',
};

/**
 * SQL is created while the module loads, when there is no input yet: at the top level, or in a local function that is
 * only called at the top level.
 */
export const sqlIsMadeAtModuleLevel: Rule = (files) =>
  files
    .filter((file) => isProgram(file) && !Object.hasOwn(mayAssembleSql, file.path))
    .flatMap((file) => {
      const blocks = blocksOf(file);
      return blocks
        .filter(({ isFunction, code }) => isFunction && (declares.test(code) || assembles.test(code)))
        .filter(({ name, isOpen }) => {
          const calls = new RegExp(`(?<![.\\w])${name}\\s*[<(]`);
          return isOpen || blocks.some((it) => it.name !== name && it.isFunction && calls.test(it.code));
        })
        .map(({ name, position }) =>
          finding(
            file,
            position,
            `${name} makes SQL when it is called: declare the statement as a constant.`,
          ),
        );
    });

/** The slice that writes a table owns it and keeps its promises. No other slice writes it. */
export const tablesHaveOneWriter: Rule = (files) => {
  const tables = tablesOf(files);
  /** By table, the first write of each slice. */
  const writers = new Map<string, Map<string, Finding>>();
  for (const file of files.filter(isProgram)) {
    const slice = roomOf(file.path);
    for (const { table, position } of writtenTables(file)) {
      if (!tables.has(table)) continue;
      const places = writers.get(table) ?? new Map<string, Finding>();
      writers.set(table, places);
      if (!places.has(slice)) places.set(slice, finding(file, position, ''));
    }
  }
  return [...writers].flatMap(([table, places]) =>
    [...places].flatMap(([slice, place]) => {
      const others = [...places.keys()].filter((it) => it !== slice).join(', ');
      if (others === '') return [];
      return [
        {
          ...place,
          message: `${table} is also written by ${others}: one slice owns a table, the others call that slice.`,
        },
      ];
    }),
  );
};

/** Statement → reason. */
const mayReadAllOrganizations: Readonly<Record<string, string>> = {
  findPresentedKeys: 'finds the organization of a key, by the digest of the key',
  findPublishableKey: 'finds the organization of a publishable key, by the digest of the key',
  findSessionDigest: 'finds the organization of a session, by the digest of its token',
  findStaffAccounts: 'finds the organizations of an account, by the digest of its email',
  findStaffDevice: 'finds whether a browser is known to an account, by the digest of its token',
  findHalfSignIn: 'finds the organization of a sign-in between its two steps, by the digest of its token',
  findIdentitySignIn:
    'finds the organization of a sign-in at an identity provider, by the digest of its token',
  insertOpenChallenge: 'what a passkey has to sign, before it has named an organization; a digest only',
  takePasskeyChallenge: 'the answer of a passkey, by the digest of the challenge',
  deleteOldPasskeyChallenges: 'challenges that have ended without an answer',
  findStaffInvitation: 'finds the organization of an invitation, by the digest of its token',
  selectWebhookOrganizations: 'finds the organizations that have webhook endpoints; ids only',
  selectAllOrganizations: "lists organizations for the operator, with the owner's login",
};

/** The first barrier between organizations; row-level security is the second. */
export const statementsBindTheOrganization: Rule = (files) => {
  const tables = [...tablesOf(files)]
    .filter(([name, body]) => name === 'organizations' || /^\s*organization_id\b/m.test(body))
    .map(([name]) => name);
  if (tables.length === 0) return [];
  const touches = new RegExp(`\\b(from|join|into|update)\\s+(${tables.join('|')})\\b`);
  return files.filter(isProgram).flatMap((file) => {
    const blocks = blocksOf(file);
    /** The code, with that of the constants in its templates. */
    const wholeCode = (code: string, seen: readonly string[] = []): string =>
      [...code.matchAll(/\$\{(\w+)\}/g)].reduce((all, [, name]) => {
        const part = blocks.find((it) => it.name === name && !it.isFunction && !seen.includes(it.name));
        return part ? all + wholeCode(part.code, [...seen, part.name]) : all;
      }, code);
    return blocks.flatMap((block): Finding[] => {
      const isStatement = /(?<![.\w])statement\s*[<(]/.test(block.code);
      if (!isStatement || Object.hasOwn(mayReadAllOrganizations, block.name)) return [];
      const code = wholeCode(block.code);
      const table = touches.exec(code)?.[2];
      if (table === undefined || code.includes(':organizationId')) return [];
      const message = `${block.name} reads ${table} of every organization: add organization_id = :organizationId.`;
      return [finding(file, block.position, message)];
    });
  });
};

import { posix } from 'node:path';
import { architecturePath, layerOf, readArchitecture, roomOf } from './architecture-tables.ts';
import { type Finding, finding, type ProjectFile, type Rule } from './project-files.ts';

/** What other rooms may call of a room: the file that names it. Types come from where they live, and so do schemas and examples. */
const frontDoors: Readonly<Record<string, string>> = {
  organizations: 'organizations',
  keys: 'keys',
  'rate-limits': 'shared-rate-limit-tokens',
  'request-log': 'api-request-log',
  audit: 'audit-log',
  sessions: 'sessions',
  staff: 'staff',
  'sign-in': 'staff-sign-in',
  idempotency: 'kept-replies',
  catalog: 'products',
  customers: 'customers',
  documents: 'documents',
  settings: 'terms-of-sale',
  slots: 'slots',
  tracking: 'tracking',
  promotions: 'promotions',
  inventory: 'stock',
  purchasing: 'purchasing',
  carts: 'carts',
  orders: 'orders',
  returns: 'returns',
  queue: 'queue',
  traceability: 'traceability',
  law: 'law-editions',
  menus: 'menus',
  operator: 'operator-desk',
  changes: 'changes',
  webhooks: 'webhooks',
};

interface Import {
  readonly from: ProjectFile;
  /** A file of the project, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  /** The whole import is of types. */
  readonly isOfTypes: boolean;
  readonly position: number;
}

/** More names than this are no door any more. */
const doorNamesMax = 20;

/** Front doors that still name more. The numbers only go down. */
const wideDoors: Readonly<Record<string, number>> = {
  'src/shop/carts/carts.ts': 38,
  'src/shop/catalog/products.ts': 48,
  'src/shop/customers/customers.ts': 54,
  'src/shop/inventory/stock.ts': 40,
  'src/shop/orders/orders.ts': 33,
  'src/shop/promotions/promotions.ts': 51,
  'src/shop/settings/terms-of-sale.ts': 26,
};

function importsOf(file: ProjectFile): Import[] {
  const pattern =
    /(?:^|;)\s*(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...file.code.matchAll(pattern)].map((match) => {
    const name = (match[1] ?? match[2] ?? match[3])!;
    const isPackage = !name.startsWith('.');
    const target = isPackage ? name : posix.join(posix.dirname(file.path), name);
    const isOfTypes = /^;?\s*(?:import|export) type\b/.test(match[0]);
    return { from: file, target, isPackage, isOfTypes, position: match.index + match[0].lastIndexOf(name) };
  });
}

/** Schemas are the types of the contract, with what bounds them; examples are values of them. */
const isOfTheContract = (path: string): boolean => /-(?:schemas?|examples)\.ts$/.test(path);

/** A slice enters another one by its front door, and only where the table of docs/ARCHITECTURE.md says so. */
export const importsFollowTheTable: Rule = (files) => {
  const { mayImport, pure } = readArchitecture(files);
  return files
    .filter((file) => !file.isTest)
    .flatMap(importsOf)
    .flatMap((it): Finding[] => {
      const [from, to] = [roomOf(it.from.path), roomOf(it.target)];
      const at = (message: string) => [finding(it.from, it.position, message)];
      if (it.isPackage) {
        if (!pure.includes(from)) return [];
        return at(`${from} is pure and imports kernel only: hand what ${it.target} gives in as a value.`);
      }
      if (from === to) return [];
      const allowed = mayImport.get(from) ?? (it.from.path.startsWith('src/') ? [] : 'everything');
      if (allowed !== 'everything' && !allowed.includes(to)) {
        if (!mayImport.has(from))
          return at(`${from} has no row in ${architecturePath}: say what it may import.`);
        const choice = allowed.length > 0 ? `may import ${allowed.join(', ')}` : 'imports nothing';
        return at(`${from} ${choice}, not ${to}: move what both need down, or pass it in.`);
      }
      const door = frontDoors[to];
      if (door === undefined || it.isOfTypes || posix.basename(it.target) === `${door}.ts`) return [];
      if (isOfTheContract(it.target)) return [];
      if (from === 'app' && it.target.endsWith('-routes.ts')) return [];
      return at(
        `Enter ${to} by its front door: export it from ${posix.dirname(it.target)}/${door}.ts and import that.`,
      );
    });
};

/** Below src/ there are the layers of the document and nothing else, and no file imports from a layer above its own. */
export const layersGoDown: Rule = (files) => {
  const { layers } = readArchitecture(files);
  return files.flatMap((file): Finding[] => {
    const layer = layerOf(file.path);
    if (layer === undefined) return [];
    const level = layers.indexOf(layer);
    if (level < 0) {
      return [
        finding(file, 0, `${layer} is no layer of ${architecturePath}: put the file into one of them.`),
      ];
    }
    if (file.isTest) return [];
    return importsOf(file).flatMap((it): Finding[] => {
      const target = it.isPackage ? undefined : layerOf(it.target);
      if (target === undefined || layers.indexOf(target) <= level) return [];
      const message = `${layer} is below ${target}: move what both need down, or pass it in.`;
      return [finding(file, it.position, message)];
    });
  });
};

/** A front door names at most twenty things that other rooms call, and passes on no types: those come from where they live. */
export const frontDoorsAreNarrow: Rule = (files) =>
  files.flatMap((file): Finding[] => {
    if (file.isTest || frontDoors[roomOf(file.path)] !== posix.basename(file.path, '.ts')) return [];
    const typeAt = file.code.search(/^export (?:type \{|\{[^}]*\btype\s)/m);
    if (typeAt >= 0)
      return [finding(file, typeAt, 'Types come from where they live: import this one from there.')];
    const listed = [...file.code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) =>
      names!.split(',').filter((name) => name.trim() !== ''),
    );
    const own = [...file.code.matchAll(/^export (?:async )?(?:function|const|class)\b/gm)];
    const max = wideDoors[file.path] ?? doorNamesMax;
    const count = listed.length + own.length;
    if (count <= max) return [];
    const message = `The front door names ${count} things, and may name ${max}: let one function do what callers do with several, or move what is not called from outside.`;
    return [finding(file, 0, message)];
  });

/** The table itself: each room is there, and no way leads from a room back to it. */
export const arrowsHaveNoCycles: Rule = (files) => {
  const { mayImport, lines } = readArchitecture(files);
  const rooms = new Set(files.map(({ path }) => roomOf(path)));
  const targetsOf = (room: string): readonly string[] => {
    const targets = mayImport.get(room) ?? [];
    return targets === 'everything' ? [] : targets;
  };
  const reached = (from: string, seen: Set<string>): Set<string> => {
    for (const target of targetsOf(from)) if (!seen.has(target)) reached(target, seen.add(target));
    return seen;
  };
  return [...lines].flatMap(([room, line]): Finding[] => {
    const at = (message: string) => [{ path: architecturePath, line, message }];
    const missing = [room, ...targetsOf(room)].find((it) => !rooms.has(it));
    if (missing !== undefined) return at(`There is no ${missing}: take it out.`);
    return reached(room, new Set()).has(room)
      ? at(`By this table ${room} may in the end import itself: one of the arrows on the way must go.`)
      : [];
  });
};

/** Types included: two files that need each other are one thought in two places. */
export const noImportCycles: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const edges = new Map(
    files.map((file) => [file.path, importsOf(file).filter((it) => byPath.has(it.target))]),
  );
  const findings: Finding[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    for (const it of edges.get(path)!) {
      const start = trail.indexOf(it.target);
      if (start >= 0) {
        const cycle = [...trail.slice(start), it.target].join(' → ');
        findings.push(
          finding(it.from, it.position, `Cycle ${cycle}: move what both need into a file of its own.`),
        );
      } else if (!done.has(it.target)) {
        visit(it.target, [...trail, it.target]);
      }
    }
    done.add(path);
  };
  for (const file of files) if (!done.has(file.path)) visit(file.path, [file.path]);
  return findings;
};

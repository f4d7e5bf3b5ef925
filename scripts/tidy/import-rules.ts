import { posix } from 'node:path';
import { type Finding, finding, type ProjectFile, type Rule } from './project-files.ts';

const pureEngines = ['pricing', 'purchase-limits', 'jurisdictions'];
const platform = ['http', 'events', 'jobs', 'storage', 'database', 'kernel'];

/** Who may import whom (docs/ARCHITECTURE.md); everyone may import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  sdk: [],
  console: ['sdk'],
  kernel: [],
  pricing: ['kernel'],
  'purchase-limits': ['kernel'],
  jurisdictions: ['kernel'],
  database: ['jurisdictions', 'kernel'],
  'embedded-postgres': ['database', 'kernel'],
  http: ['kernel'],
  'limit-calculator': ['purchase-limits', 'jurisdictions', 'http', 'kernel'],
  storage: ['http', 'kernel'],
  events: ['database', 'kernel'],
  jobs: ['database', 'kernel'],
  idempotency: ['database', 'http', 'storage', 'kernel'],
  access: platform,
  live: [...platform, 'access'],
  catalog: platform,
  customers: [...platform, 'promotions'],
  documents: [...platform, 'customers'],
  settings: [...platform, 'access', 'inventory', ...pureEngines],
  promotions: [...platform, 'pricing'],
  inventory: [...platform, 'catalog'],
  purchasing: [...platform, 'catalog', 'inventory'],
  carts: [
    ...platform,
    'access',
    'catalog',
    'customers',
    'settings',
    'promotions',
    'limit-calculator',
    ...pureEngines,
  ],
  orders: [
    ...platform,
    'carts',
    'access',
    'catalog',
    'customers',
    'settings',
    'promotions',
    'inventory',
    ...pureEngines,
  ],
  returns: [...platform, 'carts', 'orders', 'customers', 'settings', 'promotions', 'inventory', 'pricing'],
  queue: [...platform, 'customers', 'jurisdictions'],
  law: [...platform, 'access', ...pureEngines],
  reports: platform,
  'customer-records': [...platform, 'customers', 'documents', 'orders', 'promotions', 'queue'],
  startup: [...platform, 'access', 'embedded-postgres', 'jurisdictions', 'seed'],
  menus: [...platform, 'catalog', 'settings', 'inventory', ...pureEngines],
};

/** What other slices may call of a slice. */
const frontDoors: Readonly<Record<string, string>> = {
  access: 'organizations',
  idempotency: 'kept-replies',
  catalog: 'products',
  customers: 'customers',
  documents: 'documents',
  settings: 'terms-of-sale',
  promotions: 'promotions',
  inventory: 'stock',
  purchasing: 'purchasing',
  carts: 'carts',
  orders: 'orders',
  returns: 'returns',
  queue: 'queue',
  law: 'law-editions',
};

interface Import {
  readonly from: ProjectFile;
  /** A file of the project, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly position: number;
}

function importsOf(file: ProjectFile): Import[] {
  const pattern =
    /(?:^|;)\s*(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...file.code.matchAll(pattern)].map((match) => {
    const name = (match[1] ?? match[2] ?? match[3])!;
    const isPackage = !name.startsWith('.');
    const target = isPackage ? name : posix.join(posix.dirname(file.path), name);
    return { from: file, target, isPackage, position: match.index + match[0].lastIndexOf(name) };
  });
}

/** The folder below src/, or the file there, or the folder of the project. */
function zoneOf(path: string): string {
  const [top, below] = path.split('/');
  return top === 'src' ? below!.replace(/\.ts$/, '') : top!;
}

/** A slice enters another one by its front door, and only where the table says so. */
export const importsFollowTheTable: Rule = (files) =>
  files
    .filter((file) => !file.isTest)
    .flatMap(importsOf)
    .flatMap((it): Finding[] => {
      const [from, to] = [zoneOf(it.from.path), zoneOf(it.target)];
      const at = (message: string) => [finding(it.from, it.position, message)];
      if (it.isPackage) {
        if (!pureEngines.includes(from)) return [];
        return at(`${from} is pure and imports kernel only: hand what ${it.target} gives in as a value.`);
      }
      if (from === to) return [];
      const allowed = mayImport[from];
      if (allowed && !allowed.includes(to)) {
        const choice = allowed.length > 0 ? `may import ${allowed.join(', ')}` : 'imports nothing';
        return at(`${from} ${choice}, not ${to}: move what both need down, or pass it in.`);
      }
      const door = frontDoors[to];
      if (door === undefined || it.target === `src/${to}/${door}.ts`) return [];
      if (from === 'app' && it.target.endsWith('-routes.ts')) return [];
      return at(`Enter ${to} by its front door: export it from src/${to}/${door}.ts and import that.`);
    });

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

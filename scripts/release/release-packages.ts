/** The part of a package-lock.json that is read and written here. */
export interface Lock {
  readonly [field: string]: unknown;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly [field: string]: unknown;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly libc?: readonly string[];
}

interface Manifest {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/**
 * The package.json and package-lock.json of a release: only the packages that its bundle does not contain (`kept`; a name may
 * end with `/*`), in the versions of the lockfile, with all that they need.
 */
export function releasePackages(manifest: Manifest, lock: Lock, kept: readonly string[]) {
  const isKept = (name: string) =>
    kept.some((wanted) => (wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted));
  const keptOf = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isKept(name)));
  const own = {
    dependencies: keptOf(manifest.dependencies),
    optionalDependencies: keptOf(manifest.optionalDependencies),
  };
  const { name, version, description, license, type, engines } = manifest;
  const shown = { name, version, private: true, description, license, type, engines };
  const packages: Record<string, LockedPackage> = {
    '': { name, version, license, ...own, bin: { dispensary: 'dispensary.mjs' }, engines } as LockedPackage,
  };
  const add = (from: string, needed: string): void => {
    const path = placeOf(lock, from, needed);
    if (path === undefined || packages[path] !== undefined) return;
    packages[path] = withLibc(path, lock.packages[path]!);
    const { dependencies = {}, optionalDependencies = {} } = packages[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(path, next);
  };
  for (const needed of Object.keys({ ...own.dependencies, ...own.optionalDependencies })) add('', needed);
  const { lockfileVersion } = lock;
  return {
    packageJson: {
      ...shown,
      bin: { dispensary: 'dispensary.mjs' },
      scripts: { start: 'exec node start.mjs || node start.mjs' },
      ...own,
    },
    lock: { name, version, lockfileVersion, requires: true, packages: sortedByKey(packages) },
  };
}

/** Where the lockfile has a package for one at `from`, by the search of Node; undefined if it is not locked. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Some packages for another C library do not say so: npm would install those, too, 10 MB for nothing. */
function withLibc(path: string, locked: LockedPackage): LockedPackage {
  return /-musl(?:eabihf)?$/.test(path) && locked.libc === undefined ? { ...locked, libc: ['musl'] } : locked;
}

function sortedByKey<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

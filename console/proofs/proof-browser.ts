import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell first: it draws no window, and takes a quarter less of the processor. */
const usualPlaces = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** The Chromium of this machine, or the reason why there is none. */
type FoundBrowser =
  | { readonly path: string; readonly missing?: never }
  | { readonly path?: never; readonly missing: string };

/** Finds Chromium at `CHROMIUM_PATH` or where Debian and Playwright install it; installs it if permitted. */
export function findBrowser(): FoundBrowser {
  const installed = installedBrowser();
  if (installed !== undefined) return { path: installed };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return {
      missing:
        'There is no Chromium: install it (apt-get install chromium-headless-shell), or name it in CHROMIUM_PATH.',
    };
  }
  console.warn('Installing Chromium …');
  const options = { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Another test file may be installing it.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300'];
  spawnSync('apt-get', [...waiting, 'update'], options);
  const install = [...waiting, 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'];
  const { stderr } = spawnSync('apt-get', install, options);
  const path = installedBrowser();
  return path === undefined ? { missing: `Chromium could not be installed: ${stderr.trim()}` } : { path };
}

function installedBrowser(): string | undefined {
  const { CHROMIUM_PATH: named } = process.env;
  return [...(named ? [named] : []), ...usualPlaces, chromium.executablePath()].find((path) =>
    existsSync(path),
  );
}

/**
 * How far the code of pages is optimized. For pages that live for seconds that costs more time than it saves; `quickly` is for what
 * runs hundreds of times in one page. `ahead` is for pages that are loaded again and again: nothing is optimized, and functions are
 * compiled with their file, which the browser keeps. A load of the console compiles 1,600 of them otherwise, one by one.
 */
export type Optimizing = 'fully' | 'quickly' | 'never' | 'ahead';

const flagsOf: Readonly<Record<Optimizing, readonly string[]>> = {
  fully: [],
  quickly: ['--js-flags=--no-opt'],
  never: ['--js-flags=--no-opt --no-maglev'],
  ahead: ['--js-flags=--no-opt --no-maglev --no-lazy'],
};

/** Its arguments: it reaches no other host than this one. */
export function browserArguments(optimizing: Optimizing = 'fully'): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    '--disable-dev-shm-usage',
    '--disable-gpu',
    // A process of its own for drawing costs a tenth of the browser's time.
    '--in-process-gpu',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ...flagsOf[optimizing],
    // Chromium's sandbox does not run as root.
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
}

/** Starts the browser. */
export function launchBrowser(path: string, optimizing?: Optimizing): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: browserArguments(optimizing) });
}

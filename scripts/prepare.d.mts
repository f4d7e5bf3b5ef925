import type { BuildOptions } from 'esbuild';

/** How the server and the command are bundled. */
export declare const bundleOptions: BuildOptions;

/** Packages that cannot be part of a bundle; a name may end with `/*`. */
export declare const nativePackages: readonly string[];

/** A digest of all that a build of the console reads. */
export declare function digestOfConsole(): string;

/** Builds the console into dist/console unless the build is current. */
export declare function ensureConsoleBuilt(): void;

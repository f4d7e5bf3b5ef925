import type { BuildOptions } from 'esbuild';

/** How the server and the command are bundled. */
export declare const bundleOptions: BuildOptions;

/** Packages that cannot be part of a bundle; a name may end with `/*`. */
export declare const nativePackages: readonly string[];

/** Builds the console into dist/console unless the build is current. */
export declare function ensureConsoleBuilt(): void;

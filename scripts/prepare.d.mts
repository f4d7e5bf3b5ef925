import type { BuildOptions } from 'esbuild';

/** How the server and the command are bundled. */
export declare const bundleOptions: BuildOptions;

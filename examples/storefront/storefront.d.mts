import type { RequestListener } from 'node:http';

interface Settings {
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly publishableKey: string;
  /** Secret, of the integrator of the page: for payments. */
  readonly keys?: { readonly consumerKey: string; readonly clientKey: string };
}

export declare function readSettings(environment?: NodeJS.ProcessEnv): Settings;
export declare function serveStorefront(settings: Settings): RequestListener;

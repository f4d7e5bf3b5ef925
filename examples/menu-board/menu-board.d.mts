import type { RequestListener } from 'node:http';

export declare function serveMenuBoard(settings: {
  readonly baseUrl: string;
  readonly menuUrl: string;
  readonly publishableKey: string;
}): RequestListener;

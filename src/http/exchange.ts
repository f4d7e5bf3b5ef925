import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, RequestLog, StaffCaller } from './endpoint.ts';

/** Header names are lower case, so that an endpoint's own header replaces the one of the same name. */
export type Headers = Record<string, string | number>;

/** Never sniffed into a page, and only cached where the endpoint says so. More headers do nothing for JSON. */
const safeHeaders: Readonly<Headers> = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

const saneRequestId = /^[A-Za-z0-9_.:-]{1,100}$/;

/** Unique across restarts by its random head, within a run by its counter. */
const requestIdHead = randomBytes(9).toString('base64url');
let requestCount = 0;

/** A file as it is sent; header names in lower case. */
export interface PublicFile {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the server is about to close. */
export interface DrainState {
  readonly isDraining: boolean;
}

/** One request and its reply: what both have in common, whoever answers. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What logs and metrics call it: never the path, which may hold personal data. */
  readonly routeId: string;
  readonly requestId: string;
  readonly headers: Headers;
  readonly startedAtMs = performance.now();
  caller: Caller | undefined;
  staff: StaffCaller | undefined;
  readonly #drain: DrainState;
  #log: RequestLog | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, routeId: string, drain: DrainState) {
    this.#drain = drain;
    this.request = request;
    this.response = response;
    this.routeId = routeId;
    const sentId = request.headers['x-request-id'];
    this.requestId =
      typeof sentId === 'string' && saneRequestId.test(sentId)
        ? sentId
        : `${requestIdHead}-${(++requestCount).toString(36)}`;
    this.headers = { 'x-request-id': this.requestId, ...safeHeaders };
  }

  /** Most requests log nothing of their own, and a child logger costs more than the rest of this. */
  log(parent: { child(fields: object): RequestLog }): RequestLog {
    this.#log ??= parent.child({ requestId: this.requestId });
    return this.#log;
  }

  sendJson(status: number, text: string | Uint8Array): void {
    this.headers['content-type'] = 'application/json; charset=utf-8';
    this.headers['content-length'] = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    this.#send(status, text);
  }

  /** Sends a file as it is; its headers say what it is and how long it may be kept. */
  sendFile(file: PublicFile): void {
    Object.assign(this.headers, file.headers, { 'content-length': file.bytes.length });
    this.#send(200, file.bytes);
  }

  sendEmpty(status: 204 | 304): void {
    this.#send(status);
  }

  #send(status: number, text?: string | Uint8Array): void {
    if (this.#drain.isDraining) this.headers.connection = 'close';
    this.response.writeHead(status, this.headers);
    this.response.end(text);
  }
}

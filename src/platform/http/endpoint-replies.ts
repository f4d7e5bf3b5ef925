type ReplyHeaders = Readonly<Record<string, string | string[]>>;

interface JsonReply<Data, Meta> {
  readonly kind: 'json';
  readonly data: Data;
  readonly meta?: Meta;
  readonly headers?: ReplyHeaders;
}

export interface RawJsonReply {
  readonly kind: 'raw-json';
  readonly text: string | Uint8Array;
  readonly etag: string | undefined;
  readonly headers: ReplyHeaders | undefined;
  /** The same bytes are sent again and again, so they are compressed once. */
  readonly isKept: boolean;
}

interface FileReply {
  readonly kind: 'file';
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly headers?: ReplyHeaders;
}

/** A reply that continues until either side ends it. */
export interface EventStream {
  write(text: string): void;
  end(): void;
  /** Ends it without waiting for the caller to read pending bytes. */
  cut(): void;
  /** Bytes written and not yet received by the caller's side. */
  readonly unreadBytes: number;
  onceClosed(then: () => void): void;
}

interface StreamReply {
  readonly kind: 'stream';
  readonly mediaType: string;
  readonly start: (stream: EventStream) => Promise<void>;
  readonly headers?: ReplyHeaders;
}

interface EmptyReply {
  readonly kind: 'empty';
  readonly headers?: ReplyHeaders;
}

/** The result of a handler. A handler in a separate file may leave Data open. */
// biome-ignore lint/suspicious/noExplicitAny: an open reply must be assignable to every declared one; the serializer and the contract test check it
export type Reply<Data = any, Meta = any> =
  | JsonReply<Data, Meta>
  | RawJsonReply
  | FileReply
  | StreamReply
  | EmptyReply;

/** A reply `{data}`, or `{data, meta}`, written by the serializer of the endpoint's schema. */
export function reply<const Data, const Meta = never>(
  data: Data,
  options: { readonly headers?: ReplyHeaders; readonly meta?: Meta } = {},
): JsonReply<Data, Meta> {
  return { kind: 'json', data, ...options };
}

/**
 * A reply of a complete envelope that is JSON text already; the bytes are sent unchanged. With `etag` (an entity tag
 * with its quotes) a caller that has it gets 304 without a body.
 */
export function replyRawJson(
  text: string | Uint8Array,
  {
    etag,
    headers,
    isKept = false,
  }: { readonly etag?: string; readonly headers?: ReplyHeaders; readonly isKept?: boolean } = {},
): RawJsonReply {
  return { kind: 'raw-json', text, etag, headers, isKept };
}

/** A private file. The headers prevent a browser from sniffing its type and from running its content. */
export function replyFile(
  bytes: Uint8Array,
  mediaType: string,
  options: { readonly headers?: ReplyHeaders } = {},
): FileReply {
  const headers = {
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    ...options.headers,
  };
  return { kind: 'file', bytes, mediaType, headers };
}

/**
 * A stream. `start` gets it and writes to it; it ends with the server at the latest. The request counts as answered
 * from now on. `start` must handle its own errors.
 */
export function replyStream(mediaType: string, start: StreamReply['start']): StreamReply {
  return { kind: 'stream', mediaType, start };
}

/** A 204 reply without a body. */
export function replyEmpty(options: { readonly headers?: ReplyHeaders } = {}): EmptyReply {
  return { kind: 'empty', ...options };
}

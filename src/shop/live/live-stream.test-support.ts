/** A stream of server-sent events, parsed like in a browser. */
export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  /** The next message, without comments; null when the stream has ended. */
  next(): Promise<Message | null>;
  /** Reads until a message with this name arrives. */
  until(name: string): Promise<Message>;
  /** Everything received so far. */
  readonly text: string;
  close(): void;
}

interface Message {
  /** Default: `message`. */
  readonly event: string;
  readonly id: string;
  readonly data: { readonly resource?: string; readonly id?: string; readonly name?: string };
}

/** Opens a stream over the network. */
export async function openStream(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenStream> {
  const stop = new AbortController();
  const reply = await fetch(`${baseUrl}/staff/v1/live`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let at = 0;

  async function next(): Promise<Message | null> {
    for (;;) {
      const end = text.indexOf('\n\n', at);
      if (end >= 0) {
        const lines = text.slice(at, end).split('\n');
        at = end + 2;
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field('data');
        if (data === undefined) continue;
        return { event: field('event') ?? 'message', id: field('id') ?? '', data: JSON.parse(data) };
      }
      const { value, done } = await reader.read();
      if (done) return null;
      text += value;
    }
  }

  return {
    status: reply.status,
    headers: reply.headers,
    next,
    until: async (name) => {
      for (;;) {
        const message = await next();
        if (message === null) throw new Error(`the stream ended before ${name}: ${text}`);
        if (message.event === name || message.data.name === name) return message;
      }
    },
    get text() {
      return text;
    },
    close: () => stop.abort(),
  };
}

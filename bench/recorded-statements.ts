import { serialize } from 'pg-protocol';

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  /** Texts as sent; an array of long texts as that. */
  readonly values: readonly (string | null | readonly string[])[];
}

/** One round trip: the statements up to a Sync. */
export type RecordedBatch = readonly RecordedStatement[];

interface Messages {
  parse(query: { readonly name?: string; readonly text: string }): Buffer;
  bind(config?: { readonly statement?: string; readonly values?: (string | Uint8Array | null)[] }): Buffer;
  sync(): Buffer;
}

/**
 * Records the messages that this process sends to PostgreSQL, so replays and counts use the program's real
 * statements. Create it before the first connection, which prepares statements only once.
 */
export class StatementRecorder {
  #batches: RecordedStatement[][] = [[]];

  constructor() {
    const messages = serialize as Messages;
    const { parse, bind, sync } = messages;
    const texts = new Map<string, string>();
    messages.parse = (query) => {
      texts.set(query.name ?? '', query.text);
      return parse(query);
    };
    messages.bind = (config) => {
      const { statement = '', values = [] } = config ?? {};
      const recorded = values.map((value) => (value instanceof Uint8Array ? longTexts(value) : value));
      this.#batches.at(-1)!.push({ name: statement, text: texts.get(statement)!, values: recorded });
      return bind(config);
    };
    messages.sync = () => {
      this.#batches.push([]);
      return sync();
    };
  }

  /** The messages that `work` sends; nothing else may use the database meanwhile. */
  async record(work: () => Promise<unknown>): Promise<RecordedBatch[]> {
    this.#batches = [[]];
    await work();
    return this.#batches.slice(0, -1);
  }
}

const lengthOfHead = 20;

/** The array of texts that was sent in binary: no recorded statement has another binary value. */
function longTexts(sent: Uint8Array): string[] {
  const bytes = Buffer.from(sent);
  const texts: string[] = [];
  for (let at = lengthOfHead; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    texts.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return texts;
}

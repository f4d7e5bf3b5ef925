import { serialize } from 'pg-protocol';

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  /** Texts as sent; an array in binary as its items. */
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
  /** Null: nothing is recorded. */
  #batches: RecordedStatement[][] | null = null;

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
      this.#batches?.at(-1)?.push({
        ...{ name: statement, text: texts.get(statement)! },
        values: values.map((value) => (value instanceof Uint8Array ? sentArray(value) : value)),
      });
      return bind(config);
    };
    messages.sync = () => {
      this.#batches?.push([]);
      return sync();
    };
  }

  /** The messages that `work` sends; nothing else may use the database meanwhile. */
  async record(work: () => Promise<unknown>): Promise<RecordedBatch[]> {
    const batches: RecordedStatement[][] = [[]];
    this.#batches = batches;
    try {
      await work();
    } finally {
      this.#batches = null;
    }
    return batches.slice(0, -1);
  }
}

const lengthOfHead = 20;
/** The types of the elements, by PostgreSQL's number; all others are texts. */
const integerTypes: Readonly<Record<number, (bytes: Buffer, at: number) => string>> = {
  20: (bytes, at) => String(bytes.readBigInt64BE(at)),
  23: (bytes, at) => String(bytes.readInt32BE(at)),
};

/** The array that was sent in binary, of texts or integers: no recorded statement has another binary value. */
function sentArray(sent: Uint8Array): string[] {
  const bytes = Buffer.from(sent);
  const readInteger = integerTypes[bytes.readUInt32BE(8)];
  const items: string[] = [];
  for (let at = lengthOfHead; at < bytes.length; ) {
    const length = bytes.readInt32BE(at);
    items.push(readInteger?.(bytes, at + 4) ?? bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return items;
}

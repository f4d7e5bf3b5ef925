import { serialize } from 'pg-protocol';

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** One round trip: the statements up to a Sync. */
export type RecordedBatch = readonly RecordedStatement[];

interface Messages {
  parse(query: { readonly name?: string; readonly text: string }): Buffer;
  bind(config?: { readonly statement?: string; readonly values?: (string | null)[] }): Buffer;
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
      this.#batches.at(-1)!.push({ name: statement, text: texts.get(statement)!, values });
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

import pg from 'pg';

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** One round trip: the statements up to a Sync. */
export type RecordedBatch = readonly RecordedStatement[];

interface Wire {
  parse(query: { name: string; text: string }): void;
  bind(config: { statement: string; values: readonly (string | null)[] }): void;
  sync(): void;
}

/**
 * Listens to what this process sends to PostgreSQL, on the wire itself: what is replayed and counted is what
 * the program really does. To be made before the first connection, which prepares statements only once.
 */
export class StatementRecorder {
  #batches: RecordedStatement[][] = [[]];

  constructor() {
    const wire = (pg.Connection as unknown as { prototype: Wire }).prototype;
    const { parse, bind, sync } = wire;
    const texts = new Map<string, string>();
    const keep = (statement: RecordedStatement): unknown => this.#batches.at(-1)!.push(statement);
    const endBatch = (): unknown => this.#batches.push([]);
    wire.parse = function (query) {
      texts.set(query.name, query.text);
      parse.call(this, query);
    };
    wire.bind = function (config) {
      keep({ name: config.statement, text: texts.get(config.statement)!, values: config.values });
      bind.call(this, config);
    };
    wire.sync = function () {
      endBatch();
      sync.call(this);
    };
  }

  /** What `work` sends; nothing else may be using the database meanwhile. */
  async record(work: () => Promise<unknown>): Promise<RecordedBatch[]> {
    this.#batches = [[]];
    await work();
    return this.#batches.slice(0, -1);
  }
}

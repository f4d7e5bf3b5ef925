import { randomBytes, randomUUID } from 'node:crypto';
import type { DemoOrganization } from '../seed/load-shop.ts';
import { createAuthenticate } from '../src/access/keys/keys.ts';
import { allEndpoints } from '../src/app/app.ts';
import { LawBook } from '../src/engines/jurisdictions/law-book.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { type ConnectionConfig, Database } from '../src/platform/database/database.ts';
import { IdSource } from '../src/platform/database/id-source.ts';
import { Sealing } from '../src/platform/database/sealing.ts';
import type { Caller, Endpoint } from '../src/platform/http/endpoint.ts';
import type { SealedFiles } from '../src/platform/storage/sealed-files.ts';
import { usualFileLimits } from '../src/shop/files/file-limits.ts';
import { type RecordedBatch, StatementRecorder } from './recorded-statements.ts';
import { recordedIdMin } from './statement-baseline.ts';

/** A program that is opened later goes on. */
let nextId = recordedIdMin;

/** Ids that a replay recognizes. */
class RecordedIds extends IdSource {
  override async take(count: number): Promise<number[]> {
    return Array.from({ length: count }, () => nextId++);
  }
}

type Input = {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object | undefined;
};

/** Runs the program's operations in this process, below HTTP, to record the statements of each. */
export class RecordedProgram {
  readonly #recorder: StatementRecorder;
  readonly #database: Database;
  readonly #endpoints: readonly Endpoint[];
  readonly #caller: Caller;

  private constructor(
    recorder: StatementRecorder,
    database: Database,
    endpoints: Endpoint[],
    caller: Caller,
  ) {
    this.#recorder = recorder;
    this.#database = database;
    this.#endpoints = endpoints;
    this.#caller = caller;
  }

  static async open(serving: ConnectionConfig, organization: DemoOrganization): Promise<RecordedProgram> {
    const recorder = new StatementRecorder();
    const database = new Database(serving, 1);
    const context = {
      database,
      ids: new RecordedIds(database),
      clock: systemClock,
      wallClock: systemClock,
      law: new LawBook(),
      fileLimits: usualFileLimits,
      sealing: new Sealing(),
      randomBytes,
    };
    const { consumerKey, clientKey } = organization;
    const authenticate = createAuthenticate(context, 'production');
    const caller = await authenticate(consumerKey, clientKey, { clientAddress: '127.0.0.1' });
    if (caller === null || 'problem' in caller) throw new Error('the keys of the bench are refused');
    return new RecordedProgram(
      recorder,
      database,
      allEndpoints(context, (path) => path, {} as SealedFiles),
      caller,
    );
  }

  /** The round trips of one request to an operation; the request is already validated. */
  record(operation: string, { params = {}, query = {}, body = {} }: Input): Promise<RecordedBatch[]> {
    const endpoint = this.#endpoints.find(({ id }) => id === operation)!;
    const request = {
      caller: this.#caller,
      params,
      query,
      body,
      requestId: randomUUID(),
      log: console,
      ifNoneMatch: undefined,
      lastEventId: undefined,
      header: () => undefined,
      countUnproven: async () => ({ giveBack: () => undefined }),
      asksFor: () => false,
      requestsLeft: null,
      pause: (wait: (over: AbortSignal) => Promise<never>) => wait(new AbortController().signal),
    };
    return this.#recorder.record(async () => endpoint.handle(request));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

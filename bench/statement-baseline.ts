import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { v7 as uuidV7 } from 'uuid';
import { type PipelineStatement, runPipeline } from '../src/platform/connections/pipeline.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import { TextArray } from '../src/platform/statements/statement.ts';
import { answerParent } from './child-worker.ts';
import { closedLoop, type LoopResult } from './closed-loop.ts';
import type { RecordedBatch, RecordedStatement } from './recorded-statements.ts';

/** Ids from this number on come from the recording: each replay replaces them with fresh ones. */
export const recordedIdMin = 4_000_000_000_000_000;
/** More than the recording used. */
const idsPerReplayMax = 100_000;

export interface StatementLoad {
  readonly connection: ConnectionConfig;
  /** The round trips of each operation; operations are replayed in turn. */
  readonly operations: readonly (readonly RecordedBatch[])[];
  /** UUIDs of the recordings that must be fresh each time. */
  readonly freshUuids: readonly string[];
  readonly concurrency: number;
  readonly durationMs: number;
}

/** Kept from run to run, as a server keeps its pool; by user. */
const clientsOf = new Map<string | undefined, Client[]>();
let replayCount = 0;

/** The baseline of database rows: the recorded statements in a bare loop over `pg`, one connection per worker. */
async function replay(request: StatementLoad): Promise<LoopResult> {
  const { user } = request.connection;
  const clients = clientsOf.get(user) ?? [];
  clientsOf.set(user, clients);
  while (clients.length < request.concurrency) {
    const client = new Client({
      ...request.connection,
      options: '-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1 -c jit=off',
    });
    await client.connect();
    clients.push(client);
  }
  const fresh = new Set(request.freshUuids);
  const operations = request.operations.map((batches) =>
    batches.map((batch) => batch.map((statement) => replayable(statement, fresh))),
  );
  return closedLoop(request.concurrency, request.durationMs, async (worker) => {
    const turn = replayCount++;
    const uuids = new Map<string, string>();
    for (const batch of operations[turn % operations.length]!) {
      await runPipeline(
        clients[worker]!,
        batch.map((bind) => bind(turn, uuids)),
      );
    }
  });
}

const ids = /(\b4\d{15}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** Values are analyzed once, here; a replay changes only the ids that must be fresh, also those within rows and arrays. */
function replayable({ name, text, values }: RecordedStatement, fresh: ReadonlySet<string>) {
  const sent = values.map((value) =>
    Array.isArray(value) ? new TextArray(value) : (value as string | null),
  );
  const changes = values.flatMap((value, index): { index: number; texts: string[][] }[] => {
    // Split by a group, the parts at odd places are the ids.
    const texts = [value].flat().map((text) => text?.split(ids) ?? []);
    const hasId = texts.some((parts) =>
      parts.some((part, at) => at % 2 === 1 && (part.length === 16 || fresh.has(part))),
    );
    return hasId ? [{ index, texts }] : [];
  });
  return (turn: number, uuids: Map<string, string>): PipelineStatement => {
    if (changes.length === 0) return { name, text, values: sent };
    const bound = [...sent];
    const freshPart = (part: string, at: number): string => {
      if (at % 2 === 0) return part;
      if (part.length === 16) return String(Number(part) + (turn + 1) * idsPerReplayMax);
      return fresh.has(part) ? freshUuid(part, uuids) : part;
    };
    for (const { index, texts } of changes) {
      const renewed = texts.map((parts) => parts.map(freshPart).join(''));
      bound[index] = sent[index] instanceof TextArray ? new TextArray(renewed) : renewed[0]!;
    }
    return { name, text, values: bound };
  };
}

/** The same UUID throughout an operation, and of the recorded version: order ids ascend with time. */
function freshUuid(recorded: string, uuids: Map<string, string>): string {
  let uuid = uuids.get(recorded);
  if (uuid === undefined) {
    uuid = recorded[14] === '7' ? uuidV7() : randomUUID();
    uuids.set(recorded, uuid);
  }
  return uuid;
}

if (process.send) answerParent(replay);

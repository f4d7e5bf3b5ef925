import { Client, type ClientConfig } from 'pg';
import { deadlines } from './deadlines.ts';
import { serverAddresses } from './server-addresses.ts';

/** Which of the servers of a deployment a session is for; one of a primary writes. */
export type WantedServer = 'primary' | 'standby';

/** Where a server listens. */
interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

/** No server is what the session wants. */
export class WrongServer extends Error {
  override name = 'WrongServer';
}

interface Finding extends ServerPlace {
  readonly isStandby: boolean;
  /** That of a primary: it grows with each promotion. */
  readonly timeline: number;
}

/** How long one server may take to say what it is. */
const askMsMax = 1_000;
/** After a search that found nothing, the next one waits so long. */
const searchesApartMs = 250;

/**
 * Chooses among the servers of an address with several. Every session of the process goes to the same one until a connection
 * to it fails; then all are asked again. Of several that take writes, it is the one that was promoted last: an earlier
 * primary that came back must not get any.
 */
export class ServerChoice {
  readonly addresses: readonly string[];
  readonly #wanted: WantedServer;
  #chosen: Promise<ServerPlace> | undefined;
  #searchedAtMs = Number.NEGATIVE_INFINITY;

  constructor(addresses: readonly string[], wanted: WantedServer) {
    this.addresses = addresses;
    this.#wanted = wanted;
  }

  /** Fails with `WrongServer` if none is there. Answers within little more than a second. */
  current(): Promise<ServerPlace> {
    this.#chosen ??= this.#search();
    const chosen = this.#chosen;
    chosen.catch(() => this.forget(chosen));
    return chosen;
  }

  /** A connection to it failed, or it is no longer what is wanted. */
  forget(chosen = this.#chosen): void {
    if (this.#chosen === chosen) this.#chosen = undefined;
  }

  async #search(): Promise<ServerPlace> {
    const waitMs = this.#searchedAtMs + searchesApartMs - performance.now();
    if (waitMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, waitMs));
    this.#searchedAtMs = performance.now();
    const outcomes = await Promise.allSettled(this.addresses.map(ask));
    const findings = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const wanted = findings.filter(({ isStandby }) => isStandby === (this.#wanted === 'standby'));
    const [best] = wanted.sort((one, other) => other.timeline - one.timeline);
    if (best !== undefined) return best;
    const reasons = outcomes.map((outcome, at) => `server ${at + 1} ${wordsOf(outcome)}`);
    const lacking = this.#wanted === 'primary' ? 'takes writes' : 'is a standby';
    throw new WrongServer(`none of its servers ${lacking}: ${reasons.join('; ')}`);
  }
}

function wordsOf(outcome: PromiseSettledResult<Finding>): string {
  if (outcome.status === 'fulfilled') return outcome.value.isStandby ? 'is a standby' : 'is a primary';
  return `does not answer (${(outcome.reason as Error).message})`;
}

/** On a connection of its own, which is cut when it takes too long. */
async function ask(address: string): Promise<Finding> {
  const client = new Client({ connectionString: address, application_name: 'dispensary-commerce choice' });
  client.on('error', () => {});
  const connecting = client.connect();
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  const deadline = deadlines.begin(askMsMax, () =>
    connection.stream.destroy(new Error(`no answer within ${askMsMax} ms`)),
  );
  try {
    await connecting;
    const { rows } = await client.query<{ is_standby: boolean; timeline: string | null }>(
      `select pg_is_in_recovery() as is_standby,
              case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`,
    );
    const { is_standby: isStandby, timeline } = rows[0]!;
    const { host, port } = client;
    return { host, port, isStandby, timeline: timeline === null ? 0 : Number.parseInt(timeline, 16) };
  } finally {
    deadlines.end(deadline);
    client.end(() => {});
  }
}

const choices = new Map<string, ServerChoice>();

/** The choice among the servers of a connection, shared by the process; undefined if it names one server only. */
export function serverChoiceOf({
  connectionString,
  wants = 'primary',
}: Pick<ClientConfig, 'connectionString'> & { readonly wants?: WantedServer }): ServerChoice | undefined {
  if (connectionString?.includes(',') !== true) return undefined;
  const key = `${wants} ${connectionString}`;
  let choice = choices.get(key);
  if (choice === undefined) {
    const addresses = serverAddresses(connectionString);
    if (addresses.length < 2) return undefined;
    choice = new ServerChoice(addresses, wants);
    choices.set(key, choice);
  }
  return choice;
}

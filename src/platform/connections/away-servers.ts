import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { unavailable } from './database-refusals.ts';
import { DatabaseUnresponsive, deadlines } from './deadlines.ts';

/** Work that takes longer makes the server of its organization suspect. */
const suspectAfterMs = 500;
const pauseMs = 250;

interface Held {
  /** Ends the connection, and with it the work that holds it. */
  cut(reason: Error): void;
}

interface Asked {
  /** The server of an organization's rows, as the coordinator knows it; rejects if the coordinator does not answer. */
  serverOf(organizationId: OrganizationId): Promise<string>;
  /** Whether a read of the organization is answered soon, on a connection of its own. */
  answers(organizationId: OrganizationId): Promise<boolean>;
}

/**
 * Which servers of a distributed database do not answer. Requests of their organizations would hold all connections of the
 * process while they wait, so those that hold one are ended, and others refused at once; other organizations go on. Each such server
 * is asked until it answers.
 */
export class AwayServers {
  readonly #asked: Asked;
  readonly #away = new Set<string>();
  /** Those that are being asked. */
  readonly #watched = new Set<string>();
  /** Where organizations are; kept while a server is away. */
  readonly #places = new Map<OrganizationId, string>();
  readonly #held = new Map<Held, OrganizationId>();
  readonly #onChange = new Set<() => void>();
  #isClosed = false;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** `host:port` of each. */
  get names(): readonly string[] {
    return [...this.#away].sort();
  }

  /** Calls a function after each change. */
  onChange(told: () => void): void {
    this.#onChange.add(told);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Fails with SERVICE_UNAVAILABLE while the server of the organization is away. */
  async refuseIfAway(organizationId: OrganizationId): Promise<void> {
    if (this.#away.size === 0) return;
    const server = await this.#serverOf(organizationId);
    if (this.#away.has(server)) throw unavailable(silenceOf(server));
  }

  /** Does as `work` does, which holds a connection. */
  async hold<Connection extends Held, Result>(
    organizationId: OrganizationId,
    connection: Connection,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    this.#held.set(connection, organizationId);
    try {
      return await work(connection);
    } finally {
      this.#held.delete(connection);
    }
  }

  /** Does as `work` does, and asks the server of the organization how it is when that takes long, or fails for want of a server. */
  async watch<Result>(organizationId: OrganizationId, work: () => Promise<Result>): Promise<Result> {
    await this.refuseIfAway(organizationId);
    const deadline = deadlines.begin(suspectAfterMs, () => void this.#suspect(organizationId));
    try {
      return await work();
    } catch (error) {
      if (error instanceof Failure && error.code === 'SERVICE_UNAVAILABLE')
        void this.#suspect(organizationId);
      throw error;
    } finally {
      deadlines.end(deadline);
    }
  }

  async #serverOf(organizationId: OrganizationId): Promise<string> {
    const known = this.#places.get(organizationId);
    if (known !== undefined) return known;
    const server = await this.#asked.serverOf(organizationId);
    if (this.#away.size > 0) this.#places.set(organizationId, server);
    return server;
  }

  /** Asks the server until it answers. */
  async #suspect(organizationId: OrganizationId): Promise<void> {
    const server = await this.#serverOf(organizationId).catch(() => undefined);
    // Without its coordinator nothing is known of a server.
    if (server === undefined || this.#watched.has(server)) return;
    this.#watched.add(server);
    while (!this.#isClosed && !(await this.#asked.answers(organizationId))) {
      if (!this.#away.has(server)) this.#change(() => this.#away.add(server));
      await this.#endWork(server);
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    this.#watched.delete(server);
    if (this.#away.has(server)) this.#change(() => this.#away.delete(server));
    if (this.#away.size === 0) this.#places.clear();
  }

  async #endWork(server: string): Promise<void> {
    for (const [connection, organizationId] of [...this.#held]) {
      const its = await this.#serverOf(organizationId).catch(() => undefined);
      // It may have gone on to other work meanwhile.
      if (its === server && this.#held.get(connection) === organizationId) connection.cut(silenceOf(server));
    }
  }

  #change(change: () => void): void {
    change();
    for (const told of this.#onChange) told();
  }
}

const silenceOf = (server: string) =>
  new DatabaseUnresponsive(`The database server ${server} does not answer.`);

import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { networkWith } from '../../platform/http/guarded-fetch.ts';
import { KeptConnections } from '../../platform/http/kept-connections.ts';
import type { TokenStore } from '../../platform/http/shared-rate-limits.ts';
import { CallSlots } from './call-slots.ts';
import { CallTurns } from './call-turns.ts';
import { openKey } from './connection-keys.ts';
import type { ConnectionRow } from './connection-queries.ts';
import { type StateAccess, StateClient } from './state-client.ts';

interface ClientOptions {
  readonly context: Context;
  readonly access: StateAccess;
  /** The limits of the state, held by all processes together; null: none are held. */
  readonly tokens: TokenStore | null;
  readonly answerMsMax?: number;
  readonly standIn?: StandIn | undefined;
}

/** A server of this process that plays the state for shops which report to no real one. */
export interface StandIn {
  /** Absent: none runs here. */
  readonly url?: string | undefined;
  /** How it is reached, made to hold what the state would; text: why it is not. Null: this shop reports to the state. */
  accessOf(organization: OrganizationId, connection: ConnectionRow): Promise<StateAccess | string | null>;
}

/** Makes clients for connections, over connections to the state that a process keeps. */
export class StateClients {
  readonly #options: ClientOptions;
  readonly #connections: KeptConnections;
  readonly #slots = new CallSlots();
  readonly #turns: CallTurns;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#turns = new CallTurns({ tokens: options.tokens, wait: (ms) => delay(ms) });
    // The states' own hosts are public; stand-ins are where the operator says, and in this process.
    const urls = [options.access.url, options.standIn?.url].filter((url) => url !== undefined);
    this.#connections = new KeptConnections(networkWith(urls.map(hostOf)));
  }

  get access(): StateAccess {
    return this.#options.access;
  }

  /** Calls for a connection, or why there are none. */
  async clientOf(organization: OrganizationId, connection: ConnectionRow): Promise<StateClient | string> {
    const { context, answerMsMax, standIn } = this.#options;
    const played = await standIn?.accessOf(organization, connection);
    if (typeof played === 'string') return played;
    const access = played ?? this.#options.access;
    if (access.vendorKey === undefined) return 'The operator of the service has not set METRC_VENDOR_KEY.';
    const userKey = openKey(await context.sealing.load(), organization, connection);
    if (userKey === null) return 'The key of the user cannot be read any more: enter it again.';
    const { state, is_sandbox: isSandbox, license_number: licenseNumber } = connection;
    return new StateClient(
      {
        ...{ access, connections: this.#connections, slots: this.#slots, turns: this.#turns },
        clock: context.clock,
        ...(answerMsMax !== undefined && { answerMsMax }),
      },
      { state, isSandbox, licenseNumber, userKey },
    );
  }

  /** Ends calls that are under way. */
  close(): void {
    this.#connections.close();
  }
}

/** As URLs have it, without the brackets of IPv6. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname.replace(/^\[|\]$/g, '')}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

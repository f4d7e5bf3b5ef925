import type { OrganizationId } from '../../kernel/ids.ts';
import { isKeyPermission, type KeyPermission } from '../../kernel/permission-catalog.ts';
import { readTypes } from '../changes/changes.ts';
import type { ServedEndpointRow } from './sending-queries.ts';
import { openSecrets } from './webhook-secrets.ts';
import type { WebhookWorkerOptions } from './webhook-worker-options.ts';

/** An endpoint that is sent to, as it was when the worker last looked. */
export interface ServedEndpoint {
  readonly id: number;
  readonly url: string;
  /** Undefined: all events. */
  readonly types: ReadonlySet<string> | undefined;
  /** The permissions of its key, and whose it is. */
  readonly permissions: ReadonlySet<KeyPermission>;
  readonly integratorId: number;
  /** The present one first. */
  readonly secrets: readonly Uint8Array[];
  /** The position of the last event that has its delivery. */
  readonly position: number;
  /** Whether deliveries wait for an attempt, now or later. */
  readonly hasWaiting: boolean;
}

/** Reads rows of endpoints, and decrypts their secrets, each once: that reads a file. */
export class EndpointReader {
  readonly #options: WebhookWorkerOptions;
  readonly #organization: OrganizationId;
  readonly #opened = new Map<number, { readonly sealed: string; readonly secrets: readonly Uint8Array[] }>();

  constructor(options: WebhookWorkerOptions, organization: OrganizationId) {
    this.#options = options;
    this.#organization = organization;
  }

  async read(row: ServedEndpointRow): Promise<ServedEndpoint> {
    const { types, permissions } = row;
    return {
      id: row.id,
      url: row.url,
      types: types.length === 0 ? undefined : typesOf(types.join(','), this.#options.eventTypes),
      permissions: new Set(permissions.filter(isKeyPermission)),
      integratorId: row.integrator_id,
      secrets: await this.#secretsOf(row),
      position: row.position,
      hasWaiting: row.has_waiting,
    };
  }

  /** Both while it rotates. */
  async #secretsOf(row: ServedEndpointRow): Promise<readonly Uint8Array[]> {
    const { context, keys } = this.#options;
    const sealed = [{ masterKeyId: row.secret_master_key_id, wrapped: row.secret }];
    const { former_secret: former, former_secret_master_key_id: formerKeyId } = row;
    if (former !== null && (row.former_secret_ends_at ?? 0) > context.clock.now()) {
      sealed.push({ masterKeyId: formerKeyId!, wrapped: former });
    }
    const text = sealed.map(({ wrapped }) => Buffer.from(wrapped).toString('base64')).join();
    const opened = this.#opened.get(row.id);
    if (opened?.sealed === text) return opened.secrets;
    const secrets = await openSecrets(keys, context.randomBytes, this.#organization, row.id, sealed);
    this.#opened.set(row.id, { sealed: text, secrets });
    return secrets;
  }
}

/** Types that an endpoint names and that are no events name nothing. */
function typesOf(text: string, known: readonly string[]): ReadonlySet<string> {
  const read = readTypes(text, known);
  return 'types' in read ? read.types : new Set();
}

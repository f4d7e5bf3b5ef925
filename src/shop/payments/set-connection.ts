import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, type Origin, refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { selectRegister } from '../registers/registers.ts';
import { businessDays } from './close-batch.ts';
import {
  type ConnectionRow,
  insertConnections,
  lockConnection,
  selectConnections,
  selectOpenPaymentType,
  setSealedSecrets,
  updateConnection,
} from './payment-connection-queries.ts';
import { type PaymentDesk, secretsLabel } from './payment-desk.ts';
import { providerKindOf } from './provider-kinds.ts';

type Texts = Readonly<Record<string, string>>;

export interface NewConnection {
  readonly name: string;
  readonly provider: string;
  readonly paymentTypeId: number;
  readonly registerId: number | null;
  readonly baseUrl: string;
  readonly account: Texts;
  readonly secrets: Texts;
  readonly payWithinMinutes: number | null;
}

/** One account for a payment type at a register, or without one. */
const onePlace = 'payment_connections_one_place';

/**
 * Connects a payment type to an account at a provider. The keys are sealed at once. Fails with PAYMENT_TYPE_NOT_FOUND,
 * REGISTER_NOT_FOUND, PAYMENT_CONNECTION_EXISTS and INVALID_PARAMS. Resolves to its id.
 */
export async function createConnection(
  { context }: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  given: NewConnection,
): Promise<number> {
  const kind = providerKindOf(given.provider);
  if (kind === undefined) throw failure('INVALID_PARAMS', 'provider must be a known one');
  const account = named('account', given.account, kind.accountFields);
  const secrets = named('secrets', given.secrets, kind.secretFields);
  if ((given.registerId !== null) !== kind.inPerson) {
    throw failure(
      'INVALID_PARAMS',
      kind.inPerson
        ? 'registerId must be the register where the terminal stands'
        : 'registerId must be left out: this provider has no terminal',
    );
  }
  const baseUrl = webAddress(given.baseUrl);
  const { nextMs } = await businessDays(context, organization);
  const sealer = await context.sealing.load();
  const [id] = await context.ids.take(1);
  const sealed = sealer.seal(JSON.stringify(secrets), secretsLabel(organization, id!));
  return context.database.write(
    organization,
    async (tx) => {
      const { registerId, paymentTypeId, name, provider, payWithinMinutes } = given;
      const [[type], [register], all] = await tx.run(
        selectOpenPaymentType({ id: paymentTypeId }),
        registerId === null ? null : selectRegister({ id: registerId }),
        selectConnections({}),
      );
      if (type === undefined) throw failure('PAYMENT_TYPE_NOT_FOUND', 'There is no such payment type.');
      if (registerId !== null && (register === undefined || register.archivedAt !== null)) {
        throw failure('REGISTER_NOT_FOUND', 'There is no such register.');
      }
      if (all.some((it) => isSamePlace(it, given))) throw exists();
      const nowMs = context.clock.now();
      const at = isoTimestamp(nowMs);
      tx.queue(
        ...insertConnections([
          {
            ...{ id: id!, name, provider, paymentTypeId, registerId, baseUrl, payWithinMinutes },
            ...{ account: JSON.stringify(account), secrets: sealed.sealed },
            ...{ secretsMasterKeyId: sealed.masterKeyId, createdAt: at, updatedAt: at },
            settleAfter: kind.inPerson ? isoTimestamp(nextMs) : null,
          },
        ]),
      );
      const facts = { paymentConnectionId: id!, provider, paymentTypeId, registerId };
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'payment_connection.created', subjectType: 'payment_connection', subjectId: id! },
        ...{ payload: { paymentConnectionId: id! }, details: { ...facts, baseUrl } },
      });
      return id!;
    },
    { retryOnConstraints: [onePlace] },
  );
}

/**
 * Changes an account. Keys that are not sent stay, at the same address only: else they would be sent to another host. Archived, it
 * takes no new payments; those under way are still asked after. Fails with PAYMENT_CONNECTION_NOT_FOUND.
 */
export async function changeConnection(
  desk: PaymentDesk,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  change: Partial<Pick<NewConnection, 'name' | 'baseUrl' | 'account' | 'secrets' | 'payWithinMinutes'>> & {
    readonly archived?: boolean;
  },
): Promise<void> {
  const { context } = desk;
  const sealer = await context.sealing.load();
  await context.database.write(
    organization,
    async (tx) => {
      const [[before], all] = await tx.run(lockConnection({ id }), selectConnections({}));
      if (before === undefined) throw notFound();
      refuseStaleEdit(origin, before.updatedAt);
      const { archived = before.archivedAt !== null } = change;
      const kind = providerKindOf(before.provider)!;
      const baseUrl = change.baseUrl === undefined ? before.baseUrl : webAddress(change.baseUrl);
      if (baseUrl !== before.baseUrl && change.secrets === undefined) {
        throw failure('INVALID_PARAMS', 'secrets must be sent with another baseUrl');
      }
      const account =
        change.account === undefined ? before.account : named('account', change.account, kind.accountFields);
      const sealed =
        change.secrets === undefined
          ? { sealed: before.secrets, masterKeyId: before.secretsMasterKeyId }
          : sealer.seal(
              JSON.stringify(named('secrets', change.secrets, kind.secretFields)),
              secretsLabel(organization, id),
            );
      const nowMs = context.clock.now();
      const at = isoTimestamp(nowMs);
      if (!archived && all.some((it) => it.id !== id && isSamePlace(it, before))) throw exists();
      tx.queue(
        updateConnection({
          ...{ id, baseUrl, at, account: JSON.stringify(account), name: change.name ?? before.name },
          ...{ secrets: sealed.sealed, secretsMasterKeyId: sealed.masterKeyId },
          payWithinMinutes:
            change.payWithinMinutes === undefined ? before.payWithinMinutes : change.payWithinMinutes,
          archivedAt: archived ? isoTimestamp(before.archivedAt ?? nowMs) : null,
        }),
      );
      await announce(tx, context, origin, nowMs, {
        ...{ event: 'payment_connection.changed', subjectType: 'payment_connection', subjectId: id },
        payload: { paymentConnectionId: id },
        details: { fields: Object.keys(change), areSecretsNew: change.secrets !== undefined },
      });
    },
    { retryOnConstraints: [onePlace] },
  );
}

/** Seals the keys of all accounts with the present master key, so that a former one can be removed. */
export async function resealPaymentSecrets(context: Context, organization: OrganizationId): Promise<void> {
  const sealer = await context.sealing.load();
  await context.database.write(
    organization,
    async (tx) => {
      const [rows] = await tx.run(selectConnections({}));
      for (const { id, secrets, secretsMasterKeyId } of rows) {
        if (secretsMasterKeyId === sealer.masterKeyId) continue;
        const label = secretsLabel(organization, id);
        const text = sealer.open({ masterKeyId: secretsMasterKeyId, sealed: secrets }, label);
        if (text === null) continue;
        const { sealed, masterKeyId } = sealer.seal(text, label);
        tx.queue(setSealedSecrets({ id, secrets: sealed, masterKeyId }));
      }
    },
    { countsAsChange: false },
  );
}

function isSamePlace(
  one: Pick<ConnectionRow, 'archivedAt' | 'paymentTypeId' | 'registerId'>,
  { paymentTypeId, registerId }: Pick<ConnectionRow, 'paymentTypeId' | 'registerId'>,
): boolean {
  return one.archivedAt === null && one.paymentTypeId === paymentTypeId && one.registerId === registerId;
}

function exists() {
  return failure('PAYMENT_CONNECTION_EXISTS', 'The payment type is connected there already.');
}

function notFound() {
  return failure('PAYMENT_CONNECTION_NOT_FOUND', 'There is no such connection.');
}

/** Only the fields of the provider; each is required. */
function named(field: string, given: Texts, names: readonly string[]): Texts {
  const wrong = Object.keys(given).find((name) => !names.includes(name));
  const missing = names.find((name) => given[name] === undefined);
  if (wrong === undefined && missing === undefined) return given;
  throw failure('INVALID_PARAMS', `${field} must have exactly the fields ${names.join(', ')}`);
}

/** Without a slash at its end. Which hosts may be asked is decided when they are. */
function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:'))
    return text.endsWith('/') ? text.slice(0, -1) : text;
  throw failure(
    'INVALID_PARAMS',
    'baseUrl must be an http or https address without user, query and fragment',
  );
}

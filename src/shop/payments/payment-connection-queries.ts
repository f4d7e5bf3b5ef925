import { insertMany, statement } from '../../platform/statements/statement.ts';

/** All SQL on accounts at providers. */

export interface ConnectionRow {
  id: number;
  name: string;
  provider: string;
  paymentTypeId: number;
  registerId: number | null;
  baseUrl: string;
  account: Record<string, string>;
  secrets: Uint8Array;
  secretsMasterKeyId: string;
  payWithinMinutes: number | null;
  batch: string | null;
  batchReference: string | null;
  /** The last day of which the provider has said what it paid out. */
  settledDay: string | null;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}

const columns = `id, name, provider, payment_type_id as "paymentTypeId", register_id as "registerId", base_url as "baseUrl", account,
          secrets, secrets_master_key_id as "secretsMasterKeyId", pay_within_minutes as "payWithinMinutes", batch,
          batch_reference as "batchReference", settled_day::text as "settledDay", created_at as "createdAt", updated_at as "updatedAt", archived_at as "archivedAt"`;

export const selectConnections = statement<Record<never, never>, ConnectionRow>(
  'select_payment_connections',
  `select ${columns} from payment_connections where organization_id = :organizationId order by id`,
);

export const selectConnection = statement<{ id: number }, ConnectionRow>(
  'select_payment_connection',
  `select ${columns} from payment_connections where organization_id = :organizationId and id = :id`,
);

export const lockConnection = statement<{ id: number }, ConnectionRow>(
  'lock_payment_connection',
  `select ${columns} from payment_connections where organization_id = :organizationId and id = :id for update`,
);

/** The account by which a payment type is paid at a register, or else without one. */
export const selectConnectionFor = statement<
  { paymentTypeId: number; registerId: number | null },
  ConnectionRow
>(
  'select_payment_connection_for',
  `select ${columns} from payment_connections
    where organization_id = :organizationId and payment_type_id = :paymentTypeId and archived_at is null
      and (register_id is null or register_id = :registerId)
    order by register_id nulls last limit 1`,
);

/** Payment types that are paid by providers only. */
export const selectConnectedTypes = statement<Record<never, never>, { paymentTypeId: number }>(
  'select_connected_payment_types',
  `select distinct payment_type_id as "paymentTypeId" from payment_connections
    where organization_id = :organizationId and archived_at is null`,
);

export const insertConnections = insertMany<{
  id: number;
  name: string;
  provider: string;
  paymentTypeId: number;
  registerId: number | null;
  baseUrl: string;
  account: string;
  secrets: Uint8Array;
  secretsMasterKeyId: string;
  payWithinMinutes: number | null;
  /** When the batch of a terminal is closed first. */
  settleAfter: string | null;
  createdAt: string;
  updatedAt: string;
}>('payment_connections', {
  id: 'id',
  name: 'name',
  provider: 'provider',
  paymentTypeId: 'payment_type_id',
  registerId: 'register_id',
  baseUrl: 'base_url',
  account: 'account',
  secrets: 'secrets',
  secretsMasterKeyId: 'secrets_master_key_id',
  payWithinMinutes: 'pay_within_minutes',
  settleAfter: 'settle_after',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const updateConnection = statement<
  {
    id: number;
    name: string;
    baseUrl: string;
    account: string;
    secrets: Uint8Array;
    secretsMasterKeyId: string;
    payWithinMinutes: number | null;
    archivedAt: string | null;
    at: string;
  },
  never
>(
  'update_payment_connection',
  `update payment_connections
      set name = :name, base_url = :baseUrl, account = :account, secrets = :secrets, secrets_master_key_id = :secretsMasterKeyId,
          pay_within_minutes = :payWithinMinutes, archived_at = :archivedAt, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

export const setSealedSecrets = statement<{ id: number; secrets: Uint8Array; masterKeyId: string }, never>(
  'set_sealed_payment_secrets',
  `update payment_connections set secrets = :secrets, secrets_master_key_id = :masterKeyId
    where organization_id = :organizationId and id = :id`,
);

/** What the last answer said of the batch. */
export const noteBatch = statement<{ id: number; batch: string; reference: string }, never>(
  'note_payment_batch',
  `update payment_connections set batch = :batch, batch_reference = :reference
    where organization_id = :organizationId and id = :id`,
);

/** The name by which a payment type is known; archived ones cannot be paid by. */
export const selectOpenPaymentType = statement<{ id: number }, { id: number }>(
  'select_payment_type_to_connect',
  `select id from payment_types where organization_id = :organizationId and id = :id and archived_at is null`,
);

/** What the provider may keep of a payment by the type of an account. */
export const selectAgreedFee = statement<{ connectionId: number }, { cents: number; percent: string }>(
  'select_agreed_payment_fee',
  `select t.agreed_fee_cents as cents, t.agreed_fee_percent as percent
     from payment_connections c
     join payment_types t on t.organization_id = c.organization_id and t.id = c.payment_type_id
    where c.organization_id = :organizationId and c.id = :connectionId`,
);

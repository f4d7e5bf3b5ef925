import { type KeptMs, keptMsOf, type RetainedKindName } from './retention-backlog.ts';

/*
 * The record of processing, as far as a program knows it: which columns hold personal data, whose, for how long, and what an erasure
 * does to them. docs/DATA-PROTECTION.md shows it, and tests hold it against the schema and against what is pruned.
 */

/** A kind of personal data: columns that are kept for the same time, for the same reason. */
interface PersonalDataKind {
  readonly name: string;
  readonly whose: 'customers' | 'staff' | 'callers' | 'suppliers';
  /** The columns of each table, separated by spaces. */
  readonly columns: Readonly<Record<string, string>>;
  /** The kinds of retention that end it. */
  readonly ends: readonly RetainedKindName[];
  /** What ends it otherwise, or why it has no end. */
  readonly kept: string;
  /** What the erasure of the person does; for people who are no customers, what their owner does. */
  readonly erasure: string;
}

export const personalData: readonly PersonalDataKind[] = [
  {
    name: 'profile',
    whose: 'customers',
    columns: {
      customers:
        'hash_id first_name last_name email email_normalized phone phone_normalized phone_person_key birthday sex zip license_expiry ' +
        'medical_expiration residence notes patient_state patient_number_sealed patient_number_last_four patient_number_digest first_name_key last_name_key first_name_folded last_name_folded marketing_opt_in_source',
    },
    ends: ['inactive_customers'],
    kept: '',
    erasure: 'blank at once; the number of the customer stays',
  },
  {
    name: 'scanned licenses',
    whose: 'customers',
    columns: { customer_licenses: 'digest' },
    ends: ['scanned_licenses', 'inactive_customers'],
    kept: 'keyed digests, no numbers',
    erasure: 'deleted at once',
  },
  {
    name: 'caregivers and patients',
    whose: 'customers',
    columns: { customer_caregivers: 'expires_on' },
    ends: ['inactive_customers'],
    kept: 'as long as both are on file',
    erasure: 'deleted at once',
  },
  {
    name: 'numbers at a former till',
    whose: 'customers',
    columns: { former_customers: 'former_id' },
    ends: ['inactive_customers'],
    kept: 'so that old sales find their customer',
    erasure: 'deleted at once; old sales stay, without the customer',
  },
  {
    name: 'documents',
    whose: 'customers',
    columns: { customer_documents: 'file_name expires_on review_reason' },
    ends: ['documents', 'inactive_customers'],
    kept: '',
    erasure: 'hidden at once; rows and files deleted within the hour',
  },
  {
    name: 'sign-in',
    whose: 'customers',
    columns: { customer_codes: 'contact code_digest', customer_sessions: 'contact digest' },
    ends: ['customer_codes', 'customer_sessions'],
    kept: '',
    erasure: 'deleted at once for the contacts on file; those of a former contact end by themselves',
  },
  {
    name: 'orders: who and where',
    whose: 'customers',
    columns: {
      orders:
        'customer_name customer_name_key street1 street2 city address_state postal_code delivery_notes internal_notes ' +
        'cancelation_reason',
      order_dispatch_tasks: 'driver_name tracking_url',
    },
    ends: ['inactive_customers'],
    kept: 'with the order, which tax and cannabis law ask for',
    erasure:
      'blank at once; state and ZIP code stay, because taxes depend on them, and the name of the driver, who is not the customer',
  },
  {
    name: 'orders: words about amounts',
    whose: 'customers',
    columns: {
      orders: 'asked',
      order_adjustments: 'description',
      order_credits: 'description',
      order_explanations: 'steps shown_rows',
      order_returns: 'adjustment_description voided_reason document',
      order_return_lines: 'reason',
      offline_sales: 'note details',
    },
    ends: ['explanations', 'inactive_customers'],
    kept: 'with the order; the steps of its arithmetic go before',
    erasure: 'the words are replaced at once, the amounts stay',
  },
  {
    name: 'points and credits',
    whose: 'customers',
    columns: { customer_credits: 'description', loyalty_events: 'reason' },
    ends: ['inactive_customers'],
    kept: 'with the account',
    erasure: 'the words are replaced at once, the amounts stay',
  },
  {
    name: 'visits',
    whose: 'customers',
    columns: { queue_entries: 'left_reason' },
    ends: ['queue_visits'],
    kept: '',
    erasure: 'deleted at once',
  },
  {
    name: 'parked carts',
    whose: 'customers',
    columns: { parked_carts: 'name content' },
    ends: ['parked_carts'],
    kept: 'a day after they were parked',
    erasure: 'end by themselves: they name no customer on file',
  },
  {
    name: 'deliveries at the door',
    whose: 'customers',
    columns: { trip_stops: 'reason signature', trip_unsent_acts: 'act note refusal' },
    ends: ['inactive_customers'],
    kept: 'with the order; what a driver sent and the service did not take goes once it is settled',
    erasure: 'blank at once',
  },
  {
    name: 'payments at providers',
    whose: 'customers',
    columns: { payment_intents: 'facts link', payment_tasks: 'note' },
    ends: ['inactive_customers'],
    kept: 'with the order: what the provider said, such as the name of the payer and four digits of the card; no card numbers',
    erasure: 'blank at once, the amounts stay',
  },
  {
    name: 'mail',
    whose: 'customers',
    columns: { mails: 'recipient subject sealed cause failure' },
    ends: ['mails'],
    kept: 'the text goes once a mail server has it; staff get mail too',
    erasure: 'deleted at once: to the address on file, and about the orders',
  },
  {
    name: 'webhooks',
    whose: 'customers',
    columns: { webhook_deliveries: 'body sealed_body answer last_error' },
    ends: ['webhook_deliveries'],
    kept: 'bodies are made when they are sent; a code by phone is kept encrypted until it ends',
    erasure: 'answers are deleted at once; receivers hear of it by `customer.erased`',
  },
  {
    name: 'kept replies',
    whose: 'customers',
    columns: { idempotency_keys: 'sealed_reply request_digest' },
    ends: ['idempotency_keys'],
    kept: 'encrypted with the key of the caller, which is not stored',
    erasure: 'deleted at once where the reply shows the customer',
  },
  {
    name: 'requests of integrators',
    whose: 'callers',
    columns: { api_request_batches: 'paths messages' },
    ends: ['api_requests'],
    kept: 'ids in paths, messages without values, no bodies and no queries',
    erasure: 'nothing to erase: the ids stand for a blank profile',
  },
  {
    name: 'network addresses of keys',
    whose: 'callers',
    columns: { client_keys: 'last_addresses' },
    ends: ['key_addresses'],
    kept: 'the last few while the key is valid',
    erasure: 'the owner revokes the key',
  },
  {
    name: 'limits of requests',
    whose: 'callers',
    columns: { rate_limits: 'name' },
    ends: [],
    kept: 'digests, until the bucket is full again: minutes to hours',
    erasure: 'end by themselves',
  },
  {
    name: 'members of staff',
    whose: 'staff',
    columns: {
      staff_members: 'email email_normalized first_name last_name password_hash pin_hash',
      staff_email_digests: 'digest',
    },
    ends: [],
    kept: 'as long as orders and the audit log name who did what',
    erasure: 'the owner disables the member, and changes name and email',
  },
  {
    name: 'drivers',
    whose: 'staff',
    columns: {
      drivers: 'employee_number phone license_sealed license_last_four',
      trips: 'note',
    },
    ends: [],
    kept: 'until the owner removes them',
    erasure: 'the owner changes them',
  },
  {
    name: 'where drivers are',
    whose: 'staff',
    // Numbers: latitude and longitude of trips.
    columns: {},
    ends: ['driver_positions'],
    kept: 'the last position alone, of a driver who shares it, until the trip is back, and no longer than the business day',
    erasure: 'the driver ends the sharing',
  },
  {
    name: 'factors of staff',
    whose: 'staff',
    columns: {
      staff_identities: 'issuer subject',
      staff_passkeys: 'credential_id public_key transports name',
      staff_recovery_codes: 'digest',
      staff_totp_secrets: 'secret',
    },
    ends: [],
    kept: 'until the member or the owner removes them',
    erasure: 'the owner removes them',
  },
  {
    name: 'sign-ins of staff',
    whose: 'staff',
    columns: {
      staff_sessions: 'client_address user_agent',
      staff_session_digests: 'digest',
      staff_devices: 'digest',
      staff_invitations: 'digest',
      staff_half_sign_ins: 'digest',
      staff_identity_sign_ins: 'digest',
      staff_passkey_challenges: 'digest',
    },
    ends: [
      'staff_sessions',
      'staff_devices',
      'staff_links',
      'staff_half_sign_ins',
      'staff_identity_sign_ins',
      'staff_passkey_challenges',
    ],
    kept: '',
    erasure: 'the member or the owner ends sessions',
  },
  {
    name: 'signatures of a move from another till',
    whose: 'staff',
    columns: { moves: 'signatures' },
    ends: [],
    kept: 'as long as the shop: who answered for which check',
    erasure: 'has no customers',
  },
  {
    name: 'audit log',
    whose: 'staff',
    columns: { audit_entries: 'details' },
    ends: [],
    kept: 'for ever, in a chain that shows any change: who did what, addresses of failed sign-ins, reasons of prices by hand, exemptions and cash',
    erasure: 'has no names, contacts or addresses of customers; nothing is erased',
  },
  {
    name: 'drawers',
    whose: 'staff',
    columns: { drawer_movements: 'reason', drawer_sessions: 'note' },
    ends: [],
    kept: 'for ever, with the money that it explains',
    erasure: 'nothing is erased: name no customer in it',
  },
  {
    name: 'files of a move from another till',
    whose: 'customers',
    columns: { move_files: 'content problems' },
    ends: ['move_files'],
    kept: 'the file until the move is over; the sandbox into which files are loaded is deleted after 14 days',
    erasure: 'end by themselves',
  },
  {
    name: 'files of menus',
    whose: 'suppliers',
    columns: {
      menu_import_files: 'content',
      menu_import_problems: 'message',
      menu_import_products: 'before after',
    },
    ends: ['import_files', 'import_changes'],
    kept: 'meant for products only; messages stay with the import',
    erasure: 'end by themselves',
  },
  {
    name: 'vendors',
    whose: 'suppliers',
    columns: { inventory_vendors: 'name name_key email phone notes street1 street2 city state postal_code' },
    ends: [],
    kept: 'with the purchases from them',
    erasure: 'staff change the vendor',
  },
];

/** Kinds of retention whose rows hold no personal data: their events name ids. */
export const kindsWithoutPeople: readonly RetainedKindName[] = ['events'];

const hourMs = 3_600_000;

function termOf(kind: RetainedKindName): string {
  const keptMs: KeptMs = keptMsOf[kind];
  if (keptMs === 'law') return `as long as the law of the state lets a shop (\`${kind}\`)`;
  if (keptMs === 'owner') return `as long as the owner says (\`${kind}\`)`;
  if (keptMs === 0) return `until its end (\`${kind}\`)`;
  const hours = keptMs / hourMs;
  return `${hours <= 48 ? `${hours} hours` : `${hours / 24} days`} (\`${kind}\`)`;
}

/** The table of docs/DATA-PROTECTION.md. */
export function recordTable(): string {
  const rows = personalData.map(({ name, whose, columns, ends, kept, erasure }) => {
    const where = Object.entries(columns)
      .map(([table, names]) => `\`${table}\`: ${names.replaceAll(' ', ', ')}`)
      .join('; ');
    const until = [...ends.map(termOf), ...(kept === '' ? [] : [kept])].join('; ');
    return `| ${name} | ${whose} | ${where} | ${until} | ${erasure} |`;
  });
  return ['| Kind | Of | Where | Kept | Erasure |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

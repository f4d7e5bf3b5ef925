import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Id, List, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import { type MailRow, selectMails } from '../../platform/mail/mail-queries.ts';
import { shownMailText } from '../../platform/mail/sealed-mail.ts';

const shownMax = 100;

const Mail = Named(
  'Mail',
  Type.Object({
    id: Id(),
    kind: Text({ max: 40, description: 'What it is for, such as `customer-code` or `invitation`' }),
    recipient: Text({ max: 254, description: 'The email address' }),
    subject: Text({ max: 300, description: 'The subject' }),
    text: Nullable(
      Text({
        max: 20_000,
        description:
          'Null where a mail server is set (`SMTP_URL`): the recipient has it. Links and codes are those of mail to you; ' +
          'in mail to others a note stands in their place',
      }),
    ),
    state: OneOf(['kept', 'waiting', 'sent', 'failed'], {
      description: '`kept`: there is no mail server; `failed`: the mail server refused it',
    }),
    failure: Nullable(Text({ max: 300, description: 'Why it failed' })),
    createdAt: Timestamp({ description: 'When it was written' }),
    sentAt: Nullable(Timestamp({ description: 'When the mail server took it' })),
  }),
);

interface Mailbox {
  /** A mail server is set, so texts are for recipients only. */
  readonly hasServer: boolean;
  /** The demo's organizations: no person has the addresses of their customers. */
  readonly demoOrganizations: readonly number[];
}

/**
 * The mail of the organization, for its owners. Links and codes are shown to the owner they were sent to; a demo shop and a sandbox,
 * whose customers do not exist, show their customers' codes, so that signing in can be tried.
 */
export function mailboxStaffRoutes(
  context: Context,
  { hasServer, demoOrganizations }: Mailbox,
): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listMails',
      method: 'GET',
      path: '/staff/v1/mails',
      roles: ['owner'],
      kind: 'read',
      readsFrom: { primary: 'codes and links that a customer waits for' },
      list: { staysSmall: 'the last hundred, by the primary key' },
      exported: { not: 'a log with a retention of 30 days' },
      emptyInDemo: 'customers ask for codes',
      summary: 'List mail',
      description:
        `The last ${shownMax} mails of the organization, newest first. Without a mail server (\`SMTP_URL\`) they are sent to no ` +
        "one and can be read here. A link or a code in mail to another person is not shown: it would open that person's account. " +
        'Demo shops and sandboxes, whose customers do not exist, show the codes that they send to customers.',
      tag: 'Staff',
      sorts: {
        createdAt: 'descending',
        recipient: 'ascending',
        subject: 'ascending',
        state: 'ascending',
        sentAt: 'descending',
      },
      success: {
        status: 200,
        data: List(Mail, { max: shownMax }),
        description: 'The mail',
        example: [
          {
            id: 9001,
            kind: 'customer-code',
            recipient: 'ada@customers.example.com',
            subject: 'Your code for Harborlight Provisions',
            text: 'Type this code to sign in.\n\n(The code is for the recipient only.)\n\nIt is valid for 10 minutes.\n',
            state: 'kept',
            failure: null,
            createdAt: '2026-03-01T17:05:09.123Z',
            sentAt: null,
          },
        ],
      },
      failures: [],
      handle: async ({ staff }) => {
        const { organizationId: organization, email } = staff;
        const [rows] = await context.database.read(organization, selectMails({ limit: shownMax }));
        const sealer = await context.sealing.load();
        const isTried = staff.sandbox != null || demoOrganizations.includes(organization);
        return reply(
          rows.map((row) => {
            const isOwn = row.recipient.trim().toLowerCase() === email.trim().toLowerCase();
            const sight = { links: isOwn, codes: isOwn || isTried };
            const text = hasServer ? null : shownMailText(sealer, organization, row, sight);
            return shown(row, hasServer, text);
          }),
        );
      },
    }),
  ];
}

function shown(row: MailRow, hasServer: boolean, text: string | null) {
  const isWaiting = row.sent_at === null && row.failure === null;
  return {
    id: row.id,
    kind: row.kind,
    recipient: row.recipient,
    subject: row.subject,
    text,
    state: isWaiting ? (hasServer ? 'waiting' : 'kept') : row.failure === null ? 'sent' : 'failed',
    failure: row.failure,
    createdAt: isoTimestamp(row.created_at),
    sentAt: row.sent_at === null ? null : isoTimestamp(row.sent_at),
  } as const;
}

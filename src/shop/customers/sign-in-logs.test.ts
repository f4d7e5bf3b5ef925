import { afterAll, expect, test, vi } from 'vitest';
import type { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { maskedFields } from '../../app/fields-of-people.ts';
import { createLogger } from '../../platform/http/logging.ts';
import { mailSending } from '../../platform/mail/mail.ts';
import { startMailServer } from '../../platform/mail/mail-server.test-support.ts';
import { Receiver, testWorker } from '../webhooks/webhooks.test-support.ts';

/* What proves a customer's email or phone stays out of the log (D59), down to traces and whatever goes wrong. */

const lines: string[] = [];
const service = await startOwnTestService({ onLogged: (line) => void lines.push(line) });
const { context } = service;
const logger = createLogger({
  level: 'trace',
  maskedFields,
  destination: { write: (line) => void lines.push(line) },
});
afterAll(() => service.close());

const origin = 'https://shop.example';
const person = {
  email: 'zelda.quillfeather@customers.example.com',
  phone: '+14155550187',
  firstName: 'Zelda',
  lastName: 'Quillfeather',
};
const code = '804 917'.replace(' ', '');

test('no line of the log has the code, the token, or the email, phone and name of who signs in', async () => {
  const shop = await createTestShop(context);
  const settings = { permissions: ['create-orders', 'menu'], origins: [origin] } as const;
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, settings);
  const owner = await service.staff(shop);
  const receiver = await Receiver.answering(503);
  receiver.answer = ({ text }, response) => void response.writeHead(503).end(`Not today: ${text}`);
  await owner.call('POST', '/staff/v1/webhook-endpoints', {
    ...{ clientKeyId: shop.clientKeyId, url: receiver.url, types: ['customer.code_requested'] },
  });
  const page = (path: string, body: unknown, headers = {}) =>
    service.call(body === undefined ? 'GET' : 'POST', `/api/v1/${path}`, {
      keys: { clientKey: keys.clientKey },
      headers: { origin, ...headers },
      ...(body !== undefined && { body }),
    });
  const customer = { ...person, birthday: '1988-04-12' };
  await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop, { customer }) });

  plant(code);
  expect((await page('customer-sessions', { email: person.email })).status).toBe(202);
  await sendMail(shop.organizationId);
  const wrong = await page('customer-sessions/verify', { email: person.email, code: '000000' });
  expect(wrong.status).toBe(422);
  const { data: session } = await page('customer-sessions/verify', { email: person.email, code });
  plant(code);
  expect((await page('customer-sessions', { phone: person.phone })).status).toBe(202);
  const worker = testWorker(service, { logger });
  await worker.pass(shop.organizationId);
  await worker.stop();
  expect(receiver.received[0]!.text).toContain(code);
  await receiver.close();

  // Sent where they do not belong.
  const withToken = { 'x-customer-token': session.token };
  await page('own-orders', undefined, withToken);
  await page(`own-orders/${session.token}`, undefined, withToken);
  await page(`own-orders?code=${code}&email=${person.email}&phone=${person.phone}`, undefined, withToken);
  await page('customer-sessions/verify', { email: { is: person.email }, code: [code], phone: person.phone });
  await page('customer-sessions/verify', `${person.email} ${code}`);
  await page(`${person.email}/${code}`, {});
  await page('customer-sessions/end', { token: session.token });
  await page('orders/pricing', { customer: { ...person, token: session.token }, lineItems: code });

  expect(lines.length).toBeGreaterThan(10);
  const log = lines.join('\n');
  const digits = person.phone.slice(2);
  for (const secret of [code, session.token, person.email, digits, person.firstName, person.lastName]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
  expect(log).not.toContain(Buffer.from(person.email).toString('base64'));
});

/** The next code is this one. */
function plant(planted: string): void {
  const draw = context.randomBytes.bind(context);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Number(planted));
  vi.spyOn(context, 'randomBytes').mockImplementationOnce((count) => (count === 4 ? bytes : draw(count)));
}

/** Sends the last mail to a server that refuses it and quotes it. */
async function sendMail(organization: Parameters<typeof tenantSql>[1]): Promise<void> {
  const mail = (await mailsOf(context, organization)).at(-1)!;
  expect(mail.text).toContain(code);
  const { transport, close } = await startMailServer({
    onRcptTo: ({ address }, _, callback) => callback(new Error(`no ${address}, ${mail.text}`)),
  });
  const payload = { mailId: mail.id };
  const job = { organization, payload, signal: new AbortController().signal };
  // As the runner of jobs logs it.
  await mailSending(context, transport)
    .run(job)
    .catch((error: unknown) => logger.error({ err: error }, 'a job failed'));
  await close();
}

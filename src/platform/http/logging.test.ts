import { expect, it } from 'vitest';
import { maskedFields } from '../../app/fields-of-people.ts';
import { createLogger } from './logging.ts';
import { ask, brokenError, createToyServer, goodKeys } from './toy-server.test-support.ts';

function captured() {
  const lines: string[] = [];
  return { lines, destination: { write: (line: string) => void lines.push(line) } };
}

const secrets = [
  'dck_live_4fQ9sTq0Zx81LmNoPqRsTuVwXyZ',
  'dcc_test_9aBcDeFgHiJkLmNoPqRsTuVwXyZ',
  'dcs_live_7aBcDeFgHiJkLmNoPqRsTuVwXyZ',
  'dci_live_2aBcDeFgHiJkLmNoPqRsTuVwXyZ',
  'jane.roe+shop@example.com',
  '+1 (510) 555-0100',
  '1987-06-05',
  'Wilhelmina',
];

it('a secret appears in no log line, wherever it is sent', async () => {
  const { lines, destination } = captured();
  const server = createToyServer({ destination, openApi: () => ({ openapi: '3.1.0' }) });
  for (const secret of secrets) {
    const inPath = encodeURIComponent(secret);
    const body = JSON.stringify({ [secret]: secret, type: secret, lineItems: secret });
    const json = { 'content-type': 'application/json' };
    brokenError.message = `duplicate key: "${secret}"`;
    await ask(server, { url: `/api/v1/toys/${inPath}?search=${inPath}&${inPath}=${inPath}` });
    await ask(server, { url: `/${inPath}` });
    await ask(server, { url: `/docs/${inPath}` });
    await ask(server, {
      url: '/api/v1/toys/7',
      headers: { 'x-client-key': secret, authorization: secret, 'x-name': secret },
    });
    await ask(server, { method: 'POST', url: '/api/v1/toys', payload: body, headers: json });
    await ask(server, { method: 'POST', url: '/api/v1/toys', payload: `{${body}`, headers: json });
    await ask(server, { method: 'POST', url: '/api/v1/toys/broken', payload: body, headers: json });
  }
  await server.close();
  expect(lines.length).toBeGreaterThan(secrets.length * 7);
  expect(lines.filter((line) => line.includes('request failed'))).toHaveLength(secrets.length);
  const log = lines.join('');
  for (const secret of [...secrets, ...Object.values(goodKeys), 'someone@example.com'])
    expect(log).not.toContain(secret);
});

it('the line of a request has route, outcome and caller, and nothing else', async () => {
  const { lines, destination } = captured();
  const server = createToyServer({ destination });
  await ask(server, { url: '/api/v1/toys/7?search=ball', headers: { 'x-request-id': 'r1' } });
  await server.close();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      method: 'GET',
      route: 'getToy',
      status: 200,
      ms: expect.any(Number),
      requestId: 'r1',
      organizationId: 1001,
      clientKeyId: 77,
      msg: 'request',
    },
  ]);
});

it('a key sent as a request id is masked; another valid id is logged', async () => {
  const { lines, destination } = captured();
  const server = createToyServer({ destination });
  await ask(server, { url: '/', headers: { 'x-request-id': secrets[0]! } });
  await ask(server, { url: '/', headers: { 'x-request-id': 'order-7' } });
  await server.close();
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['[masked]', 'order-7']);
});

it('an internal error is logged with its request id and its stack', async () => {
  const { lines, destination } = captured();
  const server = createToyServer({ destination });
  brokenError.message = 'the till is stuck';
  await ask(server, { method: 'POST', url: '/api/v1/toys/broken', headers: { 'x-request-id': 'r2' } });
  await server.close();
  const failed = lines.map((line) => JSON.parse(line)).find((line) => line.msg === 'request failed');
  expect(failed).toMatchObject({
    level: 'error',
    requestId: 'r2',
    route: 'breakToy',
    err: { message: 'the till is stuck' },
  });
  expect(failed.err.stack).toContain('toy-server.test-support.ts');
});

it('fields with keys or personal data are masked at any depth, and the rest stays', () => {
  const { lines, destination } = captured();
  const logger = createLogger({ level: 'info', destination });
  logger.info(
    { orderId: 7, customer: { FirstName: 'Jane', items: [{ phone: '5105550100', count: 2 }] } },
    'x',
  );
  expect(JSON.parse(lines[0]!)).toMatchObject({
    orderId: 7,
    customer: { FirstName: '[masked]', items: [{ phone: '[masked]', count: 2 }] },
  });
});

it.each([
  ['an invitation', ['inviteToken', 'newPassword', 'currentPassword']],
  ['a customer', ['firstName', 'birthday', 'birthdayMonth', 'sex', 'licenseNumber', 'notes', 'isMedical']],
  ['a home address', ['street1', 'city', 'postalCode', 'zip', 'mostRecentAddress']],
  ['a delivery', ['deliveryNotes', 'driverName', 'customerPhone', 'internalNotes']],
])('values of a body are masked by their field: %s', (_, names) => {
  const { lines, destination } = captured();
  const logger = createLogger({ level: 'info', destination, maskedFields });
  logger.info(Object.fromEntries(names.map((name) => [name, 'Wilhelmina'])), 'x');
  expect(JSON.parse(lines[0]!)).toMatchObject(Object.fromEntries(names.map((name) => [name, '[masked]'])));
});

it('a database error keeps its facts and loses the quoted row', () => {
  const { lines, destination } = captured();
  const logger = createLogger({ level: 'info', destination });
  const error = Object.assign(new Error('invalid input syntax for type date: "Jane"'), {
    code: '23505',
    constraint: 'customers_email_key',
    detail: 'Key (first_name)=(Jane) already exists.',
    cause: new Error('call 510-555-0100'),
  });
  logger.error(error);
  logger.error({ err: error, orderId: 7 }, 'x');
  for (const line of lines) {
    expect(JSON.parse(line).err).toMatchObject({ code: '23505', constraint: 'customers_email_key' });
    expect(line).not.toMatch(/Jane|0100/);
  }
});

it('lines below the level are not written', () => {
  const { lines, destination } = captured();
  createLogger({ level: 'warn', destination }).info('x');
  expect(lines).toEqual([]);
});

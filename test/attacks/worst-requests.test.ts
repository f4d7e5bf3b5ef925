import { afterAll, expect, test } from 'vitest';
import { createTenant, pathOf, validRequest } from '../contract/contract-world.ts';
import {
  type Field,
  type FieldSchema,
  fieldName,
  fieldsOf,
  withValueAt,
} from '../contract/request-fields.ts';
import { createStaffTenant, staffRequest } from '../contract/staff-world.ts';
import { keyHeaders, startOwnTestService } from '../harness/test-service.ts';
import { bearerHeader } from '../harness/test-staff.ts';
import { worstUnits } from './worst-units.ts';

/*
 * Each text of a body and of a query gets the worst texts of its bound, through a socket: the service answers at once, and says
 * meanwhile that it is ready. worst-texts.test.ts has the functions by themselves, with each unit.
 */

const service = await startOwnTestService();
const { endpoints, staffEndpoints } = service;
const { baseUrl, menuUrl } = await service.listen();
const tenant = await createTenant(service);
const staffTenant = await createStaffTenant(service);
const owner = await service.staff(staffTenant.shop);
afterAll(() => service.close());

/** Longer than any text that a field takes, and short enough for many requests. */
const lettersMax = 65_536;
/** A text in an address has its own bound. */
const queryLettersMax = 2_000;
/** Milliseconds of the processor for one request and a question whether the service is ready; texts that take squares need seconds. */
const msMax = 300;
const wholeMsMax = 10_000;

let drawn = 0;
/** The next unit: each field gets some of them, and each kind of field all. */
const nextUnit = () => worstUnits[drawn++ % worstUnits.length]!;
const textOf = (unit: string, letters: number) =>
  unit.repeat(Math.ceil(letters / unit.length)).slice(0, letters);

const isText = ({ type, enum: named }: FieldSchema) =>
  [type].flat().includes('string') && named === undefined;
const textFieldsOf = (schema: object | undefined) =>
  fieldsOf((schema ?? {}) as FieldSchema).filter((field) => isText(field.schema));
const lettersOf = (schema: FieldSchema, most: number) =>
  Math.min((schema as { maxLength?: number }).maxLength ?? most, most);

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Sends it beside a question whether the service is ready. Twice if it took long: the processor also collects garbage meanwhile. */
async function expectAtOnce(what: string, sent: Sent, mayRepeat = true): Promise<void> {
  const { method, url, headers, body } = sent;
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const [reply, ready] = await Promise.all([
    fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    }),
    fetch(`${baseUrl}/readyz`),
  ]);
  const text = await reply.text();
  await ready.text();
  const { user, system } = process.cpuUsage(before);
  const spentMs = (user + system) / 1000;
  const wholeMs = performance.now() - startedAt;
  if ((spentMs > msMax || wholeMs > wholeMsMax) && mayRepeat) return expectAtOnce(what, sent, false);
  expect([what, ready.status, reply.status < 500 ? 'answered' : `${reply.status} ${text}`]).toEqual([
    what,
    200,
    'answered',
  ]);
  expect([what, spentMs > msMax ? spentMs : 'at once']).toEqual([what, 'at once']);
  expect([what, wholeMs > wholeMsMax ? wholeMs : 'at once']).toEqual([what, 'at once']);
}

interface Tried {
  readonly endpoint: { readonly id: string; readonly method: string; readonly body?: object | undefined };
  readonly inQuery: readonly Field[];
  readonly inBody: readonly Field[];
}

/** Fields of one name and bound are read in one way: the first of each stands for all. Each search is a search of its own. */
const seen = new Set<string>();
function isNew(where: string, { path, schema }: Field): boolean {
  const name = path.findLast((step) => typeof step === 'string');
  const kind = JSON.stringify([name === 'search' ? where : '', name, schema]);
  return !seen.has(kind) && seen.add(kind).size > 0;
}

/** The operations with texts that no operation before them has. */
const triedOf = <It extends Tried['endpoint'] & { readonly query?: object | undefined }>(
  those: readonly It[],
) =>
  those
    .map((endpoint) => ({
      endpoint,
      inQuery: textFieldsOf(endpoint.query).filter((field) => isNew(`?${endpoint.id}`, field)),
      inBody: textFieldsOf(endpoint.body).filter((field) => isNew('', field)),
    }))
    .filter(({ inQuery, inBody }) => inQuery.length + inBody.length > 0)
    .map((it) => [it.endpoint.id, it] as const);

/** Each text that is tried, with some of the units. */
async function expectTextsAtOnce(
  { endpoint: { id, method, body: schema }, inQuery, inBody }: Tried,
  { url, body, headers }: { url: string; body?: unknown; headers: Readonly<Record<string, string>> },
): Promise<void> {
  for (const field of inQuery) {
    const name = String(field.path[0]);
    for (const unit of [nextUnit(), nextUnit()]) {
      const search = new URLSearchParams({ [name]: textOf(unit, lettersOf(field.schema, queryLettersMax)) });
      await expectAtOnce(`${id}?${name}=${unit}`, {
        ...{ method, url: `${url}?${search}`, headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    }
  }
  for (const { path, schema: text } of inBody) {
    for (const unit of [nextUnit(), nextUnit()]) {
      const worst = textOf(unit, lettersOf(text, lettersMax));
      const changed = withValueAt(body, schema as FieldSchema, path, worst);
      const sent = { method, url, headers, body: JSON.stringify(changed) };
      await expectAtOnce(`${id} ${fieldName(path)}=${unit}`, sent);
    }
  }
  expect(service.faults).toEqual([]);
}

test.each(triedOf(endpoints))('the texts of %s are answered at once, however bad', async (_, tried) => {
  const { params, body } = validRequest(tried.endpoint, tenant);
  const base = tried.endpoint.address === 'menu' ? menuUrl : baseUrl;
  const url = `${base}${pathOf(tried.endpoint, params)}`;
  await expectTextsAtOnce(tried, { url, body, headers: keyHeaders(tenant.shop.keys) });
});

/** The session of the test would end. */
const endsSession = ['endStaffSession', 'endStaffSessions'];

test.each(triedOf(staffEndpoints.filter(({ id }) => !endsSession.includes(id))))(
  "the texts of staff's %s are answered at once, however bad",
  async (_, tried) => {
    const { params, body } = await staffRequest(service, tried.endpoint, staffTenant);
    const url = `${baseUrl}${pathOf(tried.endpoint, params)}`;
    await expectTextsAtOnce(tried, { url, body, headers: bearerHeader(owner.token) });
  },
);

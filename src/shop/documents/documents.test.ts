import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { keyHeaders, startTestService } from '../../../test/harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { createDocumentDesk, type Sent } from './document-desk.test-support.ts';
import { documentBytesMax } from './document-types.ts';
import { emptyZip, jpeg, pdf, place, png, pngChunk, sampleFiles } from './sample-files.test-support.ts';

const service = await startTestService();
afterAll(() => service.close());
const { context, documentFiles } = service;
const { shop, budtender, folder, sql, newCustomer, upload, uploaded, listed, view, fileNames, fileOf } =
  await createDocumentDesk(service);
const listening = service.listen();

describe('a document that is uploaded', () => {
  test.each(Object.entries(sampleFiles))(
    'as %s is answered with 204, waits for review, and is shown to staff without its location',
    async (mime, make) => {
      const { id: customerId } = await newCustomer();
      const file = make();
      const id = await uploaded(customerId, 'license', { file, mime });
      expect(await listed(customerId)).toEqual([
        {
          ...{ id, customerId, type: 'license', mime, bytes: file.length, status: 'pending' },
          ...{ expiresOn: null, reviewReason: null, reviewedAt: null, supersededAt: null },
          uploadedAt: '2026-03-10T18:00:00.000Z',
          keptUntil: '2029-03-09T18:00:00.000Z',
        },
      ]);
      const shown = await view(customerId, id);
      expect([shown.status, shown.headers['content-type']]).toEqual([200, mime]);
      expect(shown.bytes.includes(place)).toBe(false);
      // An opened PDF can run code: a browser saves it and displays none of it.
      const disposition = mime === 'application/pdf' ? 'attachment' : 'inline';
      expect(shown.headers).toMatchObject({
        'content-disposition': `${disposition}; filename="license-${id}.${mime.split('/')[1]}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      });
    },
  );

  test('is encrypted on the disk, for this account only, and decrypts to the original', async () => {
    const { id: customerId } = await newCustomer();
    const file = jpeg();
    const id = await uploaded(customerId, 'license', { file, mime: 'image/jpeg' });
    const path = await fileOf(id);
    const stored = readFileSync(path);
    for (const part of [place, 'coded', 'JFIF', file.subarray(0, 4)])
      expect(stored.includes(part)).toBe(false);
    expect([statSync(path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    const [row] = await sql('select * from customer_documents where id = $1', id);
    const label = `customer document ${shop.organizationId}/${id}`;
    const key = { masterKeyId: row!.master_key_id, wrapped: row!.wrapped_key };
    expect(await documentFiles.get(row!.file_name, key, label, context.randomBytes)).toEqual(file);
  });

  test('that was changed on the disk, or copied over another, is not shown', async () => {
    const { id: customerId } = await newCustomer();
    const file = png(pngChunk('tEXt', Buffer.from('secret words')));
    const id = await uploaded(customerId, 'license', { file });
    const other = await uploaded(customerId, 'recommendation', { file });
    const path = await fileOf(id);
    const stored = readFileSync(path);
    const tampered = Buffer.from(stored);
    tampered[40] = tampered[40]! ^ 1;
    const faultsBefore = service.faults.length;
    for (const bytes of [
      tampered,
      stored.subarray(0, -1),
      readFileSync(await fileOf(other)),
      Buffer.alloc(0),
    ]) {
      writeFileSync(path, bytes);
      expect(await view(customerId, id)).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    }
    writeFileSync(path, stored);
    expect((await view(customerId, id)).status).toBe(200);
    // Another row with this key does not open it either: the associated data differ.
    await sql(
      `update customer_documents d set file_name = o.file_name, master_key_id = o.master_key_id,
         wrapped_key = o.wrapped_key from customer_documents o
        where o.organization_id = d.organization_id and o.id = $1 and d.id = $2`,
      id,
      other,
    );
    expect((await view(customerId, other)).status).toBe(500);
    const faults = service.faults.slice(faultsBefore);
    expect(faults.length).toBe(5);
    for (const secret of [
      'secret words',
      file.toString('base64').slice(0, 20),
      stored.toString('hex').slice(0, 20),
    ]) {
      expect(faults.join('')).not.toContain(secret);
    }
  });

  test('leaves no file, and no byte in the log, when its row cannot be written', async () => {
    const { id: customerId } = await newCustomer();
    const file = png();
    const names = fileNames();
    const faultsBefore = service.faults.length;
    const broken = context.database.write.bind(context.database);
    context.database.write = () => Promise.reject(new Error('the disk of the database is full'));
    const reply = await upload(customerId, 'license', { file });
    context.database.write = broken;
    expect([reply.status, reply.error?.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(fileNames()).toEqual(names);
    const faults = service.faults.slice(faultsBefore).join('');
    expect(faults).toContain('the disk of the database is full');
    expect(faults).not.toContain(file.toString('base64').slice(0, 16));
  });

  test('has an audit entry for every read, with user, time and request; without the entry it is not shown', async () => {
    const { id: customerId } = await newCustomer();
    const id = await uploaded(customerId, 'license');
    const path = `/staff/v1/customers/${customerId}/documents/${id}/file`;
    await budtender.call('GET', path, undefined, { headers: { 'x-request-id': 'reading-1' } });
    expect(
      await sql(
        `select actor, action, subject_id, details from audit_entries where request_id = 'reading-1'`,
      ),
    ).toEqual([
      {
        actor: `staff:${budtender.staffId}`,
        action: 'customer_document.viewed',
        subject_id: String(id),
        details: { customerDocumentId: id, customerId, type: 'license' },
      },
    ]);
    const [event] = await sql(
      `select payload from outbox_events where type = 'customer_document.uploaded'
      and subject_id = $1`,
      String(id),
    );
    expect(event).toEqual({ payload: { customerDocumentId: id, customerId, type: 'license' } });
  });
});

describe('a document is refused', () => {
  const text = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64');
  const cases: readonly (readonly [string, Sent, number, string])[] = [
    ['of a type that is not accepted', { mime: 'text/html' }, 415, 'UNSUPPORTED_DOCUMENT_TYPE'],
    ['with a byte too much', { base64: text(documentBytesMax + 1) }, 413, 'DOCUMENT_TOO_LARGE'],
    ['with far too many bytes', { base64: text(3_000_000) }, 413, 'DOCUMENT_TOO_LARGE'],
    [
      'as a data URL',
      { base64: `data:image/png;base64,${png().toString('base64')}` },
      422,
      'INVALID_DOCUMENT',
    ],
    ['in the URL-safe alphabet', { base64: 'iVBO-_8=' }, 422, 'INVALID_DOCUMENT'],
    ['that is empty', { base64: '' }, 422, 'INVALID_DOCUMENT'],
    ['that is another type', { file: jpeg() }, 422, 'INVALID_DOCUMENT'],
    ['that is cut off', { file: png().subarray(0, -5) }, 422, 'INVALID_DOCUMENT'],
    ['with an archive behind it', { file: Buffer.concat([png(), emptyZip]) }, 422, 'INVALID_DOCUMENT'],
    [
      'with a PDF behind it',
      { file: Buffer.concat([jpeg(), pdf()]), mime: 'image/jpeg' },
      422,
      'INVALID_DOCUMENT',
    ],
  ];

  test.each(cases)('%s, and nothing is stored', async (_, sent, status, code) => {
    const { id: customerId } = await newCustomer();
    const names = fileNames();
    const reply = await upload(customerId, 'license', sent);
    expect([reply.status, reply.error?.code]).toEqual([status, code]);
    expect(reply.error?.message).toMatch(/^(?:document(?:Base64|Mime)|The body) /);
    expect(await listed(customerId)).toEqual([]);
    expect(fileNames()).toEqual(names);
  });

  test('for the first of several reasons in the order of all refusals (D13)', async () => {
    const { id: customerId } = await newCustomer();
    const large = text(documentBytesMax + 1);
    const codeOf = async (id: number | string, type: string, sent: Sent) =>
      (await upload(id, type, sent)).error?.code;
    expect(await codeOf(customerId, 'passport', {})).toBe('INVALID_PARAMS');
    expect((await upload(customerId, 'passport')).error?.message).toBe(
      'documentType must be one of license, recommendation.',
    );
    expect(await codeOf('none', 'license', {})).toBe('USER_NOT_FOUND');
    expect(await codeOf(999_999_999, 'license', { base64: large, mime: 'text/html' })).toBe(
      'UNSUPPORTED_DOCUMENT_TYPE',
    );
    expect(await codeOf(999_999_999, 'license', { base64: large })).toBe('DOCUMENT_TOO_LARGE');
    expect(await codeOf(999_999_999, 'license', { base64: '!' })).toBe('USER_NOT_FOUND');
  });

  test("of another organization's customer like that of an unknown one, and no other organization can read it", async () => {
    const stranger = await createTestShop(context);
    const { id: foreign } = await newCustomer(stranger);
    const { id: own } = await newCustomer();
    const id = await uploaded(own, 'license');
    const { status, text: body } = await upload(foreign, 'license');
    expect([status, body]).toEqual([404, (await upload(999_999_999, 'license')).text]);
    const spy = await service.staff(stranger);
    for (const [customerId, documentId] of [
      [own, id],
      [foreign, id],
    ] as const) {
      const path = `/staff/v1/customers/${customerId}/documents`;
      expect((await view(customerId, documentId, spy)).error?.code).toBe('DOCUMENT_NOT_FOUND');
      const list = await spy.call('GET', path);
      expect(customerId === own ? list.error?.code : list.data).toEqual(
        customerId === own ? 'USER_NOT_FOUND' : [],
      );
      const judged = await spy.call('POST', `${path}/${documentId}/review`, { decision: 'rejected' });
      expect(judged.error?.code).toBe('DOCUMENT_NOT_FOUND');
    }
    const { id: elsewhere } = await newCustomer();
    expect((await view(elsewhere, id)).error?.code).toBe('DOCUMENT_NOT_FOUND');
    expect((await view(own, id, await service.staff(shop, 'inventory'))).status).toBe(403);
  });
});

test.each([true, false])(
  'without `customers` an id tells nothing before an order of that customer (vouches: %s)',
  async (vouches) => {
    const limited = { permissions: ['create-orders'], vouches } as const;
    const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, limited);
    const body = { documentBase64: png().toString('base64'), documentMime: 'image/png' };
    const send = async (customerId: number) => {
      const reply = await service.call('POST', `/api/v1/documents/${customerId}/license`, { keys, body });
      return [reply.status, reply.text.replace(String(customerId), 'id').replace(/"requestId":"[^"]+"/, '')];
    };
    const { id } = await newCustomer();
    const unknown = await send(99_999_999);
    expect([unknown[0], await send(id)]).toEqual([404, unknown]);
    const order = await service.call('POST', '/api/v1/orders', { keys, body: pickupBody(shop) });
    expect(order.error).toBeUndefined();
    const placed = await sql('select user_id as customer_id from orders where id = $1', order.data.id);
    expect((await send(Number(placed[0]!.customer_id)))[0]).toBe(204);
    expect(await send(id)).toEqual(unknown);
  },
);

test('the largest document is accepted, also when its slashes are escaped', async () => {
  const { id: customerId } = await newCustomer();
  const filler = documentBytesMax - png(pngChunk('tEXt', Buffer.alloc(0))).length;
  const file = png(pngChunk('tEXt', Buffer.alloc(filler, 'words')));
  expect(file.length).toBe(documentBytesMax);
  await uploaded(customerId, 'license', { file });
  const random = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at * 31 + at) & 255));
  const escaped = JSON.stringify({
    documentBase64: png(pngChunk('tEXt', random)).toString('base64'),
    documentMime: 'image/png',
  }).replaceAll('/', '\\/');
  const path = `/api/v1/documents/${customerId}/license`;
  expect((await service.call('POST', path, { keys: shop.keys, body: escaped })).status).toBe(204);
});

test('the largest document is accepted when every plus and slash of it takes six characters', async () => {
  const { id: customerId } = await newCustomer();
  const filler = documentBytesMax - png(pngChunk('tEXt', Buffer.alloc(0))).length;
  // The Base64 of these bytes has every character of the alphabet equally often.
  const evenly = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'base64');
  const file = png(pngChunk('tEXt', Buffer.alloc(filler, evenly)));
  expect(file.length).toBe(documentBytesMax);
  const body = JSON.stringify({ documentBase64: file.toString('base64'), documentMime: 'image/png' })
    .replaceAll('+', '\\u002B')
    .replaceAll('/', '\\u002F');
  expect(body.length).toBeGreaterThan(4_000_000);
  const path = `/api/v1/documents/${customerId}/license`;
  expect((await service.call('POST', path, { keys: shop.keys, body })).status).toBe(204);
});

test('a body above the maximum is refused with the maximum size of a document', async () => {
  const { id: customerId } = await newCustomer();
  const { status, error } = await upload(customerId, 'license', { base64: 'A'.repeat(5_000_000) });
  expect([status, error]).toEqual([
    413,
    {
      code: 'DOCUMENT_TOO_LARGE',
      message:
        'The body must not be larger than 4,194,304 bytes; documentBase64 must not hold more than 2,621,440 bytes.',
    },
  ]);
});

test.each(['with its length announced', 'in chunks without a length'])(
  'a body of 50 MB is refused while it arrives, %s, without being held in memory',
  async (how) => {
    const { id: customerId } = await newCustomer();
    const { baseUrl } = await listening;
    const total = 50 * 1_048_576;
    const chunk = Buffer.alloc(65_536, 'A');
    global.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const reply = await new Promise<{ status: number; body: string; sent: number }>((resolve, reject) => {
      let sent = 0;
      let isAnswered = false;
      const sending = httpRequest(`${baseUrl}/api/v1/documents/${customerId}/license`, {
        method: 'POST',
        headers: {
          ...keyHeaders(shop.keys),
          'content-type': 'application/json',
          ...(how.startsWith('with') && { 'content-length': total }),
        },
      });
      sending.on('response', (response) => {
        let body = '';
        isAnswered = true;
        response.setEncoding('utf8').on('data', (part) => {
          body += part;
        });
        response.on('end', () => {
          sending.destroy();
          resolve({ status: response.statusCode!, body, sent });
        });
      });
      // A client that keeps writing after the response is disconnected.
      sending.on('error', (error) => (isAnswered ? undefined : reject(error)));
      const write = (): void => {
        while (!isAnswered && sent < total) {
          sent += chunk.length;
          peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
          if (
            !sending.write(
              sent === chunk.length ? Buffer.from(`{"documentBase64":"`.padEnd(65_536, 'A')) : chunk,
            )
          ) {
            sending.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([413, 'DOCUMENT_TOO_LARGE']);
    expect(reply.sent).toBeLessThan(20 * 1_048_576);
    expect(peak).toBeLessThan(20 * 1_048_576);
  },
);

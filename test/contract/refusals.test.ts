import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/app/app.ts';
import { type ErrorCode, errorCatalog, errorCodes } from '../../src/kernel/error-catalog.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { possibleErrorCodes } from '../../src/platform/http/possible-errors.ts';
import type { SealedFiles } from '../../src/platform/storage/sealed-files.ts';
import { changeRefusals } from './change-refusals.ts';
import { send } from './contract-world.ts';
import { customerRefusals } from './customer-refusals.ts';
import { documentRefusals } from './document-refusals.ts';
import { frameRefusals } from './frame-refusals.ts';
import { orderRefusals } from './order-refusals.ts';
import { ownOrderRefusals } from './own-order-refusals.ts';
import { paymentRefusals } from './payment-refusals.ts';
import { productRefusals } from './product-refusals.ts';
import { purchasingRefusals } from './purchasing-refusals.ts';
import { createStage, endStage, type Stage } from './refusal.ts';
import { sandboxRefusals } from './sandbox-refusals.ts';
import { webhookRefusals } from './webhook-refusals.ts';

/** Only for the declarations: no handler is called. */
const declared = allEndpoints({} as Context, (location) => location, {} as SealedFiles);

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** What contradicts the shape that the catalog gives the facts of a code; null: nothing. */
function metaFaults(code: ErrorCode, meta: unknown) {
  const shape = errorCatalog[code].meta;
  if (shape === undefined) return meta === undefined ? null : 'no facts are expected';
  ajv.validate({ ...shape.schema, additionalProperties: false }, meta);
  return ajv.errors ?? null;
}

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => endStage(stage));

describe.each(declared.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const refusals = [
    ...frameRefusals(endpoint),
    ...orderRefusals(id),
    ...ownOrderRefusals(id),
    ...customerRefusals(id),
    ...documentRefusals(id),
    ...paymentRefusals(id),
    ...productRefusals(id),
    ...purchasingRefusals(id),
    ...changeRefusals(id),
    ...webhookRefusals(id),
    ...sandboxRefusals(id),
  ];

  test('provokes every declared refusal, and no other', () => {
    const provoked = new Set(refusals.map(({ code }) => code));
    expect([...provoked].sort()).toEqual([...possibleErrorCodes(endpoint)].sort());
  });

  test.each(refusals.map((refusal) => [refusal.code, refusal.when, refusal] as const))(
    'answers %s when %s, and writes nothing',
    async (code, _, refusal) => {
      const provocation = await refusal.arrange(stage, endpoint);
      const { service = stage.service, shop = stage.home.shop, request, options } = provocation;
      const before = await stage.witness.contents(shop.organizationId);
      const reply = await send(service, endpoint, request, { keys: shop.keys, ...options });
      expect(reply.error?.code, reply.text).toBe(code);
      expect(reply.status).toBe(errorCatalog[code].status);
      expect(reply.error!.message).toMatch(refusal.message);
      const meta = typeof refusal.meta === 'function' ? refusal.meta(stage, request) : refusal.meta;
      const { message } = reply.error!;
      expect(JSON.parse(reply.text)).toEqual({ error: { message, code, ...(meta && { meta }) } });
      expect(metaFaults(code, reply.error!.meta)).toBeNull();
      for (const [name, pattern] of Object.entries(refusal.headers ?? {})) {
        expect(String(reply.headers[name])).toMatch(pattern);
      }
      expect(reply.headers['cache-control']).toBe('no-store');
      if (refusal.isCounted) return;
      expect(await stage.witness.contents(shop.organizationId)).toEqual(before);
    },
  );
});

test('refusals have the meta of the catalog', () => {
  for (const refusal of declared.flatMap((endpoint) => [
    ...frameRefusals(endpoint),
    ...orderRefusals(endpoint.id),
    ...customerRefusals(endpoint.id),
    ...documentRefusals(endpoint.id),
    ...productRefusals(endpoint.id),
    ...purchasingRefusals(endpoint.id),
    ...changeRefusals(endpoint.id),
    ...webhookRefusals(endpoint.id),
    ...sandboxRefusals(endpoint.id),
  ])) {
    const says = 'meta' in errorCatalog[refusal.code];
    expect([refusal.code, refusal.meta !== undefined]).toEqual([refusal.code, says]);
  }
});

test('the examples of facts have the shape of the catalog', () => {
  for (const code of errorCodes)
    expect([code, metaFaults(code, errorCatalog[code].meta?.example)]).toEqual([code, null]);
});

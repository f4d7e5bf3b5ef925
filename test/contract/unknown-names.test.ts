import { afterAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failure.ts';
import { requestValidator } from '../../src/platform/http/request-validation.ts';
import { startTestService } from '../harness/test-service.ts';

const service = await startTestService();
afterAll(() => service.close());

const writes = service.staffEndpoints.filter(({ body, method }) => body !== undefined && method !== 'GET');
const settings = writes.filter(({ refusesUnknownNames }) => refusesUnknownNames);

type Path = readonly (string | number)[];

/** The paths of all objects in a value. */
function objectsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, part]) =>
    objectsIn(part, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

function withUnknownName(value: unknown, path: Path): unknown {
  const copy = structuredClone(value);
  const place = path.reduce((at, step) => (at as Record<string | number, unknown>)[step], copy);
  Object.assign(place as object, { neverHeardOf: true });
  return copy;
}

describe('a name that is not known in what staff set up is refused, never ignored', () => {
  test.each(settings.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
    const validate = requestValidator({ ...endpoint, alsoMissing: () => [] });
    const send = (body: unknown) => {
      try {
        validate({}, {}, body, false);
        return 'accepted';
      } catch (error) {
        if (error instanceof Failure) return `${error.code}: ${error.message}`;
        throw error;
      }
    };
    const example = endpoint.requestExample;
    expect(send(structuredClone(example))).toBe('accepted');
    for (const path of objectsIn(example)) {
      const name = [...path, 'neverHeardOf'].join('.').replace(/\.(\d+)/g, '[$1]');
      expect(send(withUnknownName(example, path))).toMatch(`INVALID_PARAMS: ${name} is not known`);
    }
  });

  test('in discounts, loyalty, credits, taxes, zones, payments, limits, keys, staff, registers and webhooks', () => {
    const ids = settings.map(({ id }) => id);
    for (const what of [
      ...[
        'Discount',
        'LoyaltyReward',
        'LoyaltyProgram',
        'CustomerGroup',
        'CustomerCredit',
        'Tax',
        'DeliveryZone',
      ],
      ...[
        'PaymentType',
        'PurchaseLimitRule',
        'ClientKey',
        'Staff',
        'Register',
        'WebhookEndpoint',
        'Organization',
      ],
      ...['OfflineSaleSettings', 'SignInRules', 'IdentityProvider', 'ShopProfile'],
    ]) {
      const ofIt = writes.filter(({ id }) =>
        new RegExp(`^(staff)?(create|update|change|replace|set|issue|invite)${what}$`, 'i').test(id),
      );
      expect(ofIt.length, what).toBeGreaterThan(0);
      for (const { id } of ofIt) expect(ids).toContain(id);
    }
  });
});

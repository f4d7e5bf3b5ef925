import { digestOf } from '../../src/kernel/api-keys.ts';
import { assert } from '../../src/kernel/assert.ts';
import { codeDigest } from '../../src/shop/customers/customer-codes.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestService } from '../harness/test-service.ts';
import type { TestShop } from '../harness/test-shop.ts';

/** A customer who waits to type a code, and the token of another one's session; each can be used once. */
export interface SignIn {
  readonly email: string;
  readonly code: string;
  readonly token: string;
}

const count = 80;

/** Codes and sessions without mail and waiting: generated tests use up one with each valid request. */
export async function openSignIns(
  service: TestService,
  { organizationId, integrator, keys }: TestShop,
): Promise<() => SignIn> {
  const { context, documentFiles } = service;
  // With a mail of its own.
  const asked = await service.call('POST', '/api/v1/customer-sessions', {
    keys,
    body: { email: 'first@customers.example.com' },
  });
  assert(asked.status === 202, `a code of a contract test is refused: ${asked.text}`);
  const [{ key }] = await documentFiles.keys.load(context.randomBytes);
  const signIns = Array.from({ length: count }, (_, index) => ({
    email: `shopper-${index}@customers.example.com`,
    code: String(100_000 + index),
    token: `dcu_live_${index}`,
  }));
  const emails = signIns.map(({ email }) => email);
  await tenantSql(
    context.database,
    organizationId,
    `insert into customer_codes
       select current_organization_id(), $1, email, '2100-01-01T00:00:00Z', 1, 0, decode(digest, 'hex'), '2100-01-01T00:00:00Z'
         from unnest($2::text[], $3::text[]) as c (email, digest)`,
    integrator.id,
    emails,
    signIns.map(({ email, code }) =>
      codeDigest(key, { organizationId, integratorId: integrator.id, contact: email }, code).toString('hex'),
    ),
  );
  await tenantSql(
    context.database,
    organizationId,
    `insert into customer_sessions
       select current_organization_id(), n, $1, email, decode(digest, 'hex'), '2026-01-01', '2100-01-01'
         from unnest($2::bigint[], $3::text[], $4::text[]) as s (n, email, digest)`,
    integrator.id,
    await context.ids.take(count),
    emails,
    signIns.map(({ token }) => digestOf(token).toString('hex')),
  );
  let next = 0;
  // Beyond the last one it begins again: a test of refusals uses none up.
  return () => signIns[next++ % count]!;
}

import { randomBytes } from 'node:crypto';
import { proveStaffSession, startSession } from '../../src/access/sessions/sessions.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import type { Environment } from '../../src/kernel/api-keys.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import type { Context } from '../../src/platform/database/context.ts';
import type { TestReply, TestRequest } from './test-request.ts';
import { testOrigin } from './test-shop.ts';

/** A member of staff with a session. */
export interface TestStaff {
  readonly staffId: number;
  readonly sessionId: number;
  readonly token: string;
  readonly role: StaffRole;
  readonly email: string;
  /** Sends a request with the bearer token. An undefined body is no body. */
  call(method: string, path: string, body?: unknown, request?: TestRequest): Promise<TestReply>;
}

/**
 * Adds a member of staff without a password, and starts a session directly: hashing takes time. It counts as freshly
 * proven however far a test moves the clock, unless `proof` says that it ages like others.
 */
export async function createTestStaff(
  context: Context,
  environment: Environment,
  organization: OrganizationId,
  role: StaffRole,
  call: (method: string, path: string, request: TestRequest) => Promise<TestReply>,
  proof: 'lasting' | 'of signing in' = 'lasting',
): Promise<TestStaff> {
  const email = `${role}-${randomBytes(6).toString('hex')}@shop.example.com`;
  const [staffId] = await createStaff(context, testOrigin, organization, [
    { email, firstName: 'Robin', lastName: 'Castellan', role, password: null },
  ]);
  const { sessionId, token } = await startSession(context, environment, testOrigin, organization, staffId!);
  if (proof === 'lasting') {
    await context.database.write(organization, async (tx) =>
      tx.queue(proveStaffSession({ id: sessionId, at: '2200-01-01T00:00:00.000Z' })),
    );
  }
  return {
    staffId: staffId!,
    sessionId,
    token,
    role,
    email,
    call: (method, path, body, request = {}) =>
      call(method, path, {
        ...request,
        ...(body !== undefined && { body }),
        headers: { ...bearerHeader(token), ...request.headers },
      }),
  };
}

/** The header that carries a token. */
export function bearerHeader(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

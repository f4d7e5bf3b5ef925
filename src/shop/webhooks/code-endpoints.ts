import { failure } from '../../kernel/failure.ts';
import { isKeyPermission, type KeyPermission, wholeOf } from '../../kernel/permission-catalog.ts';

/*
 * The endpoint that gets the codes of phones (D62, D70): who reads a code can sign in as its customer, so owners alone make
 * and change it, it gets nothing else, and integrators do not see it.
 */

/** What it gets; not an event of the feed. */
export const codeEventType = 'customer.code_requested';

/** Whether an endpoint gets codes. `customer.*` and "all events" do not contain them. */
export function takesCodes(types: readonly string[]): boolean {
  return types.includes(codeEventType);
}

/** Who manages endpoints. */
interface Manager {
  readonly mayCarryCodes: boolean;
}

/**
 * Fails with INSUFFICIENT_PERMISSIONS if the endpoint sends more than the integrator's key may read: a key for orders must not lead the
 * events of another key to an address of its own, nor see what it was sent (D64a).
 */
export function assertReadsAll(
  { permissions }: { readonly permissions: ReadonlySet<KeyPermission> | null },
  { key_permissions: sent }: { readonly key_permissions: readonly string[] },
): void {
  if (permissions === null) return;
  const missing = sent
    .filter(isKeyPermission)
    .filter((name) => !permissions.has(name) && !permissions.has(wholeOf(name)));
  if (missing.length === 0) return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `The client key must have the permissions of the key that made the endpoint: ${missing.join(', ')}.`,
  );
}

/** Fails with INSUFFICIENT_PERMISSIONS if the endpoint gets codes and the manager is no owner. */
export function assertMayManage(
  { mayCarryCodes }: Pick<Manager, 'mayCarryCodes'>,
  types: readonly string[],
): void {
  if (takesCodes(types) && !mayCarryCodes) {
    throw failure(
      'INSUFFICIENT_PERMISSIONS',
      'Only an owner makes or changes the endpoint for codes: who reads a code can sign in as the customer.',
    );
  }
}

/** Fails with INVALID_PARAMS if an endpoint for codes is to get other events. */
export function assertCodesAlone(types: readonly string[]): void {
  if (takesCodes(types) && types.length > 1) {
    throw failure('INVALID_PARAMS', `types must name ${codeEventType} alone, without other events.`);
  }
}

/** Codes are good for minutes, so they are sent only when they are asked for. Fails with INVALID_PARAMS. */
export function refuseToRepeatCodes(types: readonly string[]): void {
  if (takesCodes(types))
    throw failure('INVALID_PARAMS', 'Codes are not sent again: the customer asks for a new one.');
}

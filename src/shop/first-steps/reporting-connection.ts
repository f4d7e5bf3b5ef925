import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';

/**
 * Whether the organization's sales are reported to its state's system by this service. The readiness of a shop asks here and nowhere else. No
 * system is connected yet: a connection is a row of the room that reports, and is asked for here.
 */
export async function isReportingTo(
  _context: Context,
  _organization: OrganizationId,
  _system: string,
): Promise<boolean> {
  return false;
}

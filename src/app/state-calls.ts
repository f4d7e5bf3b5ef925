import { noPlayedState } from '../../seed/played-state.ts';
import { SharedRateLimitTokens } from '../access/rate-limits/shared-rate-limit-tokens.ts';
import type { StaffAccess } from '../access/sessions/staff-sessions.ts';
import type { Context } from '../platform/database/context.ts';
import type { StandIn } from '../shop/traceability/state-clients.ts';
import { StateClients } from '../shop/traceability/traceability.ts';

/** Calls to the states' systems, within the limits that all processes share. */
export function stateClients(
  context: Context,
  { stateSystem }: Pick<StaffAccess, 'stateSystem'>,
  standIn: StandIn = noPlayedState(context),
): StateClients {
  const access = stateSystem ?? { vendorKey: undefined, url: undefined };
  return new StateClients({ context, access, tokens: new SharedRateLimitTokens(context), standIn });
}

import { organizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import { StateClients, StateReporter, selectConnections } from '../src/shop/traceability/traceability.ts';
import { PlayedState } from './played-state.ts';

/** Lets the played state hold what a demo shop has reported. Resolves to whether the shop has a license to report for. */
export async function playForDemo(
  context: Context,
  state: PlayedState,
  organization: number,
): Promise<boolean> {
  return (await told(context, state, organization)) !== null;
}

async function told(context: Context, state: PlayedState, organization: number) {
  const of = organizationId(organization);
  const [connections] = await context.database.read(of, selectConnections({}));
  const connection = connections.find(({ system }) => system === 'metrc');
  if (connection === undefined) return null;
  state.playsFor(of);
  return { connection, asTold: await state.tell(of, connection) };
}

/**
 * The first turn of work of a demo shop: what was sold is reported, and all is compared. Before it a person holds one package at the state,
 * so that a report is refused and the next ones of that package wait, and changes the stock of another one, which is the difference
 * to look at.
 */
export async function reportForDemo(context: Context, organization: number): Promise<void> {
  const state = await PlayedState.start(context);
  const { asTold } = (await told(context, state, organization)) ?? { asTold: null };
  if (asTold !== null) {
    // The one that was sold last, so that what was sold before gets through.
    const named = [...asTold.openReports];
    const [held] = named.findLast(([, count]) => count > 1) ?? named.at(-1) ?? [];
    if (held !== undefined) state.people('hold-package', { label: held });
    const counted = asTold.packages.find(
      ({ label, quantity, unit }) => unit === 'Each' && quantity.gt(20) && !asTold.openReports.has(label),
    );
    if (counted !== undefined) {
      const quantity = counted.quantity.minus(2).toNumber();
      const said = { reason: 'Entry Error', note: 'Counted by hand' };
      state.people('adjust-package', { label: counted.label, quantity, ...said });
    }
    const clients = new StateClients({ context, access: state.access, tokens: null, standIn: state });
    const logger = { error: () => {} };
    const reporter = new StateReporter({
      context,
      clients,
      horizonDays: 1,
      logger,
      withWork: async () => [],
    });
    await reporter.pass(organizationId(organization));
    clients.close();
  }
  await state.close();
}

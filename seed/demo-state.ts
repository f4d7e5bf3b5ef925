import { organizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import { selectConnections } from '../src/shop/traceability/traceability.ts';
import type { PlayedState } from './played-state.ts';

/**
 * Lets the played state hold what a demo shop has reported. Just after the shop was made, a person holds one package there: a report is
 * refused, and the next ones of that package wait. Resolves to whether the shop has a license to report for.
 */
export async function playForDemo(
  context: Context,
  state: PlayedState,
  organization: number,
  { isNew }: { readonly isNew: boolean },
): Promise<boolean> {
  const of = organizationId(organization);
  const [connections] = await context.database.read(of, selectConnections({}));
  const connection = connections.find(({ system }) => system === 'metrc');
  if (connection === undefined) return false;
  state.playsFor(of);
  const told = await state.tell(of, connection);
  if (told === null || !isNew) return true;
  // The one that was sold last, so that what was sold before gets through.
  const seen = [...told.openReports];
  const [held] = seen.findLast(([, count]) => count > 1) ?? seen.at(-1) ?? [];
  if (held !== undefined) state.holdPackage(held);
  return true;
}

import { isoTimestamp } from '../../kernel/local-time.ts';
import { allows } from '../../kernel/permission-catalog.ts';
import type { FeedEventRow } from '../../platform/events/event-feed-queries.ts';
import { cursorText } from '../../platform/events/feed-cursor.ts';
import type { Caller } from '../../platform/http/endpoint.ts';
import { publicEventOf } from './public-events.ts';
import { type ResourceReader, type ShownResource, showerFor } from './shown-resources.ts';

/** Who reads events: a key's permissions, and its integrator. */
export type EventReader = Pick<Caller, 'permissions' | 'integratorId'>;

/**
 * Whether a caller reads an event; `types` undefined: of every type. Orders of others are read with `analytics` alone; those of its
 * own integrator, by whichever of its keys they were placed, with `create-orders` (D64a).
 */
export function isWanted(
  { type, integrator_id: placedBy }: Pick<FeedEventRow, 'type' | 'integrator_id'>,
  { permissions, integratorId }: EventReader,
  types: ReadonlySet<string> | undefined,
): boolean {
  if (types !== undefined && !types.has(type)) return false;
  const shown = publicEventOf(type);
  if (shown === null) return false;
  if (shown.permissions.some((permission) => allows(permissions, 'read', permission))) return true;
  const { permissionForOwn } = shown;
  return (
    permissionForOwn !== undefined &&
    placedBy === integratorId &&
    allows(permissions, 'read', permissionForOwn)
  );
}

/** What decides which events a caller reads, as text: equal for callers who read the same. */
export function readerKey({ permissions, integratorId }: EventReader): string {
  const names = [...permissions].sort().join();
  return permissions.has('analytics') ? names : `${names} of ${integratorId}`;
}

/** The types that a request names: `order.placed`, or `order.*` for all of a subject. Null: one of them names nothing. */
export function readTypes(
  text: string,
  known: readonly string[],
): { readonly types: ReadonlySet<string> } | { readonly unknown: string } {
  const types = new Set<string>();
  for (const name of text.split(',').map((part) => part.trim())) {
    const matching = name.endsWith('.*')
      ? known.filter((type) => type.startsWith(name.slice(0, -1)))
      : known.filter((type) => type === name);
    if (matching.length === 0) return { unknown: name };
    for (const type of matching) types.add(type);
  }
  return { types };
}

/**
 * The JSON of events. With a caller, the last event of each resource on the page has its present state
 * as `data`, where the caller may read it: null when it is no longer there.
 */
export async function changesJson(
  events: readonly FeedEventRow[],
  caller: ResourceReader | null,
  resources: readonly ShownResource[],
): Promise<string[]> {
  const shown = events.map((event) => ({ event, resource: publicEventOf(event.type)!.resource }));
  const dataOf = new Map<FeedEventRow, string>();
  for (const resource of caller === null ? [] : resources) {
    const show = showerFor(resource, caller!);
    if (show === null) continue;
    const lastOf = new Map<string, FeedEventRow>();
    for (const { event, resource: type } of shown)
      if (type === resource.type) lastOf.set(event.subject_id, event);
    if (lastOf.size === 0) continue;
    const jsonOf = await show([...lastOf.keys()]);
    for (const [id, event] of lastOf) dataOf.set(event, jsonOf.get(id) ?? 'null');
  }
  return shown.map(({ event, resource }) => {
    const { position, id, type, created_at: at, subject_id: subjectId, facts } = event;
    // Only the id of the subject may need an escape.
    const head = `{"id":"${cursorText({ position, eventId: id })}","type":"${type}","at":"${isoTimestamp(at)}"`;
    const json = `${head},"resource":{"type":"${resource}","id":${JSON.stringify(subjectId)}},"facts":${facts}}`;
    const data = dataOf.get(event);
    return data === undefined ? json : `${json.slice(0, -1)},"data":${data}}`;
  });
}

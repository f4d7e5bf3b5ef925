/**
 * SQL that joins the ids in an actor's text (`Origin`): `acting.staff_id` of a member of staff, `acting.key_id` of a client key. Before the
 * tables are joined, because row-level security lets no index answer a comparison with a function of another row.
 */
export function idsOfActor(actor: string): string {
  return `cross join lateral (
         select substring(${actor} from '^staff:([0-9]+)$')::bigint as staff_id,
                substring(${actor} from '^key:([0-9]+)$')::bigint as key_id offset 0) acting`;
}

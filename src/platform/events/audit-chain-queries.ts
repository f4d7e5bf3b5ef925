import { statement } from '../statements/statement.ts';

/** SQL of the audit chain (D73): linking, anchors, and the links for a proof. */

type None = Record<never, never>;

/** Entries that one transaction links, and links of a row at most. */
export const linkedAtOnce = 1_000;

/**
 * The text of an entry `a` that its hash is made of, null where there is no entry; a `jsonb` has one text for each value.
 */
const entryText = `case when a.id is not null then
            jsonb_build_array(a.id, a.actor, a.action, a.subject_type, a.subject_id, a.details, a.request_id,
                              (extract(epoch from a.created_at) * 1000000)::bigint)::text end`;

export interface AuditChainRow {
  /** The number of the last link. */
  entries: number;
  /** Its hash. */
  head: Buffer;
  /** The events up to it are linked. */
  event_position: number;
  anchored: number;
  /** Where the chain began, if the organization moved here. */
  began_as: number | null;
}

/** One process links at a time. The statement behind it sees what the former one did. No row: there is no chain yet. */
export const lockAuditChain = statement<None, AuditChainRow>(
  'lock_audit_chain',
  `select entries, head, event_position, anchored, began_as from audit_chains
    where organization_id = :organizationId for update`,
);

export const selectAuditChain = statement<None, AuditChainRow>(
  'select_audit_chain',
  'select entries, head, event_position, anchored, began_as from audit_chains where organization_id = :organizationId',
);

/**
 * Begins the chain where the feed stands, under the lock of the feed. Entries whose event has no position yet come with their
 * events; all others are put down, to be linked first, in the order of time. All of it is one snapshot.
 */
export const beginAuditChain = statement<{ start: Uint8Array }>(
  'begin_audit_chain',
  `with begun as (
     insert into audit_chains (organization_id, entries, head, event_position)
       select :organizationId, 0, :start::bytea,
              coalesce((select last_position from change_feeds where organization_id = :organizationId), 0)
       on conflict do nothing returning organization_id
   ), numbered as (
     select a.id, (row_number() over (order by a.created_at, a.id) - 1) as place
       from audit_entries a
      where a.organization_id = :organizationId and exists (select from begun) and not exists (
        select from outbox_events e
         where e.organization_id = :organizationId and e.position is null and e.announced is not null
           and e.audit_id = a.id)
   )
   insert into audit_entries_to_link (organization_id, place, entry_ids)
     select :organizationId, place / ${linkedAtOnce}, array_agg(id order by place) from numbered group by 2`,
  {
    isLong: true,
    // The same in the other order: rows of a `with` cannot be gathered for an insert there. The caller has the lock.
    onDistributed: `with linked as (
     insert into audit_entries_to_link (organization_id, place, entry_ids)
     select n.organization_id, n.place / ${linkedAtOnce}, array_agg(n.id order by n.place)
       from (
         select a.organization_id, a.id, (row_number() over (order by a.created_at, a.id) - 1) as place
           from audit_entries a
          where a.organization_id = :organizationId
            and not exists (select from audit_chains c where c.organization_id = :organizationId)
            and not exists (
              select from outbox_events e
               where e.organization_id = :organizationId and e.position is null and e.announced is not null
                 and e.audit_id = a.id)) n
      group by 1, 2)
   insert into audit_chains (organization_id, entries, head, event_position)
     select f.organization_id, 0, :start::bytea, f.last_position
       from change_feeds f where f.organization_id = :organizationId
     on conflict do nothing`,
  },
);

export interface EntryToLinkRow {
  id: number;
  /** Null: there is no such entry. */
  text: string | null;
  /** The position of its event; null for an entry from before the chain. */
  position: number | null;
}

/** The next entries from before the chain began. */
export const selectFormerEntriesToLink = statement<None, EntryToLinkRow>(
  'select_former_entries_to_link',
  `select t.id, ${entryText} as text, null::bigint as position
     from (select entry_ids from audit_entries_to_link
            where organization_id = :organizationId order by place limit 1) next
    cross join lateral unnest(next.entry_ids) with ordinality t(id, at)
     left join audit_entries a on a.organization_id = :organizationId and a.id = t.id
    order by t.at`,
);

export const deleteFormerEntriesToLink = statement<None>(
  'delete_former_entries_to_link',
  `delete from audit_entries_to_link where organization_id = :organizationId and place = (
     select min(place) from audit_entries_to_link where organization_id = :organizationId)`,
);

/** The entries of the next events, in the order of the feed. Events without an entry have a null id: they are passed by. */
export const selectEntriesToLink = statement<
  { after: number },
  { id: number | null; text: string | null; position: number }
>(
  'select_entries_to_link',
  `select e.audit_id as id, ${entryText} as text, e.position
     from (select position, audit_id from outbox_events
            where organization_id = :organizationId and position > :after and position is not null
            order by position limit ${linkedAtOnce}) e
     left join audit_entries a on a.organization_id = :organizationId and a.id = e.audit_id
    order by e.position`,
);

export const insertAuditLinks = statement<{
  firstNumber: number;
  ids: readonly number[];
  hashes: Uint8Array;
  linkedAt: string;
}>(
  'insert_audit_links',
  `insert into audit_links (organization_id, first_number, entry_ids, hashes, linked_at)
   values (:organizationId, :firstNumber, :ids::bigint[], :hashes::bytea, :linkedAt)`,
);

export const moveAuditChain = statement<{ entries: number; head: Uint8Array; position: number }>(
  'move_audit_chain',
  `update audit_chains set entries = :entries, head = :head::bytea, event_position = :position
    where organization_id = :organizationId`,
);

/** Notes that an anchor holds the chain up to a number. */
export const noteAuditAnchor = statement<{ entries: number; at: string }>(
  'note_audit_anchor',
  `update audit_chains set anchored = :entries, anchored_at = :at
    where organization_id = :organizationId and anchored < :entries`,
);

/** The organizations with entries to link; the operator's, who is connected as the owner. */
export const selectOrganizationsToLink = statement<None, { id: number }>(
  'select_organizations_to_link',
  'select id from organizations_to_link()',
);

/** The organizations whose chain has grown since its last anchor, which is from before that time, or has none; the operator's. */
export const selectOrganizationsToAnchor = statement<{ before: string }, { id: number }>(
  'select_organizations_to_anchor',
  'select id from organizations_to_anchor(:before)',
);

export interface LinkedEntryRow {
  number: number;
  id: number;
  /** Null: the entry is gone. */
  text: string | null;
  hash: Buffer;
}

/** The links of the next row behind a number, with what their entries are now. */
export const selectLinksAfter = statement<{ after: number }, LinkedEntryRow>(
  'select_audit_links_after',
  `select l.first_number + t.at - 1 as number, t.id, ${entryText} as text,
          substr(l.hashes, (t.at::int - 1) * 32 + 1, 32) as hash
     from (select first_number, entry_ids, hashes from audit_links
            where organization_id = :organizationId and first_number > :after
            order by first_number limit 1) l
    cross join lateral unnest(l.entry_ids) with ordinality t(id, at)
     left join audit_entries a on a.organization_id = :organizationId and a.id = t.id
    order by t.at`,
  { isLong: true },
);

interface UnlinkedEntryRow {
  id: number;
  action: string;
  created_at: number;
}

/** Entries without a link that no event is going to link: they were not written by the program. The oldest 100. */
export const selectUnlinkedEntries = statement<None, UnlinkedEntryRow>(
  'select_unlinked_audit_entries',
  `select a.id, a.action, a.created_at
     from audit_entries a
     join audit_chains c on c.organization_id = a.organization_id
    where a.organization_id = :organizationId
      and not exists (
        select from (select unnest(entry_ids) as id from audit_links where organization_id = :organizationId
                     union all
                     select unnest(entry_ids) from audit_entries_to_link where organization_id = :organizationId) l
         where l.id = a.id)
      and not exists (
        select from outbox_events e
         where e.organization_id = :organizationId and e.audit_id = a.id
           and (e.position > c.event_position or e.position is null))
    order by a.created_at, a.id limit 100`,
  { isLong: true },
);

/** Entries that wait for their link and are gone; the first 100. */
export const selectLostEntries = statement<None, { id: number; type: string; created_at: number }>(
  'select_lost_audit_entries',
  `select e.audit_id as id, e.type, e.created_at
     from outbox_events e
     join audit_chains c on c.organization_id = e.organization_id
    where e.organization_id = :organizationId and e.audit_id is not null
      and (e.position > c.event_position or e.position is null)
      and not exists (select from audit_entries a
                       where a.organization_id = :organizationId and a.id = e.audit_id)
    order by e.id limit 100`,
);

import { statement } from '../../platform/statements/statement.ts';
import type { MoveCheck } from './judge-move.ts';
import type { FileSums, MoveFile, MoveFileKind } from './sums-of-file.ts';

/** All SQL of moves. */

export const moveStatuses = ['open', 'frozen', 'live', 'returned', 'canceled'] as const;
export type MoveStatus = (typeof moveStatuses)[number];

export interface Signature {
  readonly check: string;
  readonly by: string;
  readonly at: string;
  readonly note: string;
}

/** The result of loading the files into a sandbox of the shop. */
export interface MoveTrial {
  readonly startedAt: string;
  readonly files: readonly MoveFile[];
  readonly checks: readonly MoveCheck[];
  /** Null: its files are still loading. */
  readonly checkedAt: string | null;
}

export interface MoveRow {
  id: number;
  till: string;
  status: MoveStatus;
  files: readonly MoveFile[];
  checks: readonly MoveCheck[];
  trial_organization_id: number | null;
  trial: MoveTrial | null;
  checked_at: number | null;
  signatures: readonly Signature[];
  created_at: number;
  frozen_at: number | null;
  live_at: number | null;
  ended_at: number | null;
  updated_at: number;
}

const columns = `id, till, status, files, checks, trial_organization_id, trial, checked_at, signatures, created_at, frozen_at, live_at, ended_at, updated_at`;

export const insertMove = statement<{ id: number; till: string; at: string }, never>(
  'insert_move',
  `insert into moves (organization_id, id, till, status, created_at, updated_at)
   values (:organizationId, :id, :till, 'open', :at, :at)`,
);

/** The latest 100: a shop moves once in years. */
export const selectMoves = statement<Record<never, never>, MoveRow>(
  'select_moves',
  `select ${columns} from moves where organization_id = :organizationId order by id desc limit 100`,
);

export const selectMove = statement<{ id: number }, MoveRow>(
  'select_move',
  `select ${columns} from moves where organization_id = :organizationId and id = :id`,
);

export const lockMove = statement<{ id: number }, MoveRow>(
  'lock_move',
  `select ${columns} from moves where organization_id = :organizationId and id = :id for no key update`,
);

/** JSON texts; null keeps what is there. */
export const updateMove = statement<
  {
    id: number;
    status: MoveStatus;
    files: string;
    checks: string;
    trialOrganizationId: number | null;
    trial: string | null;
    checkedAt: string | null;
    signatures: string;
    frozenAt: string | null;
    liveAt: string | null;
    endedAt: string | null;
    at: string;
  },
  never
>(
  'update_move',
  `update moves
      set status = :status, files = :files::jsonb, checks = :checks::jsonb, checked_at = :checkedAt,
          trial_organization_id = :trialOrganizationId, trial = :trial::jsonb,
          signatures = :signatures::jsonb, frozen_at = :frozenAt, live_at = :liveAt, ended_at = :endedAt,
          updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** What customers brought along from a till, with how many of them are on file twice there, and have given consent here. */
export const sumFormerCustomers = statement<
  { till: string },
  { accounts: number; customers: number; points: string; credit_cents: number; consents: number }
>(
  'sum_former_customers_of_move',
  `select count(*) as accounts, count(distinct f.user_id) as customers,
          coalesce(sum(f.points), 0)::text as points, coalesce(sum(f.credit_cents), 0)::bigint as credit_cents,
          count(*) filter (where c.marketing_opt_in) as consents
     from former_customers f
     join customers c on c.organization_id = f.organization_id and c.id = f.user_id
    where f.organization_id = :organizationId and f.till = :till`,
  { isLong: true },
);

/** The former sales of a till by local day. */
export const sumFormerDays = statement<
  { till: string },
  { day: string; sales: number; net_cents: number; tax_cents: number }
>(
  'sum_former_days_of_move',
  `select to_char(local_date, 'YYYY-MM-DD') as day, count(*) as sales, sum(net_cents)::bigint as net_cents,
          sum(tax_cents)::bigint as tax_cents
     from former_sales
    where organization_id = :organizationId and till = :till
    group by local_date order by local_date limit 20000`,
  { isLong: true },
);

/** Tickets of a till that give another one back, with the first ones whose ticket is not here. */
export const selectRefundLinks = statement<
  { till: string },
  { named: number; found: number; lost: readonly string[] }
>(
  'select_refund_links_of_move',
  `select count(*) as named, count(s.id) as found,
          coalesce((array_agg(r.number order by r.number) filter (where s.id is null))[1:20], '{}') as lost
     from former_sales r
     left join lateral (
       select id from former_sales
        where organization_id = :organizationId and till = r.till and number = r.refund_of and local_date <= r.local_date
          and id <> r.id
        limit 1) s on true
    where r.organization_id = :organizationId and r.till = :till and r.refund_of is not null`,
  { isLong: true },
);

/** The goods: options on sale with their prices, and what their packages hold. */
export const sumGoods = statement<
  Record<never, never>,
  { options: number; price_cents: number; without_price: number; twice: number }
>(
  'sum_goods_of_move',
  `select count(*) as options, coalesce(sum(o.price_cents), 0)::bigint as price_cents,
          count(*) filter (where o.price_cents = 0) as without_price,
          count(*) - count(distinct (o.product_id, o.name, o.amount)) as twice
     from product_options o
     join products p on p.organization_id = o.organization_id and p.id = o.product_id and p.deleted_at is null
    where o.organization_id = :organizationId and o.deleted_at is null`,
  { isLong: true },
);

/** The packages with stock, by their tags, with what it cost in dollars; at most 100,000. */
export const selectTagsOfMove = statement<
  Record<never, never>,
  { label: string; quantity: string; has_product: boolean; value: string }
>(
  'select_tags_of_move',
  `select k.label, sum(b.on_hand)::text as quantity, k.product_id is not null as has_product,
          (sum(b.on_hand) * coalesce(k.cost_per_unit, 0))::text as value
     from packages k
     join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id
    where k.organization_id = :organizationId
    group by k.id, k.label, k.product_id, k.cost_per_unit
   having sum(b.on_hand) <> 0
    order by k.label limit 100000`,
  { isLong: true },
);

export interface Reporters {
  connections_on: number;
  reports_sent: number;
}

/** Which connections report to the state, and how many reports of these it has, or may have, since a moment. A sandbox of the state is none. */
export const selectReportersOfMove = statement<{ since: string }, Reporters>(
  'select_reporters_of_move',
  `select (select count(*) from state_connections
            where organization_id = :organizationId and is_on and not is_sandbox) as connections_on,
          (select count(*) from state_reports r
             join state_connections c on c.organization_id = :organizationId and c.id = r.connection_id
            where r.organization_id = :organizationId and not c.is_sandbox and r.updated_at >= :since
              and r.state in ('sending', 'unknown', 'accepted', 'done-by-hand')) as reports_sent`,
);

/** Which of these tags are on file. */
export const selectPackagesOfTags = statement<{ labels: readonly string[] }, { id: number; label: string }>(
  'select_packages_of_tags',
  'select id, label from packages where organization_id = :organizationId and label = any(:labels)',
);

/** The places of stock; the first one is that from which the counter sells first. */
export const selectPlacesOfMove = statement<Record<never, never>, { id: number; name: string }>(
  'select_places_of_move',
  `select l.id, l.name from inventory_locations l
     left join order_type_locations t on t.organization_id = :organizationId and t.order_type = 'in-store'
                                     and t.inventory_location_id = l.id
    where l.organization_id = :organizationId and l.archived_at is null
    order by t.position nulls last, l.id limit 1000`,
);

/** `ready`: it is here, and nothing was done with it. */
export const moveFileStatuses = ['ready', 'loading', 'done', 'failed'] as const;

/** What a run of a file does: it writes nothing, into the sandbox of the shop, or into the shop. */
export const moveRuns = ['check', 'trial', 'load'] as const;
export type MoveRun = (typeof moveRuns)[number];

/** A refused row. */
export interface MoveFileProblem {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
}

export interface MoveFileRow {
  id: number;
  move_id: number;
  kind: MoveFileKind;
  file_name: string;
  sha256: string;
  /** JSON of a `SentMapping`. */
  mapping: string | null;
  /** Null: the move is over, so that the content is gone. */
  byte_count: number | null;
  status: (typeof moveFileStatuses)[number];
  run: MoveRun | null;
  done_share: number;
  done_count: number;
  created_count: number;
  known_count: number;
  refused_count: number;
  sums: FileSums | null;
  problems: readonly MoveFileProblem[];
  failure: string | null;
  created_by: number;
  created_at: number;
  updated_at: number;
}

const fileColumns = `id, move_id, kind, file_name, sha256, mapping, octet_length(content) as byte_count, status, run, done_share, done_count, created_count, known_count,
  refused_count, sums, problems, failure, created_by, created_at, updated_at`;

export const insertMoveFile = statement<
  {
    id: number;
    moveId: number;
    kind: MoveFileKind;
    fileName: string;
    sha256: string;
    content: Buffer;
    mapping: string | null;
    createdBy: number;
    at: string;
  },
  never
>(
  'insert_move_file',
  `insert into move_files (organization_id, id, move_id, kind, file_name, sha256, content, mapping, status, created_by,
                           created_at, updated_at)
   values (:organizationId, :id, :moveId, :kind, :fileName, :sha256, :content, :mapping, 'ready', :createdBy, :at, :at)`,
);

/** What an earlier upload of the same file said is replaced by the new one. */
export const deleteFormerMoveFiles = statement<{ kind: MoveFileKind; fileName: string }, never>(
  'delete_former_move_files',
  `delete from move_files
    where organization_id = :organizationId and kind = :kind and file_name = :fileName and status <> 'loading'`,
);

/** A move shows its latest files. */
export const moveFilesShown = 40;

export const selectMoveFiles = statement<{ moveId: number }, MoveFileRow>(
  'select_move_files',
  `select ${fileColumns} from move_files where organization_id = :organizationId and move_id = :moveId
    order by id desc limit ${moveFilesShown}`,
);

export const selectMoveFile = statement<{ id: number }, MoveFileRow>(
  'select_move_file',
  `select ${fileColumns} from move_files where organization_id = :organizationId and id = :id`,
);

export const selectLoadingFile = statement<Record<never, never>, { id: number }>(
  'select_loading_move_file',
  `select id from move_files where organization_id = :organizationId and status = 'loading'`,
);

export const lockMoveFile = statement<{ id: number }, MoveFileRow>(
  'lock_move_file',
  `select ${fileColumns} from move_files where organization_id = :organizationId and id = :id for no key update`,
);

/** No row: the move is over, so that the content is gone. `from` counts from 1. */
export const selectMoveFilePiece = statement<{ id: number; from: number; bytes: number }, { piece: Buffer }>(
  'select_move_file_piece',
  `select substring(content from :from::integer for :bytes::integer) as piece from move_files
    where organization_id = :organizationId and id = :id and content is not null`,
);

/** The files of a move whose content is here, in the order of their uploads. */
export const selectFilesToTry = statement<{ moveId: number }, { id: number; kind: MoveFileKind }>(
  'select_move_files_to_try',
  `select id, kind from move_files
    where organization_id = :organizationId and move_id = :moveId and content is not null order by id limit 100`,
);

export const setMoveFileMapping = statement<{ id: number; mapping: string | null; at: string }, never>(
  'set_move_file_mapping',
  `update move_files set mapping = :mapping, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** A run from the beginning of the file. */
export const beginMoveFileRun = statement<{ id: number; run: MoveRun; at: string }, never>(
  'begin_move_file_run',
  `update move_files
      set status = 'loading', run = :run, done_share = 0, done_count = 0, created_count = 0, known_count = 0,
          refused_count = 0, sums = null, problems = '[]', failure = null, updated_at = :at
    where organization_id = :organizationId and id = :id`,
);

/** A move that is over needs no file any more; one that is loading ends. (Citus writes `case a when b` wrong.) */
export const forgetMoveFiles = statement<{ moveId: number; at: string }, never>(
  'forget_move_files',
  `update move_files
      set content = null, updated_at = :at,
          status = case when status = 'loading' then 'failed' else status end,
          failure = case when status = 'loading' then 'The move is over.' else failure end
    where organization_id = :organizationId and move_id = :moveId and content is not null`,
);

export const deleteOldMoveFiles = statement<{ before: string; limit: number }, { id: number }>(
  'delete_old_move_files',
  `delete from move_files where organization_id = :organizationId and id in (
     select id from move_files
      where organization_id = :organizationId and created_at < :before and status <> 'loading'
      order by id limit :limit)
   returning id`,
);

/** Notes a part. No row: another process has noted it already. */
export const advanceMoveFile = statement<
  {
    id: number;
    from: number;
    done: number;
    share: number;
    created: number;
    known: number;
    refused: number;
    sums: string;
    problems: string;
    at: string;
  },
  { id: number }
>(
  'advance_move_file',
  `update move_files
      set done_count = :done, done_share = :share, created_count = created_count + :created,
          known_count = known_count + :known, refused_count = refused_count + :refused, sums = :sums::jsonb,
          problems = problems || :problems::jsonb, updated_at = :at
    where organization_id = :organizationId and id = :id and status = 'loading' and done_count = :from
   returning id`,
);

export const endMoveFile = statement<
  { id: number; status: 'done' | 'failed'; failure: string | null; at: string },
  { id: number }
>(
  'end_move_file',
  `update move_files set status = :status, failure = :failure, updated_at = :at
    where organization_id = :organizationId and id = :id and status = 'loading'
   returning id`,
);

import { failure } from '../../kernel/failure.ts';
import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type CheckName, checkNames, type MoveCheck } from './judge-move.ts';
import {
  forgetMoveFiles,
  insertMove,
  lockMove,
  type MoveRow,
  type MoveStatus,
  type MoveTrial,
  type Reporters,
  selectMoves,
  selectReportersOfMove,
  updateMove,
} from './move-queries.ts';
import type { MoveFile } from './sums-of-file.ts';

export const moveSteps = ['freeze', 'thaw', 'go', 'back', 'cancel'] as const;
export type MoveStep = (typeof moveSteps)[number];

/** From where a step leads where. */
const steps: Readonly<Record<MoveStep, { readonly from: readonly MoveStatus[]; readonly to: MoveStatus }>> = {
  // The former till sells no more: from then on its exports are complete.
  freeze: { from: ['open'], to: 'frozen' },
  thaw: { from: ['frozen'], to: 'open' },
  go: { from: ['frozen'], to: 'live' },
  back: { from: ['live'], to: 'returned' },
  cancel: { from: ['open', 'frozen'], to: 'canceled' },
};

const filesMax = 100;

/** Begins a move from a till, or goes on with the one that is not over. Fails with MOVE_NOT_READY while one from another till is not over. */
export async function beginMove(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  till: string,
): Promise<number> {
  const [id] = await context.ids.take(1);
  return context.database.write(
    organization,
    async (tx) => {
      const [rows] = await tx.run(selectMoves({}));
      const open = rows.find(({ status }) => status === 'open' || status === 'frozen');
      if (open?.till === till) return open.id;
      if (open !== undefined) {
        throw failure(
          'MOVE_NOT_READY',
          `The move from ${open.till} is not over: go on with it, or cancel it.`,
        );
      }
      const nowMs = context.clock.now();
      tx.queue(insertMove({ id: id!, till, at: isoTimestamp(nowMs) }));
      await announce(tx, context, origin, nowMs, about(organization, id!, 'open', { moveId: id, till }));
      return id!;
    },
    { retryOnConstraints: ['moves_one_open'] },
  );
}

/** The move that is not over, or the last one. Fails with MOVE_NOT_FOUND. */
export async function openMove(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<MoveRow> {
  const [rows] = await database.read(organization, selectMoves({}));
  const row = rows.find(({ status }) => status === 'open' || status === 'frozen') ?? rows[0];
  if (row === undefined) throw notFound();
  return row;
}

/** Notes what a file brought. One of the same kind and name replaces the former: an export that is made again. */
export function noteMoveFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  file: MoveFile,
): Promise<MoveRow> {
  return change(context, origin, organization, id, (row) => {
    if (row.status !== 'open' && row.status !== 'frozen')
      throw notReady('no file belongs to it any more', row);
    const others = row.files.filter(({ kind, name }) => kind !== file.kind || name !== file.name);
    if (others.length >= filesMax) throw notReady(`a move has at most ${filesMax} files`, row);
    return { files: [...others, file] };
  });
}

/** Begins a trial in this sandbox, in place of the former one. Resolves to that, to be ended. Fails with MOVE_NOT_READY. */
export async function noteTrial(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sandbox: OrganizationId | null,
  begin: (tx: TenantTransaction, row: MoveRow) => Promise<void> = async () => {},
): Promise<{ readonly row: MoveRow; readonly former: OrganizationId | null }> {
  let former: OrganizationId | null = null;
  const row = await change(
    context,
    origin,
    organization,
    id,
    (before, nowMs) => {
      if (before.status !== 'open' && before.status !== 'frozen')
        throw notReady('it is tried no more', before);
      former = sandboxOf(before);
      const trial = { startedAt: isoTimestamp(nowMs), files: [], checks: [], checkedAt: null };
      return { trial, trialOrganizationId: sandbox };
    },
    begin,
  );
  return { row, former };
}

/** The sandbox of the last trial of a move. */
export function sandboxOf({ trial_organization_id: id }: MoveRow): OrganizationId | null {
  return id === null ? null : organizationId(id);
}

/** Notes the sandbox of a trial that has begun. */
export function noteSandbox(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sandbox: OrganizationId,
): Promise<MoveRow> {
  return change(context, origin, organization, id, () => ({ trialOrganizationId: sandbox }));
}

/** Notes what a file brought into the sandbox. */
export function noteTrialFile(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  file: MoveFile,
): Promise<MoveRow> {
  return change(context, origin, organization, id, (row) => {
    if (row.trial === null || (row.status !== 'open' && row.status !== 'frozen'))
      throw notReady('no trial is under way', row);
    const others = row.trial.files.filter(({ kind, name }) => kind !== file.kind || name !== file.name);
    if (others.length >= filesMax) throw notReady(`a move has at most ${filesMax} files`, row);
    return { trial: { ...row.trial, files: [...others, file] } };
  });
}

/** Notes the numbers of the checks in the sandbox. */
export function noteTrialChecks(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  checks: readonly MoveCheck[],
): Promise<MoveRow> {
  return change(context, origin, organization, id, (row, nowMs) => {
    if (row.trial === null) throw notReady('no trial is under way', row);
    return { trial: { ...row.trial, checks, checkedAt: isoTimestamp(nowMs) } };
  });
}

/** Notes the numbers of the checks. */
export function noteChecks(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  checks: readonly MoveCheck[],
): Promise<MoveRow> {
  return change(context, origin, organization, id, (_row, nowMs) => ({ checks, checkedAtMs: nowMs }));
}

/** A person answers for a check that did not pass, in their own words. Fails with MOVE_NOT_FOUND and MOVE_NOT_READY. */
export function signCheck(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  { check, by, note }: { readonly check: CheckName; readonly by: string; readonly note: string },
): Promise<MoveRow> {
  return change(context, origin, organization, id, (row, nowMs) => {
    const others = row.signatures.filter((it) => it.check !== check);
    return { signatures: [...others, { check, by, note, at: isoTimestamp(nowMs) }] };
  });
}

/**
 * Takes a step. `go` needs each check passed or signed since the move was frozen; `back` is open until a report of this shop
 * has gone to the state, and needs that none can go any more. Fails with MOVE_NOT_FOUND and MOVE_NOT_READY.
 */
export async function stepMove(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  step: MoveStep,
): Promise<MoveRow> {
  const { from, to } = steps[step];
  const decide = (row: MoveRow, nowMs: number, reporters: Reporters): Changed | null => {
    // Said twice, it is one step.
    if (row.status === to) return null;
    if (!from.includes(row.status)) throw notReady(`${step} is for one that is ${from.join(' or ')}`, row);
    if (step === 'go') refuseUnproven(row);
    if (step === 'back') refuseReporting(row, reporters);
    return {
      status: to,
      ...(step === 'freeze' && { frozenAtMs: nowMs }),
      ...(step === 'thaw' && { frozenAtMs: null }),
      ...(step === 'go' && { liveAtMs: nowMs }),
      ...((step === 'back' || step === 'cancel') && { endedAtMs: nowMs }),
    };
  };
  const isOver = step === 'go' || step === 'cancel';
  return change(context, origin, organization, id, decide, async (tx) => {
    if (isOver) tx.queue(forgetMoveFiles({ moveId: id, at: isoTimestamp(context.clock.now()) }));
  });
}

function refuseUnproven(row: MoveRow): void {
  if (row.checked_at === null || row.checked_at < row.frozen_at!) {
    throw notReady('its checks were not made since it was frozen', row);
  }
  const signed = new Set(row.signatures.map(({ check }) => check));
  const open = checkNames.filter(
    (name) => !signed.has(name) && row.checks.find(({ check }) => check === name)?.result !== 'passed',
  );
  if (open.length > 0)
    throw notReady(`these checks did not pass, and no one has signed them: ${open.join(', ')}`, row);
}

/** What this shop has told the state, the former till cannot know. */
function refuseReporting(
  row: MoveRow,
  { connections_on: connections, reports_sent: reports }: Reporters,
): void {
  if (reports > 0) throw notReady(`reports of this shop that the state has since: ${reports}`, row);
  if (connections > 0) throw notReady('this shop still reports to the state: switch that off first', row);
}

interface Changed {
  readonly status?: MoveStatus;
  readonly files?: readonly MoveFile[];
  readonly checks?: readonly MoveCheck[];
  readonly trial?: MoveTrial;
  readonly trialOrganizationId?: OrganizationId | null;
  readonly checkedAtMs?: number;
  readonly signatures?: MoveRow['signatures'];
  readonly frozenAtMs?: number | null;
  readonly liveAtMs?: number;
  readonly endedAtMs?: number;
}

function change(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  decide: (row: MoveRow, nowMs: number, reporters: Reporters) => Changed | null,
  further: (tx: TenantTransaction, row: MoveRow) => Promise<void> = async () => {},
): Promise<MoveRow> {
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockMove({ id }));
    if (row === undefined) throw notFound();
    const nowMs = context.clock.now();
    const [[reporters]] = await tx.run(selectReportersOfMove({ since: isoTimestamp(row.live_at ?? nowMs) }));
    const said = decide(row, nowMs, reporters!);
    if (said === null) return row;
    const after: MoveRow = {
      ...row,
      ...{
        status: said.status ?? row.status,
        files: said.files ?? row.files,
        checks: said.checks ?? row.checks,
        trial: said.trial ?? row.trial,
        trial_organization_id:
          said.trialOrganizationId === undefined ? row.trial_organization_id : said.trialOrganizationId,
      },
      ...{ checked_at: said.checkedAtMs ?? row.checked_at, signatures: said.signatures ?? row.signatures },
      frozen_at: said.frozenAtMs === undefined ? row.frozen_at : said.frozenAtMs,
      ...{
        live_at: said.liveAtMs ?? row.live_at,
        ended_at: said.endedAtMs ?? row.ended_at,
        updated_at: nowMs,
      },
    };
    const at = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
    tx.queue(
      updateMove({
        ...{
          id,
          status: after.status,
          files: JSON.stringify(after.files),
          checks: JSON.stringify(after.checks),
        },
        ...{ trialOrganizationId: after.trial_organization_id },
        trial: after.trial === null ? null : JSON.stringify(after.trial),
        ...{ checkedAt: at(after.checked_at), signatures: JSON.stringify(after.signatures) },
        ...{ frozenAt: at(after.frozen_at), liveAt: at(after.live_at), endedAt: at(after.ended_at) },
        at: isoTimestamp(nowMs),
      }),
    );
    // The sums of files and checks are long, and their notes are words of persons: the entry says that they changed.
    const fields = (['files', 'checks', 'signatures', 'trial'] as const).filter(
      (name) => said[name] !== undefined,
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      about(organization, id, after.status, {
        ...{ moveId: id, till: row.till, ...changesOf({ status: row.status }, { status: after.status }) },
        ...(fields.length > 0 && { fields }),
      }),
    );
    await further(tx, after);
    return after;
  });
}

function about(
  organization: OrganizationId,
  id: number,
  status: MoveStatus,
  details: Readonly<Record<string, unknown>>,
) {
  const subject = { event: 'move.updated', subjectType: 'organization', subjectId: organization } as const;
  return { ...subject, payload: { moveId: id, status }, details };
}

function notFound() {
  return failure('MOVE_NOT_FOUND', 'There is no such move.');
}

function notReady(why: string, { till, status }: MoveRow) {
  return failure('MOVE_NOT_READY', `The move from ${till} is ${status}: ${why}.`);
}

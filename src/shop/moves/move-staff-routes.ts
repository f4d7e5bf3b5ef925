import Type from 'typebox';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffCaller, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { List, NonBlankText, Nullable, OneOf } from '../../platform/http/schemas.ts';
import { shadowStaffRoutes } from '../shadow/shadow.ts';
import { checkMove } from './check-move.ts';
import { checkNames } from './judge-move.ts';
import { moveFileStaffRoutes } from './move-file-staff-routes.ts';
import { moveFilesShown, selectMoveFiles, selectMoves } from './move-queries.ts';
import { exampleMove, exampleMoveFile, Move, MoveFile, shownMove, shownMoveFile } from './move-schemas.ts';
import { beginMove, moveSteps, openMove, signCheck, stepMove } from './step-move.ts';
import { tryMove } from './try-move.ts';

const path = '/staff/v1/move';
const common = { tag: 'Settings', roles: ['owner'] } as const;
const success = { status: 200, data: Move, description: 'The move', example: exampleMove } as const;

/** Operations on the move of a shop from another till, and on the carts that it sold. */
export function moveStaffRoutes(context: Context): StaffEndpoint[] {
  const shownFor = ({ organizationId }: StaffCaller) =>
    openMove(context, organizationId).then((row) => reply(shownMove(row)));
  return [
    ...shadowStaffRoutes(context),
    staffEndpoint({
      ...common,
      id: 'getMove',
      method: 'GET',
      path,
      kind: 'read',
      readsFrom: { primary: 'a step has just been taken' },
      emptyInDemo: 'a demo comes from no till',
      summary: 'Retrieve the move from another till',
      description:
        'The move that is not over, or the last one: its files, the numbers of its checks and who signed them.',
      success: {
        status: 200,
        data: Type.Object({ move: Nullable(Move), uploads: List(MoveFile, { max: moveFilesShown }) }),
        description: 'The move, null: there was none; with the latest uploaded files',
        example: { move: exampleMove, uploads: [exampleMoveFile] },
      },
      failures: [],
      handle: async ({ staff: { organizationId } }) => {
        const [rows] = await context.database.read(organizationId, selectMoves({}));
        const row = rows.find(({ status }) => status === 'open' || status === 'frozen') ?? rows[0];
        if (row === undefined) return reply({ move: null, uploads: [] });
        const [files] = await context.database.read(organizationId, selectMoveFiles({ moveId: row.id }));
        return reply({ move: shownMove(row), uploads: files.map(shownMoveFile) });
      },
    }),
    staffEndpoint({
      ...common,
      id: 'beginMove',
      method: 'POST',
      path,
      kind: 'write',
      summary: 'Begin a move from another till',
      description:
        'Begins a move, or answers with the one from that till that is not over. There is one at a time.',
      body: Type.Object({ till: NonBlankText({ max: 40 }) }),
      requestExample: { till: 'Corner till' },
      success: { ...success, status: 201 },
      failures: ['MOVE_NOT_READY'],
      handle: async ({ staff, requestId, body }) => {
        await beginMove(context, staffOrigin(staff, requestId), staff.organizationId, body.till);
        return shownFor(staff);
      },
    }),
    ...moveFileStaffRoutes(context),
    staffEndpoint({
      ...common,
      id: 'tryMove',
      method: 'POST',
      path: `${path}/trial`,
      kind: 'write',
      summary: 'Try a move in a sandbox',
      description:
        'Makes a sandbox of the shop, loads every uploaded file into it in the background, one after the other, and makes the checks there. Nothing of the shop changes. The sandbox is deleted after 14 days.',
      success: { ...success, status: 202 },
      failures: ['MOVE_NOT_FOUND', 'MOVE_NOT_READY'],
      handle: async ({ staff, requestId }) =>
        reply(shownMove(await tryMove(context, staffOrigin(staff, requestId), staff.organizationId))),
    }),
    staffEndpoint({
      ...common,
      id: 'checkMove',
      method: 'POST',
      path: `${path}/checks`,
      kind: 'write',
      summary: 'Make the checks of a move',
      description:
        'Compares the files with what the shop has now: rows, tags and quantities against the list of the state, products, prices, customers, consent, points, credit, the totals of each day, and that one system only reports to the state.',
      success,
      failures: ['MOVE_NOT_FOUND'],
      handle: async ({ staff, requestId }) => {
        const { organizationId } = staff;
        const { id } = await openMove(context, organizationId);
        return reply(shownMove(await checkMove(context, staffOrigin(staff, requestId), organizationId, id)));
      },
    }),
    staffEndpoint({
      ...common,
      id: 'signMoveCheck',
      method: 'POST',
      path: `${path}/signatures`,
      kind: 'write',
      summary: 'Sign a check of a move',
      description: 'The signed-in person answers for a check that did not pass, in their own words.',
      body: Type.Object({ check: OneOf(checkNames), note: NonBlankText({ max: 1000 }) }),
      requestExample: { check: 'rows', note: 'Three test profiles' },
      success,
      failures: ['MOVE_NOT_FOUND'],
      handle: async ({ staff, requestId, body }) => {
        const { organizationId, firstName, lastName } = staff;
        const { id } = await openMove(context, organizationId);
        const signed = { ...body, by: `${firstName} ${lastName}`.trim() };
        return reply(
          shownMove(await signCheck(context, staffOrigin(staff, requestId), organizationId, id, signed)),
        );
      },
    }),
    staffEndpoint({
      ...common,
      id: 'stepMove',
      method: 'POST',
      path: `${path}/steps`,
      kind: 'write',
      summary: 'Take a step of a move',
      description:
        '`freeze`: the former till sells no more; `thaw`: it does again; `go`: this shop sells from now on, which needs each check passed or signed since the freeze; `back`: to the former till, until a report of this shop has gone to the state, and with its connections switched off; `cancel`.',
      body: Type.Object({ step: OneOf(moveSteps) }),
      requestExample: { step: 'freeze' },
      success,
      failures: ['MOVE_NOT_FOUND', 'MOVE_NOT_READY'],
      handle: async ({ staff, requestId, body: { step } }) => {
        const { organizationId } = staff;
        const { id } = await openMove(context, organizationId);
        return reply(
          shownMove(await stepMove(context, staffOrigin(staff, requestId), organizationId, id, step)),
        );
      },
    }),
  ];
}

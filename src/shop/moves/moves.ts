/**
 * Front door of moves: a shop that comes from another till, with its files, the numbers that prove it, who signed what they do not prove,
 * and the way back until the first report to the state (D108). Owns `moves` and `move_files`. The files are read by imports and written by their slices; a move
 * keeps their sums and compares them with what the shop has.
 */
export { checkMove, checkTrial } from './check-move.ts';
export { moveFileLoading } from './move-file-job.ts';
export { deleteOldMoveFiles } from './move-queries.ts';
export { moveStaffRoutes } from './move-staff-routes.ts';
export {
  beginMove,
  noteMoveFile,
  noteTrialFile,
  openMove,
  sandboxOf,
  signCheck,
  stepMove,
} from './step-move.ts';
export { SumsOfFile } from './sums-of-file.ts';
export { openTrial } from './try-move.ts';

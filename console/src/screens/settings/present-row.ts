import { ApiFailure } from '../../api.ts';

/** One of a list that is read as a whole. Fails when it is gone since. */
export function presentRow<Row extends { readonly id: number }>(rows: readonly Row[], id: number): Row {
  const row = rows.find((it) => it.id === id);
  if (row === undefined) {
    throw new ApiFailure({ message: 'Somebody has removed it since.', code: 'NOT_FOUND', status: 404 });
  }
  return row;
}

import type { Json } from './json-rows.ts';

/* The shapes in which the state's system refuses. A client reads all of them. */

/** A reply other than 200, with its body as it is sent. */
export class StateRefusal extends Error {
  readonly status: number;
  readonly body: Json | undefined;

  constructor(status: number, body: Json | undefined) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** An entry of a refused array. */
export interface RowProblem {
  /** Position in the array that was sent, from 0. */
  readonly row: number;
  readonly message: string;
}

/** What is wrong with one object of an array; the frame adds its position. */
export class RefusedRow extends Error {
  readonly messages: readonly string[];

  constructor(...messages: readonly string[]) {
    super(messages.join(' '));
    this.messages = messages;
  }
}

/** A refusal with one message, as for parameters. */
export const refusal = (status: number, message: string): StateRefusal =>
  new StateRefusal(status, { Message: message });

/** A refusal by rows: several entries may have the same row. */
export const refusedRows = (problems: readonly RowProblem[]): StateRefusal =>
  new StateRefusal(
    400,
    problems.map(({ row, message }) => ({ row, message })),
  );

/**
 * The same for wrong keys, a missing right, a license of others and an object that this license does not have: the system
 * never says which.
 */
export const unauthorized = (): StateRefusal =>
  refusal(401, 'Authorization has been denied for this request.');

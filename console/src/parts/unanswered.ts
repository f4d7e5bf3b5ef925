import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import { isAnswer } from './connection.ts';
import { messageOf } from './load-failure.tsx';

/** A write without an answer that can be sent again safely: it is done once. */
export class UnansweredWrite extends ApiFailure {
  constructor({ code, status, requestId }: ApiFailure) {
    super({
      message: t`It may have been saved. Check the connection and try again. It is saved only once.`,
      code,
      status,
      requestId,
    });
    this.name = 'UnansweredWrite';
  }
}

/** Whether a write was not sent: the device was offline. */
export function isUnsent(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'OFFLINE' && !(error instanceof UnansweredWrite);
}

/** Whether a failed write may have been done: the service did not report the outcome. */
export function isUnanswered(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && !isAnswer(error.status) && !isUnsent(error);
}

/** Why a write failed, for people: `title` says what is known. */
export function failedWrite(error: unknown, title: string): { title: string; message: string } {
  if (isUnsent(error)) {
    return {
      title: t`This device is offline`,
      message: t`Nothing was sent, and nothing is sent automatically. Try again once you are connected.`,
    };
  }
  if (error instanceof UnansweredWrite) return { title: t`No response`, message: error.message };
  if (!isUnanswered(error)) return { title, message: messageOf(error) };
  return {
    title: t`No response`,
    message: t`It may have been done. Check the connection and try again within ten minutes. Sent unchanged, it is done only once.`,
  };
}

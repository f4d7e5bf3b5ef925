import { ApiFailure } from '../api.ts';
import { isAnswer } from './connection.ts';
import { messageOf } from './load-failure.tsx';

/** Nobody has answered a write that can be sent again: done once, it is not done twice. */
export class UnansweredWrite extends ApiFailure {
  constructor({ code, status, requestId }: ApiFailure) {
    super({
      message: 'It may have been saved all the same. Check the connection and try again: it is saved once.',
      code,
      status,
      requestId,
    });
    this.name = 'UnansweredWrite';
  }
}

/** Whether a write did not reach the service: the device had no network. */
export function isUnsent(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'OFFLINE' && !(error instanceof UnansweredWrite);
}

/** Whether a write may have been done although it failed: the service itself has said nothing. */
export function isUnanswered(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && !isAnswer(error.status) && !isUnsent(error);
}

/** Why a write failed, in words for people: `title` says what is known, which of one without an answer is not much. */
export function failedWrite(error: unknown, title: string): { title: string; message: string } {
  if (isUnsent(error)) {
    return {
      title: 'This device is offline',
      message: 'Nothing was sent, and nothing will be by itself. Try again once it is connected.',
    };
  }
  if (error instanceof UnansweredWrite) return { title: 'No answer came', message: error.message };
  if (!isUnanswered(error)) return { title, message: messageOf(error) };
  return {
    title: 'No answer came',
    message:
      'It may have been done all the same. Check the connection and try again within ten minutes: sent unchanged, it is ' +
      'done once.',
  };
}

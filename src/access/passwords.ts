import { hash, verify } from '@node-rs/argon2';
import { failure } from '../kernel/failure.ts';

/** Each takes a processor and 19 MB for a while, on a thread of a pool that files and names are waiting for too. */
const atOnceMax = 2;
/** Later ones would wait for seconds. */
const waitingMax = 100;

let running = 0;
const waiting: (() => void)[] = [];

/** An argon2id hash, with its salt and parameters in it. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

/** Whether the password is the one of the hash. Without a hash it takes as long and is not. */
export async function isPasswordOf(passwordHash: string | null, password: string): Promise<boolean> {
  if (waiting.length >= waitingMax) {
    throw failure('SERVICE_UNAVAILABLE', 'Too many people are signing in at once.');
  }
  noPassword ??= hashPassword('');
  const against = passwordHash ?? (await noPassword);
  const isRight = await inTurn(() => verify(against, password));
  return isRight && passwordHash !== null;
}

/** Of the same parameters as all others, so that an unknown account takes the time of a known one. */
let noPassword: Promise<string> | undefined;

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // The place is handed on, so that nobody who comes now takes it.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

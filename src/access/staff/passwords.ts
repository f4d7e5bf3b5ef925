import { hash, verify } from '@node-rs/argon2';
import { failure } from '../../kernel/failure.ts';

/** Each hash uses a processor and 19 MB for a while, in the thread pool that also serves files and DNS. */
const atOnceMax = 2;
/** Further callers would wait for seconds. */
const waitingMax = 100;

/** How many hashes this process has made: an unknown account must cost as many as a known one. */
export const madeHashes = { count: 0 };

let running = 0;
const waiting: (() => void)[] = [];

/** An argon2id hash, with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password));
}

/** The hash of a PIN with the salt of its organization: the same PIN has the same hash there. */
export function hashPin(pin: string, salt: Uint8Array): Promise<string> {
  return inTurn(() => hash(pin, { salt }));
}

/** Whether the password matches the hash. Without a hash it takes as long and returns false. */
export async function isPasswordOf(passwordHash: string | null, password: string): Promise<boolean> {
  if (waiting.length >= waitingMax) {
    throw failure('SERVICE_UNAVAILABLE', 'Too many people are signing in at once.');
  }
  noPassword ??= hashPassword('');
  const against = passwordHash ?? (await noPassword);
  const isRight = await inTurn(() => verify(against, password));
  return isRight && passwordHash !== null;
}

/** With the same parameters as all others, so that an unknown account takes as long as a known one. */
let noPassword: Promise<string> | undefined;

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  madeHashes.count++;
  if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // Hands the slot to the next waiting caller, so that a new one cannot take it.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

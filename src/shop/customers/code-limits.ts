import { addressLimits, failureLimit, type UnprovenLimits } from '../../platform/http/rate-limits.ts';

const refusal = 'Too many attempts to sign customers in.';

/** Codes that are sent to customers (D62): a household in an evening; and a bound for a page that is flooded. */
export const sentCodes: UnprovenLimits = {
  ofAddress: addressLimits('codes', { perSecond: 1 / 60, burst: 10 }),
  ofKey: failureLimit('codesOfKey', { perSecond: 2, burst: 200 }),
  refusal,
};

/**
 * Wrong guesses of these codes, over all contacts. From many networks together a key gets 43,500 a day: of a million codes one
 * is met in 23 days of a flood. Each contact has its own ten in an hour.
 */
export const guessedCodes: UnprovenLimits = {
  ofAddress: addressLimits('guesses', { perSecond: 1 / 30, burst: 20 }),
  ofKey: failureLimit('guessesOfKey', { perSecond: 1 / 2, burst: 300 }),
  refusal,
};

/** Whether the long suite runs (`npm run test:long`): the full counts of random cases, and the slow proofs. */
export const isLongSuite = process.env.TEST_SUITE === 'long';

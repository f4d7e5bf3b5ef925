/** The same reductions as kind `line`. */
export { naive } from './line.test-support.ts';

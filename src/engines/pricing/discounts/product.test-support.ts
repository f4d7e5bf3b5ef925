/** The same reductions as kind `line`. */
export { reference } from './line.test-support.ts';

export { freshKey } from '../../../sdk/src/write-keys.ts';

import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** `npm run plans`. */
const config = mergeConfig(base, { test: { testTimeout: 7_200_000, hookTimeout: 7_200_000 } });
config.test!.include = ['test/plans/explain-statements.ts'];
export default config;

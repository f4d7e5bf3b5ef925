import { defineConfig } from 'vitest/config';

/** `npm run test:citus`: on the coordinator of DATABASE_URL, whose database is distributed. */
export default defineConfig({
  test: { include: ['test/citus/tenant-statements.ts'], testTimeout: 1_800_000, hookTimeout: 120_000 },
});

import { ensureDemo } from '../seed/ensure-demo.ts';
import type { Command } from './command.ts';

/** Fills an empty database with the demo shops. */
export const demoCommands: Readonly<Record<string, Command>> = {
  seed: {
    summary: 'create the demo shops in a database without organizations',
    options: {},
    run: async ({ config, database, say }) => {
      const urls = {
        baseUrl: `http://127.0.0.1:${config.port}`,
        menuUrl: `http://127.0.0.1:${config.menuPort}`,
      };
      const seeded = await ensureDemo(config, database, urls, say);
      return seeded
        ? { lines: [`Keys and sign-in: ${config.dataDir}/demo.json`], data: { seeded } }
        : { lines: ['Nothing to do: there are organizations already'], data: { seeded } };
    },
  },
};

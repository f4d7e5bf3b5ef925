import { createSandbox } from '../src/shop/sandbox/sandbox.ts';
import type { Command } from './command.ts';
import { operatorOrigin as origin } from './command.ts';
import { chosenIntegrator, whichIntegrator } from './integrator-commands.ts';
import { UsageError } from './usage-error.ts';

/** The commands of sandboxes (D60). */
export const sandboxCommands: Readonly<Record<string, Command>> = {
  'sandbox create': {
    summary: 'make a sandbox for an integrator: a shop of its own, with test keys that are shown once',
    options: whichIntegrator,
    check: ({ sandboxes }) => {
      if (!sandboxes) throw new UsageError('this deployment allows no sandboxes: set SANDBOXES=on');
    },
    run: async (deployment, options) => {
      const { id, name, revokedAt } = await chosenIntegrator(deployment, options);
      if (revokedAt !== null) throw new UsageError(`integrator ${id} (${name}) was revoked at ${revokedAt}`);
      const made = await createSandbox(deployment.context, origin, { id, name });
      return {
        lines: [
          `Sandbox ${made.organizationId}: ${made.name}`,
          `Consumer key (shown once): ${made.consumerKey}`,
          `Client key, vouched (shown once): ${made.clientKey}`,
          `Client key, proven, as real shops have it (shown once): ${made.provenClientKey}`,
          `Publishable key, for pages of ${made.origins.join(', ')}: ${made.publishableKey}`,
        ],
        data: made,
      };
    },
  },
};

import type { SandboxRunner } from '../http/endpoint-pipeline.ts';
import type { OrganizationClock } from '../kernel/clock.ts';

/** Runs the requests of sandboxes by their clocks. */
export function createSandboxRunner({ clock }: { readonly clock: OrganizationClock }): SandboxRunner {
  return {
    answer: ({ caller }, answer) => clock.runBy(caller.sandbox!.clock, () => Promise.resolve(answer())),
    byClock: (setting, work) => clock.runBy(setting, work),
  };
}

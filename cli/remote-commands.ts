import { assistantCommands } from './assistant-command.ts';
import type { Command } from './command.ts';
import { doctorCommands } from './doctor-commands.ts';
import { listenCommands } from './listen-command.ts';
import { mirrorCommands } from './mirror-commands.ts';
import { triggerCommands } from './trigger-command.ts';

/**
 * The commands of integrators: they work over HTTP, with an integrator's keys. They are also published by themselves
 * (`run-remote-command.ts`), so nothing here may need a database.
 */
export const remoteCommands: Readonly<Record<string, Command>> = {
  ...listenCommands,
  ...triggerCommands,
  ...mirrorCommands,
  ...doctorCommands,
  ...assistantCommands,
};

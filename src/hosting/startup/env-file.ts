import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the file `.env` in the folder; none without the file. Throws if it cannot be read. */
export function readEnvFile(cwd: string): Environment {
  const path = join(cwd, '.env');
  try {
    return withoutEmpty(parseEnv(readFileSync(path, 'utf8')) as Environment);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(
      `The settings in ${path} cannot be read: ${reasonOfFileFailure(error)}. Repair or remove the file.`,
    );
  }
}

/** `PORT=` means "not set", as in a compose file that passes a variable through. */
export function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

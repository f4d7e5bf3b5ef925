import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Addresses and keys, from the environment or from the file that the demo writes when it starts. */
export interface DispatcherSettings {
  readonly baseUrl: string;
  readonly consumerKey: string;
  readonly clientKey: string;
  /** Who signs in to assign drivers. */
  readonly staff: { readonly email: string; readonly password: string };
  /** Where the service reaches this program; null: it cannot, and the change feed alone tells what happens. */
  readonly publicUrl: string | null;
  readonly drivers: readonly string[];
}

/** Reads the settings. Fails with the name of the first that is missing. */
export function readDispatcherSettings(environment: NodeJS.ProcessEnv = process.env): DispatcherSettings {
  const {
    DISPENSARY_URL,
    PUBLIC_URL = null,
    DRIVERS = 'Tomas Reyes, Inés Duarte, Wren Holloway',
  } = environment;
  const shared = { publicUrl: PUBLIC_URL, drivers: DRIVERS.split(',').map((name) => name.trim()) };
  if (DISPENSARY_URL !== undefined) {
    return {
      ...shared,
      baseUrl: DISPENSARY_URL,
      consumerKey: needed(environment, 'DISPENSARY_CONSUMER_KEY'),
      clientKey: needed(environment, 'DISPENSARY_CLIENT_KEY'),
      staff: { email: needed(environment, 'STAFF_EMAIL'), password: needed(environment, 'STAFF_PASSWORD') },
    };
  }
  const file = environment.DEMO_FILE ?? join(import.meta.dirname, '..', '..', 'data', 'demo.json');
  if (!existsSync(file)) {
    throw new Error(
      `There is no ${file}. Start the demo first (npm start in the project's folder), or set DISPENSARY_URL and the keys.`,
    );
  }
  const { baseUrl, organizations } = JSON.parse(readFileSync(file, 'utf8'));
  const { consumerKey, clientKey, staff } = organizations[Number(environment.SHOP ?? 0)];
  return { ...shared, baseUrl, consumerKey, clientKey, staff };
}

function needed(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`Set ${name}, or start the demo and leave DISPENSARY_URL away.`);
  return value;
}

import { type CommerceClient, CommerceError, createClient } from '../sdk/integrator/src/commerce-sdk.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { isKeyPermission, permissions } from '../src/kernel/permission-catalog.ts';
import { type Command, optional, type RemoteConfig, type Result } from './command.ts';
import { shopOf } from './mirror-commands.ts';

/** `good`: as it should be. `look`: may be meant so. `fix`: not ready for customers. */
type Verdict = 'good' | 'look' | 'fix';

interface Finding {
  readonly verdict: Verdict;
  readonly check: string;
  readonly text: string;
}

/** What the checks ask. */
interface Patient {
  readonly baseUrl: string;
  readonly client: CommerceClient;
  readonly nowMs: () => number;
}

type Check = (patient: Patient) => Promise<readonly Finding[]>;

/** Checks an integrator's side before it goes live, over HTTP, with its keys. */
export const doctorCommands: Readonly<Record<string, Command>> = {
  doctor: {
    summary:
      "check an integrator's keys, requests and webhooks before going live; exit code 1 if something must change",
    options: {
      url: optional('the address of the service; DISPENSARY_URL, or that of demo.json'),
      'consumer-key': optional('by default DISPENSARY_CONSUMER_KEY, or that of demo.json'),
      key: optional('the client key; by default DISPENSARY_CLIENT_KEY, or that of demo.json'),
      organization: optional('id or name of a shop of demo.json; by default its first'),
    },
    runRemote: examine,
  },
};

const dayMs = 86_400_000;
const clockToleranceMs = 60_000;
/** Receivers of webhooks refuse a timestamp that is further off. */
const clockMsMax = 300_000;
const pagesRead = 4;
/** Shares of refused requests. */
const refusedToLook = 0.05;
const refusedToFix = 0.5;

async function examine(config: RemoteConfig, options: Readonly<Record<string, string>>): Promise<Result> {
  const { mirrored } = config;
  const sent = {
    ...mirrored,
    consumerKey: options['consumer-key'] ?? mirrored.consumerKey,
    clientKey: options.key ?? mirrored.clientKey,
  };
  const { baseUrl, consumerKey, clientKey } = shopOf({ dataDir: config.dataDir, mirrored: sent }, options);
  const client = createClient({ baseUrl, consumerKey, clientKey, timeoutMs: 10_000, retries: 1 });
  const patient: Patient = { baseUrl, client, nowMs: () => systemClock.now() };
  const findings: Finding[] = [];
  // Without valid keys the other checks say nothing.
  for (const check of [address, keys, requests, webhooks]) {
    const found = await check(patient).catch((error: unknown) => [failed(check.name, error)]);
    findings.push(...found);
    if (found.some(({ verdict, check: name }) => verdict === 'fix' && name !== 'requests')) break;
  }
  const mustChange = findings.filter(({ verdict }) => verdict === 'fix').length;
  return {
    lines: [
      ...findings.map(({ verdict, check, text }) => `${verdict}  ${check.padEnd(11)}  ${text}`),
      mustChange === 0 ? 'Nothing must change' : `${mustChange} must change`,
    ],
    data: { findings, mustChange },
    exitCode: mustChange === 0 ? 0 : 1,
  };
}

function failed(check: string, error: unknown): Finding {
  if (!(error instanceof CommerceError)) throw error;
  return { verdict: 'fix', check, text: `${error.message} (${error.code})` };
}

const address: Check = async ({ baseUrl, nowMs }) => {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const tls: Finding =
    protocol === 'https:'
      ? { verdict: 'good', check: 'address', text: 'TLS protects the keys on their way' }
      : {
          verdict: isLocal ? 'look' : 'fix',
          check: 'address',
          text: `${baseUrl} has no TLS: keys and personal data travel in plain text`,
        };
  const startedMs = nowMs();
  const response = await fetch(new URL('/healthz', baseUrl), { signal: AbortSignal.timeout(10_000) }).catch(
    (cause: unknown) => {
      throw new CommerceError(`${baseUrl} does not answer.`, { code: 'NO_CONNECTION', cause });
    },
  );
  // The header has whole seconds, and the reply took its time.
  const offMs = Math.abs(Date.parse(response.headers.get('date') ?? '') - (startedMs + nowMs()) / 2);
  return [tls, clockFinding(offMs)];
};

/** `offMs` NaN: the reply did not say its time. Exported for its test: a test cannot set the clock of the machine. */
export function clockFinding(offMs: number): Finding {
  const check = 'clock';
  if (Number.isNaN(offMs)) {
    return { verdict: 'look', check, text: 'the clocks could not be compared: the reply has no valid Date' };
  }
  if (offMs <= clockToleranceMs) return { verdict: 'good', check, text: 'the clocks agree' };
  const verdict = offMs > clockMsMax ? 'fix' : 'look';
  const seconds = Math.round(offMs / 1_000);
  return { verdict, check, text: `this machine is ${seconds} seconds off: webhooks are refused from 300 on` };
}

interface WhoAmI {
  readonly organization: { readonly name: string };
  readonly environment: string;
  readonly key: {
    readonly name: string;
    readonly permissions: readonly string[];
    readonly expiresAt: string | null;
    readonly previousEndsAt: string | null;
  };
}

const keys: Check = async ({ client, nowMs }) => {
  const { data } = await client.get<WhoAmI>('/api/v1/whoami');
  const { environment, key, organization } = data;
  const check = 'keys';
  const found: Finding[] = [
    { verdict: 'good', check, text: `the keys are valid: ${key.name} for ${organization.name}` },
  ];
  if (environment !== 'production') {
    found.push({ verdict: 'look', check, text: `they are for the environment ${environment}` });
  }
  const endsInMs = key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt) - nowMs();
  if (endsInMs < 30 * dayMs) {
    found.push({
      verdict: 'look',
      check,
      text: `the client key ends at ${key.expiresAt}: ask for its rotation`,
    });
  }
  if (key.previousEndsAt !== null) {
    found.push({
      verdict: 'look',
      check,
      text: `a former text of the key works until ${key.previousEndsAt}`,
    });
  }
  const granted = key.permissions.filter(isKeyPermission);
  found.push(
    permissions.every((permission) => granted.includes(permission))
      ? { verdict: 'look', check: 'permissions', text: 'the key has all permissions: ask for those you need' }
      : { verdict: 'good', check: 'permissions', text: granted.join(', ') || 'none' },
  );
  return found;
};

interface OwnRequest {
  readonly id: string;
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string;
}

const requests: Check = async ({ client }) => {
  const rows: OwnRequest[] = [];
  for await (const row of client.list<OwnRequest>('/api/v1/requests')) {
    rows.push(row);
    if (rows.length === pagesRead * 50) break;
  }
  const check = 'requests';
  // Those of this command are among them.
  const refused = rows.filter(({ status }) => status >= 400);
  const fault = rows.find(({ status }) => status >= 500 && status !== 503);
  const found: Finding[] = [];
  if (fault !== undefined) {
    found.push({
      verdict: 'look',
      check,
      text: `a fault of the service at ${fault.requestId}: tell the operator`,
    });
  }
  const share = refused.length / Math.max(1, rows.length);
  const codes = [...new Set(refused.map(({ code, status }) => code ?? status))].join(', ');
  const counted = `${refused.length} of the last ${rows.length} were refused`;
  if (share > refusedToFix) found.push({ verdict: 'fix', check, text: `${counted}: ${codes}` });
  else if (share > refusedToLook) found.push({ verdict: 'look', check, text: `${counted}: ${codes}` });
  else found.push({ verdict: 'good', check, text: counted });
  return found;
};

interface WebhookEndpoint {
  readonly url: string;
  readonly enabled: boolean;
  readonly failingSince: string | null;
  readonly switchedOffAt: string | null;
}

const webhooks: Check = async ({ client }) => {
  const { data } = await client.get<readonly WebhookEndpoint[]>('/api/v1/webhook-endpoints');
  const check = 'webhooks';
  if (data.length === 0) {
    return [{ verdict: 'look', check, text: 'there is no endpoint: follow the changes instead' }];
  }
  return data.map(({ url, enabled, failingSince, switchedOffAt }): Finding => {
    const { host } = new URL(url);
    if (!enabled) {
      const since = switchedOffAt === null ? '' : ` since ${switchedOffAt}`;
      return { verdict: 'fix', check, text: `${host} is disabled${since}: it gets nothing` };
    }
    if (failingSince !== null) {
      return { verdict: 'fix', check, text: `${host} has refused events since ${failingSince}` };
    }
    return { verdict: 'good', check, text: `${host} keeps up` };
  });
};

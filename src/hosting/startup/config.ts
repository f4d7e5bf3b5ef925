import { join, resolve } from 'node:path';
import { isAddressOrRange } from '../../kernel/address-ranges.ts';
import { serverAddresses, serversMax } from '../../platform/connections/server-addresses.ts';
import type { BucketSettings } from '../../platform/storage/s3-blob-store.ts';
import type { FileLimits } from '../../shop/files/file-limits.ts';
import { readSecurityContact, refuseEqualPorts } from './address-settings.ts';
import { type Environment, readEnvFile, withoutEmpty } from './env-file.ts';
import { readFileLimits } from './file-limit-settings.ts';
import { type BackupLock, masterKeyReader, readBackupLock, readOperatorKey } from './key-settings.ts';
import { type MailSettings, readMail } from './mail-settings.ts';
import { parsedUrl, shownValue } from './shown-setting.ts';
import { readStateSystem, type StateSystemSettings } from './state-system-settings.ts';
import { refuseUselessArchive, type WalArchiveSettings } from './wal-archive-settings.ts';

const roles = ['api', 'menu', 'worker'] as const;
const environments = ['production', 'staging'] as const;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** In `DATA_DIR`, unless AUDIT_ANCHORS names another folder. */
export const anchorFolderName = 'audit-anchors';

/** As many as its connections allow. */
const embeddedWorkersMax = 10;

/** All settings. Ports: 0 takes a free one. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly menuPort: number;
  /** Undefined: no metrics. They have a separate listener, so that no public one can expose them. */
  readonly metricsPort: number | undefined;
  /** Opens the operator's page at the port of the metrics; undefined: there is none. */
  readonly operatorKey: string | undefined;
  /** The public URL of the base address, without a trailing slash; undefined: host and port. */
  readonly publicUrl: string | undefined;
  /** The public URL of the menu address. */
  readonly publicMenuUrl: string | undefined;
  /** Whom to tell of a weakness: `mailto:…` or `https://…`; undefined: no one is named. */
  readonly securityContact: string | undefined;
  /** Addresses and ranges of the proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Absolute. */
  readonly dataDir: string;
  /** Where anchors of the audit log are written; absolute. */
  readonly anchorFolder: string;
  /** The bucket for photos and documents; undefined: folders of `dataDir`. */
  readonly bucket: BucketSettings | undefined;
  /** Where the embedded database archives its log (D77); undefined: nowhere. */
  readonly walArchive: WalArchiveSettings | undefined;
  /** An external PostgreSQL, with a login that may migrate; undefined: the embedded one. */
  readonly databaseUrl: string | undefined;
  /** The serving login; undefined: that of `databaseUrl`, with the serving role set. */
  readonly databaseAppUrl: string | undefined;
  /** A streaming standby of `databaseUrl`, for lists and reports; undefined: the primary answers everything. */
  readonly databaseReadUrl: string | undefined;
  /** A standby that is farther behind is not used. */
  readonly readLagBytes: number;
  /**
   * The keys that wrap the keys of customers' documents, 32 bytes each, the current one first; empty: the key of a
   * file.
   */
  readonly documentMasterKeys: readonly Uint8Array[];
  /** Whether none is configured: the key is in a file of the data folder. */
  readonly keepsKeyInFile: boolean;
  /** Whether a start is refused while a master key of stored documents is missing. */
  readonly checksDocumentKeys: boolean;
  /** Ed25519 keys whose signatures on editions of the law are trusted; empty: only unsigned imports. */
  readonly lawPublicKeys: readonly Uint8Array[];
  /** Own hosts, `name` or `name:port`, that may get webhooks, sign staff in, or take payments. */
  readonly webhookHostsAllowed: readonly string[];
  readonly signInHostsAllowed: readonly string[];
  readonly paymentHostsAllowed: readonly string[];
  /** How the states' systems are reached. */
  readonly stateSystem: StateSystemSettings;
  /** The mail server, and the address that mail comes from; undefined: mail stays in the mailbox. */
  readonly mail: MailSettings | undefined;
  /** The shop that `dispensary mirror` copies: an integrator's keys; empty: those of the demo. */
  readonly mirrored: {
    readonly url: string | undefined;
    readonly consumerKey: string;
    readonly clientKey: string;
  };
  readonly environment: (typeof environments)[number];
  /** The variables of OpenTelemetry, if they name a collector; undefined: nothing is traced. */
  readonly otel: Readonly<Record<string, string>> | undefined;
  /** Whether an empty database gets the demo shops. */
  readonly demo: boolean;
  /** Whether integrators may have sandboxes. */
  readonly sandboxes: boolean;
  /** How many photos and documents an organization may keep, unless the operator set limits of its own. */
  readonly fileLimits: FileLimits;
  /** For whom backups are encrypted, or with what; undefined: they are not. */
  readonly backupLock: BackupLock | undefined;
  readonly logLevel: (typeof logLevels)[number];
  readonly rateLimits: boolean;
  readonly roles: readonly (typeof roles)[number][];
  /** Processes of this start that accept requests, all on the same ports; 1: the start itself does. */
  readonly workers: number;
  /** How long the process serves on after SIGTERM, with `/readyz` 503, before it closes its ports. */
  readonly drainMs: number;
  /** For running requests, after the ports are closed. */
  readonly shutdownTimeoutMs: number;
}

/**
 * Reads the configuration from `env` and, for unset variables, from the file `.env` in `cwd`. Throws one error that names every wrong
 * variable, its value and what was expected. With `asksForKeys: 'late'` the key service is asked when a key is needed first.
 */
export function loadConfig(
  env: Environment,
  cwd: string,
  { asksForKeys = 'now' }: { readonly asksForKeys?: 'now' | 'late' } = {},
): Config {
  const read = new Reader({ ...readEnvFile(cwd), ...withoutEmpty(env) });
  const masterKeys = masterKeyReader(read);
  const asksLater = asksForKeys === 'late' && read.isSet('DOCUMENT_MASTER_KEY_COMMAND');
  const databaseUrl = read.databaseUrl('DATABASE_URL');
  const config: Config = {
    host: read.text('HOST', '127.0.0.1'),
    port: read.wholeNumber('PORT', 8080, 65_535),
    menuPort: read.wholeNumber('MENU_PORT', 8081, 65_535),
    metricsPort: read.wholeNumber('METRICS_PORT', undefined, 65_535),
    operatorKey: readOperatorKey(read),
    publicUrl: read.webUrl('PUBLIC_URL'),
    publicMenuUrl: read.webUrl('PUBLIC_MENU_URL'),
    securityContact: readSecurityContact(read),
    trustedProxies: read.addresses('TRUSTED_PROXIES'),
    dataDir: resolve(cwd, read.text('DATA_DIR', 'data')),
    anchorFolder: resolve(
      cwd,
      read.text('AUDIT_ANCHORS', join(read.text('DATA_DIR', 'data'), anchorFolderName)),
    ),
    bucket: readBucket(read),
    walArchive: readWalArchive(read, cwd),
    databaseUrl,
    databaseAppUrl: read.databaseUrl('DATABASE_APP_URL'),
    databaseReadUrl: read.databaseUrl('DATABASE_READ_URL'),
    readLagBytes: read.wholeNumber('READ_LAG_BYTES', 1_048_576, 1_073_741_824),
    get documentMasterKeys() {
      const keys = masterKeys();
      read.throwIfWrong();
      return keys;
    },
    keepsKeyInFile: !asksLater && masterKeys().length === 0,
    fileLimits: readFileLimits(read),
    backupLock: readBackupLock(read),
    lawPublicKeys: read.publicKeys('LAW_PUBLIC_KEYS'),
    checksDocumentKeys: read.oneOf('DOCUMENT_KEY_CHECK', ['on', 'off'], 'on') === 'on',
    webhookHostsAllowed: read.hosts('WEBHOOK_HOSTS_ALLOWED'),
    stateSystem: readStateSystem(read),
    signInHostsAllowed: read.hosts('SIGN_IN_HOSTS_ALLOWED'),
    paymentHostsAllowed: read.hosts('PAYMENT_HOSTS_ALLOWED'),
    mail: readMail(read),
    mirrored: Object.freeze({
      url: read.webUrl('DISPENSARY_URL'),
      consumerKey: read.text('DISPENSARY_CONSUMER_KEY', ''),
      clientKey: read.text('DISPENSARY_CLIENT_KEY', ''),
    }),
    otel: readOtel(read),
    environment: read.oneOf('DISPENSARY_ENVIRONMENT', environments, 'production'),
    demo: read.oneOf('DEMO', ['on', 'off'], demoDefault(databaseUrl)) === 'on',
    sandboxes: read.oneOf('SANDBOXES', ['on', 'off'], sandboxesDefault(read, databaseUrl)) === 'on',
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    rateLimits: read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    roles: read.someOf('ROLES', roles),
    workers: read.wholeNumber('WORKERS', 1, 64),
    drainMs: read.wholeNumber('DRAIN_SECONDS', 0, 600) * 1_000,
    shutdownTimeoutMs: read.wholeNumber('SHUTDOWN_TIMEOUT_SECONDS', 25, 3_600) * 1_000,
  };
  if (config.bucket && config.keepsKeyInFile) {
    // Processes that share a bucket need not share a disk, and a new one would not have the key file.
    read.refuse('DOCUMENT_MASTER_KEY', '32 bytes in Base64, because BLOB_STORE is set');
  }
  refuseContradictions(config, read);
  read.throwIfWrong();
  return Object.freeze(config);
}

/** Settings that say something only together with another one. */
function refuseContradictions(config: Config, read: Reader): void {
  refuseUselessArchive(config, (name, expected) => read.refuse(name, expected));
  if (config.workers === 0) read.refuse('WORKERS', 'at least 1');
  if (config.databaseUrl === undefined && config.workers > embeddedWorkersMax) {
    read.refuse('WORKERS', `at most ${embeddedWorkersMax} with the embedded database`);
  }
  if (config.workers > 1 && !config.roles.includes('api') && !config.roles.includes('menu')) {
    read.refuse('WORKERS', '1, because ROLES has neither api nor menu');
  }
  if (config.databaseAppUrl && !config.databaseUrl)
    read.refuse('DATABASE_APP_URL', 'DATABASE_URL to be set too');
  if (config.databaseReadUrl && !config.databaseUrl) {
    const expected = 'DATABASE_URL to be set too, because the embedded database has no standby';
    read.refuse('DATABASE_READ_URL', expected);
  }
  if (config.readLagBytes === 0) read.refuse('READ_LAG_BYTES', 'at least 1');
  if (read.isSet('READ_LAG_BYTES') && !config.databaseReadUrl) {
    read.refuse('READ_LAG_BYTES', 'DATABASE_READ_URL to be set too');
  }
  refuseEqualPorts(read, [
    ['PORT', config.port],
    ['MENU_PORT', config.menuPort],
    ['METRICS_PORT', config.metricsPort],
  ]);
}

/** An external PostgreSQL gets no demo data by default. */
function demoDefault(databaseUrl: string | undefined): 'on' | 'off' {
  return databaseUrl === undefined ? 'on' : 'off';
}

/** For trying out: beside the demo, and on staging. Elsewhere the owner of the deployment says so. */
function sandboxesDefault(read: Reader, databaseUrl: string | undefined): 'on' | 'off' {
  const isStaging = read.text('DISPENSARY_ENVIRONMENT', '') === 'staging';
  return isStaging || read.text('DEMO', demoDefault(databaseUrl)) === 'on' ? 'on' : 'off';
}

/** OpenTelemetry's own variables (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). */
function readOtel(read: Reader): Config['otel'] {
  const collector = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const endpoints = [collector, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'];
  for (const name of endpoints) read.webUrl(name);
  const protocol = read.text('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');
  if (protocol !== 'http/json') read.refuse('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');
  read.wholeNumber('OTEL_METRIC_EXPORT_INTERVAL', undefined, 3_600_000);
  if (read.text('OTEL_SDK_DISABLED', 'false') === 'true') return undefined;
  return endpoints.some((name) => read.isSet(name)) ? Object.freeze(read.startingWith('OTEL_')) : undefined;
}

const bucketVariables = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PATH_STYLE',
] as const;

/** `BLOB_STORE=s3://bucket/prefix`, and the access to that bucket. */
function readBucket(read: Reader): BucketSettings | undefined {
  const place = read.bucketPlace('BLOB_STORE');
  if (place !== undefined) return Object.freeze({ ...place, ...readBucketAccess(read) });
  if (read.text('WAL_ARCHIVE', '').startsWith('s3://')) return undefined;
  for (const name of bucketVariables.filter((name) => read.isSet(name))) {
    read.refuse(name, 'BLOB_STORE to be set too, or a WAL_ARCHIVE in a bucket');
  }
  return undefined;
}

const archiveVariables = ['WAL_ARCHIVE_MASTER_KEY', 'BASE_BACKUP_HOURS', 'KEEP_BASE_BACKUPS'] as const;

/** `WAL_ARCHIVE`, a folder or `s3://bucket/prefix` with the same access as `BLOB_STORE`, and what is kept there. */
function readWalArchive(read: Reader, cwd: string): WalArchiveSettings | undefined {
  const text = read.text('WAL_ARCHIVE', '');
  const isBucket = text.startsWith('s3://');
  const baseHours = read.wholeNumber('BASE_BACKUP_HOURS', 24, 744);
  const keepBases = read.wholeNumber('KEEP_BASE_BACKUPS', 7, 1_000);
  const masterKey = read.oneOf('WAL_ARCHIVE_MASTER_KEY', ['on', 'off'], isBucket ? 'off' : 'on');
  if (baseHours === 0) read.refuse('BASE_BACKUP_HOURS', 'at least 1');
  if (keepBases === 0) read.refuse('KEEP_BASE_BACKUPS', 'at least 1');
  if (text === '') {
    for (const name of archiveVariables.filter((name) => read.isSet(name))) {
      read.refuse(name, 'WAL_ARCHIVE to be set too');
    }
    return undefined;
  }
  const place = isBucket
    ? { bucket: Object.freeze({ ...read.bucketPlace('WAL_ARCHIVE')!, ...readBucketAccess(read) }) }
    : { folder: resolve(cwd, text) };
  return Object.freeze({
    ...{ place: Object.freeze(place), includesMasterKey: masterKey === 'on' },
    ...{ baseHours, keepBases },
  });
}

/** The access to buckets. */
function readBucketAccess(read: Reader): Omit<BucketSettings, 'bucket' | 'prefix'> {
  const endpoint = read.webUrl('S3_ENDPOINT');
  const accessKeyId = read.text('S3_ACCESS_KEY_ID', '');
  const secretAccessKey = read.text('S3_SECRET_ACCESS_KEY', '');
  if (accessKeyId !== '' && secretAccessKey === '') {
    read.refuse('S3_SECRET_ACCESS_KEY', 'the secret of S3_ACCESS_KEY_ID');
  }
  if (accessKeyId === '' && secretAccessKey !== '') {
    read.refuse('S3_ACCESS_KEY_ID', 'the id of S3_SECRET_ACCESS_KEY');
  }
  const region = read.text('S3_REGION', 'us-east-1');
  if (!/^[a-z0-9-]{1,64}$/.test(region)) read.refuse('S3_REGION', 'a name such as us-east-1');
  return {
    endpoint,
    region,
    credentials: accessKeyId === '' ? undefined : Object.freeze({ accessKeyId, secretAccessKey }),
    isPathStyle: read.oneOf('S3_PATH_STYLE', ['on', 'off'], endpoint === undefined ? 'off' : 'on') === 'on',
  };
}

class Reader {
  readonly #values: Environment;
  readonly #wrong: string[] = [];

  constructor(values: Environment) {
    this.#values = values;
  }

  isSet(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  startingWith(prefix: string): Record<string, string> {
    const found = Object.entries(this.#values).filter(([name]) => name.startsWith(prefix));
    return Object.fromEntries(found) as Record<string, string>;
  }

  text(name: string, fallback: string): string {
    return this.#values[name] ?? fallback;
  }

  wholeNumber<Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    max: number,
  ): number | Fallback {
    const value = this.#values[name];
    if (value === undefined) return fallback;
    if (!/^\d+$/.test(value) || Number(value) > max) this.refuse(name, `a whole number from 0 to ${max}`);
    return Number(value);
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[], fallback: Value): Value {
    const value = this.#values[name] ?? fallback;
    if (!allowed.includes(value as Value)) this.refuse(name, `one of ${allowed.join(', ')}`);
    return value as Value;
  }

  /** A list separated by commas; all values if it is not set. */
  someOf<Value extends string>(name: string, allowed: readonly Value[]): readonly Value[] {
    const value = this.#values[name];
    if (value === undefined) return allowed;
    const chosen = value.split(',').map((part) => part.trim());
    if (!chosen.every((part) => allowed.includes(part as Value))) {
      this.refuse(name, `some of ${allowed.join(',')}, separated by commas`);
    }
    return Object.freeze(chosen as Value[]);
  }

  /** Without a trailing slash: paths are appended. */
  webUrl(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const url = parsedUrl(value);
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.refuse(name, 'an address such as https://shop.example.com');
    } else if (`${url.username}${url.password}` !== '') {
      this.refuse(name, 'an address without a user');
    } else if (/[?#]/.test(value)) {
      this.refuse(name, 'an address without a query or a fragment, because paths are appended to it');
    }
    return value.replace(/\/+$/, '');
  }

  databaseUrl(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const servers = serverAddresses(value);
    if (servers.length === 0) {
      this.refuse(
        name,
        'postgres://user:password@host:port/database, or postgres://user:password@/database?host=/folder/of/its/socket',
      );
    }
    if (servers.length > serversMax) this.refuse(name, `at most ${serversMax} servers`);
    return value;
  }

  smtpUrl(name: string): string | undefined {
    const value = this.#values[name];
    const url = value === undefined ? undefined : parsedUrl(value);
    if (value !== undefined && (!/^smtps?:$/.test(url?.protocol ?? '') || !url?.hostname)) {
      this.refuse(name, 'smtp://user:password@host:587 or smtps://user:password@host:465');
    }
    return value;
  }

  /** Addresses and ranges, separated by commas. */
  addresses(name: string): readonly string[] {
    const parts = this.#values[name]?.split(',').map((part) => part.trim()) ?? [];
    // A range of all addresses would let every client choose its address.
    if (!parts.every((part) => isAddressOrRange(part) && !part.endsWith('/0'))) {
      this.refuse(name, 'addresses and ranges such as 10.0.0.0/8,2001:db8::7, separated by commas');
    }
    return Object.freeze(parts);
  }

  /** Host names or addresses, with or without a port, separated by commas. As URLs have them: in lower case. */
  hosts(name: string): readonly string[] {
    const parts = this.#values[name]?.split(',').map((part) => part.trim().toLowerCase()) ?? [];
    if (
      !parts.every((part) =>
        /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/.test(part),
      )
    ) {
      this.refuse(name, 'hosts such as hooks.internal,10.0.0.7:9000, separated by commas');
    }
    // The brackets of an IPv6 address are not part of the name.
    return Object.freeze(parts.map((part) => part.replace(/^\[(.*)\]/, '$1')));
  }

  bucketPlace(name: string): { readonly bucket: string; readonly prefix: string } | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9][\w.-]*)*)\/?$/.exec(value);
    if (match === null) this.refuse(name, 's3://bucket or s3://bucket/prefix');
    return { bucket: match?.[1] ?? '', prefix: match?.[2]?.slice(1) ?? '' };
  }

  /** Keys of 32 bytes in Base64, separated by commas. */
  keys(name: string): readonly Uint8Array[] {
    const parts = this.#values[name]?.split(',').map((part) => part.trim()) ?? [];
    if (!parts.every((part) => /^[A-Za-z0-9+/]{43}=?$/.test(part))) {
      this.refuse(
        name,
        '32 bytes in Base64 (openssl rand -base64 32), former ones after it, separated by commas',
      );
    }
    return Object.freeze(parts.map((part) => Buffer.from(part, 'base64')));
  }

  /** Ed25519 keys of 32 bytes in Base64, separated by commas. */
  publicKeys(name: string): readonly Uint8Array[] {
    const parts = this.#values[name]?.split(',').map((part) => part.trim()) ?? [];
    if (!parts.every((part) => /^[A-Za-z0-9+/]{43}=$/.test(part))) {
      this.refuse(name, 'public keys as `dispensary law keygen` prints them, separated by commas');
    }
    return Object.freeze(parts.map((part) => Buffer.from(part, 'base64')));
  }

  refuse(name: string, expected: string): void {
    const value = this.#values[name] ?? '';
    this.#wrong.push(`  ${name} is "${value === '' ? '' : shownValue(name, value)}"; expected ${expected}`);
  }

  throwIfWrong(): void {
    if (this.#wrong.length > 0) throw new Error(`The configuration is wrong:\n${this.#wrong.join('\n')}`);
  }
}

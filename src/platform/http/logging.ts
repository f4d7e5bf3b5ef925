import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { maskEmails } from '../../kernel/mask-emails.ts';
import { logOutput } from './log-output.ts';

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const masked = '[masked]';

/** Fields with keys or personal data: never written, in any object (D59). Those of the slices are handed in. */
const maskedNames = new Set(
  [
    ...['authorization', 'cookie', 'set-cookie', 'x-consumer-key', 'x-client-key'],
    ...['consumerKey', 'clientKey', 'token', 'inviteToken', 'secret', 'secretAccessKey'],
    ...['password', 'currentPassword', 'newPassword'],
    ...['headers', 'body', 'query', 'params', 'search', 'url', 'connectionString', 'remoteAddress', 'ip'],
    ...['name', 'firstName', 'lastName', 'fullName', 'actorName', 'person'],
    ...['email', 'phone', 'contact', 'sex', 'birthday', 'address', 'allowedAddresses'],
    ...['street1', 'street2', 'city', 'postalCode', 'zip', 'notes', 'csv'],
  ].map((name) => name.toLowerCase()),
);

/** Whether a field, in lower case, is masked whole. */
type IsMasked = (name: string) => boolean;

const depthMax = 6;

/** Keys (D6) of any kind, anywhere in a line. */
const keyText = /\bdc[a-z]_(?:live|test)_[0-9A-Za-z]+/g;

/**
 * Makes the log of this process: one JSON object per line. Keys and email addresses are masked everywhere; fields named
 * like a secret or personal data are masked whole; phone numbers, birthdays and quoted values are removed from
 * messages. Names in a message cannot be recognized: the code that writes the message must leave them out.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  /** More fields with secrets or personal data. */
  readonly maskedFields?: readonly string[];
}): Logger {
  const alsoMasked = new Set(options.maskedFields?.map((name) => name.toLowerCase()));
  const isMasked: IsMasked = (name) => maskedNames.has(name) || alsoMasked.has(name);
  const settings = {
    level: options.level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => maskFields(fields, 0, isMasked) as Record<string, unknown>,
    },
    serializers: { err: (error: unknown) => error },
    hooks: { streamWrite: maskLine, logMethod },
  };
  return pino(settings, options.destination ?? logOutput());
}

/** Messages are masked like those of errors; an error logged without a message provides its own. */
function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, ...rest] = args as unknown[];
  const given = first instanceof Error && rest.length === 0 ? [first, first.message] : [first, ...rest];
  const words = given.map((part) => (typeof part === 'string' ? maskWords(part) : part));
  method.apply(this, words as Parameters<LogFn>);
}

function maskLine(line: string): string {
  // Skips the searches for nearly every line.
  const withoutKeys = line.includes('dc') ? line.replace(keyText, masked) : line;
  return maskEmails(withoutKeys, masked);
}

function maskFields(value: unknown, depth: number, isMasked: IsMasked): unknown {
  if (value instanceof Error) return maskError(value, isMasked);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === depthMax) return masked;
  if (Array.isArray(value)) return value.map((item) => maskFields(item, depth + 1, isMasked));
  // Usual case: the lines of requests contain only harmless values.
  if (isHarmless(value as Record<string, unknown>, isMasked)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isMasked(name.toLowerCase()) ? masked : maskFields(field, depth + 1, isMasked),
    ]),
  );
}

function isHarmless(fields: Record<string, unknown>, isMasked: IsMasked): boolean {
  for (const name in fields) {
    if (typeof fields[name] === 'object' || isMasked(name.toLowerCase())) return false;
  }
  return true;
}

/** Facts of a database error that quote no row; `detail` and `where` quote rows. */
const errorFacts = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

function maskError(error: Error, isMasked: IsMasked): object {
  const given = error as Error & Partial<Record<(typeof errorFacts)[number], unknown>>;
  return {
    type: error.name,
    message: maskWords(error.message),
    stack: maskWords(error.stack ?? ''),
    ...Object.fromEntries(
      errorFacts.flatMap((fact) => (given[fact] === undefined ? [] : [[fact, given[fact]]])),
    ),
    ...(error.cause === undefined ? {} : { cause: maskFields(error.cause, 0, isMasked) }),
  };
}

/** A quoted value after a colon (as databases and parsers quote input), birthdays, phone numbers. */
function maskWords(text: string): string {
  return text
    .replace(/(: |, )"(?:[^"\\]|\\.)*"/g, `$1"${masked}"`)
    .replace(/\b(?:19|20)\d{2}-\d{2}-\d{2}\b/g, masked)
    .replace(/\+?\(?\d[\d\s().-]{8,}\d/g, masked);
}

import { type Fault, isMeant } from './fault-plan.ts';
import type { Json } from './json-rows.ts';
import { listReply } from './state-lists.ts';
import type { Facility, UserKey } from './state-models.ts';
import {
  RefusedRow,
  type RowProblem,
  refusal,
  refusedRows,
  StateRefusal,
  unauthorized,
} from './state-refusals.ts';
import { type Call, type EachRow, hasRight, type Route, routeFinder } from './state-route.ts';
import type { StateWorld } from './state-world.ts';

/** A call as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  /** Undefined: no body. */
  readonly body: Json | undefined;
}

const objectsMax = 10;

/** Answers calls of the state's API. Never fails: refusals are replies. */
export function callAnswerer(world: StateWorld, routes: readonly Route[]) {
  const find = routeFinder(routes);
  return (arrived: Arrived, fault: Fault | undefined): Reply => {
    try {
      const { method, path } = arrived;
      const { route, params, isPathKnown } = find(method, path);
      if (isListed(world.settings['absent-routes'], method, path)) throw notFound();
      if (isListed(world.settings['removed-routes'], method, path)) throw notAllowed();
      if (route === undefined) throw isPathKnown ? notAllowed() : notFound();
      const { license: _, ...caller } = callerOf(world, route, arrived);
      const call: Call = { world, params, fault, query: arrived.query, warnings: [], ...caller };
      return { status: 200, body: carriedOut(call, route, arrived) };
    } catch (error) {
      return replyOf(world, error);
    }
  };
}

const notFound = () => refusal(404, 'No HTTP resource was found that matches the request.');
const notAllowed = () => refusal(405, 'The requested resource does not support this http method.');

const isListed = (list: string, method: string, path: string): boolean =>
  list !== 'none' && list.split(',').some((pattern) => isMeant(pattern.trim(), method, path));

function replyOf({ settings }: StateWorld, error: unknown): Reply {
  if (error instanceof URIError) return { status: 400, body: { Message: 'The request path is not valid.' } };
  if (error instanceof RefusedRow) return { status: 400, body: { Message: error.messages.join(' ') } };
  if (!(error instanceof StateRefusal)) throw error;
  const { status, body } = error;
  if (Array.isArray(body) && settings['row-errors'] === 'strings') {
    return { status, body: (body as readonly RowProblem[]).map(({ message }) => message) };
  }
  if (status !== 401 && status !== 404) return { status, body };
  if (settings['auth-body'] === 'empty') return { status, body: undefined };
  if (settings['auth-body'] === 'text')
    return { status, body: status === 401 ? 'Unauthorized' : 'Not Found' };
  return { status, body };
}

interface Caller {
  readonly user: UserKey;
  readonly vendor: string;
  readonly facility: Facility;
  readonly licenses: readonly string[];
  readonly license: string | null;
}

/** The vendor key and user key of a call. */
export function keysOf(headers: Arrived['headers']): { readonly vendor: string; readonly user: string } {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(String(headers.authorization ?? '')) ?? [];
  const [vendor = '', ...user] = Buffer.from(encoded, 'base64').toString().split(':');
  return { vendor, user: user.join(':') };
}

/** Who calls, and for which facility. Fails with a StateRefusal. */
function callerOf(world: StateWorld, route: Route, arrived: Arrived): Caller {
  if (route.auth === 'webhook') return webhookCaller(world, arrived);
  const user = authenticated(world, route, arrived);
  const license = arrived.query.get('licenseNumber');
  const own = user.licenses.flatMap((it) => world.facility(it) ?? []);
  const vendor = vendorOf(route, arrived);
  const isNeeded = (route.license ?? 'needed') === 'needed';
  if (isNeeded && !license) {
    throw refusal(Number(world.settings['missing-license']), 'licenseNumber was not specified.');
  }
  if (license && route.license !== 'none') {
    const facility = own.find((it) => it.license === license);
    if (facility === undefined) throw unauthorized();
    return { user, vendor, facility, licenses: [license], license };
  }
  if (own[0] === undefined) throw unauthorized();
  return { user, vendor, facility: own[0], licenses: user.licenses, license: null };
}

const vendorOf = (route: Route, { headers }: Arrived): string =>
  route.auth === 'sandbox' && headers['x-metrc-key'] !== undefined
    ? String(headers['x-metrc-key'])
    : keysOf(headers).vendor;

/** The user of the keys. Which of the two keys is wrong is never told. */
function authenticated(world: StateWorld, route: Route, arrived: Arrived): UserKey {
  const isSandboxRoute = route.auth === 'sandbox';
  if (isSandboxRoute && world.settings.deployment === 'production') {
    throw refusal(403, 'This resource is available in a sandbox only.');
  }
  const way = isSandboxRoute ? world.settings['sandbox-auth'] : 'basic';
  const sandboxKey = arrived.headers['x-metrc-key'];
  if (way !== 'basic' && world.vendors.some(({ key }) => key === sandboxKey)) {
    // The key of the vendor alone: it reaches what any of its users reaches.
    return { key: '', name: 'Sandbox', licenses: world.facilities.map((it) => it.license), rights: null };
  }
  const keys = keysOf(arrived.headers);
  const user = world.users.find(({ key }) => key === keys.user);
  const vendor = world.vendors.find(({ key }) => key === keys.vendor);
  // A key that the state has not approved works in its sandbox only.
  const isUsable =
    vendor?.isApproved === true || (vendor !== undefined && world.settings.deployment === 'sandbox');
  if (way === 'key' || user === undefined || !isUsable) throw unauthorized();
  return user;
}

function webhookCaller(world: StateWorld, { headers }: Arrived): Caller {
  const vendor = String(headers['x-metrc-auth'] ?? '');
  if (!world.vendors.some(({ key }) => key === vendor)) throw unauthorized();
  const user = { key: '', name: vendor, licenses: [], rights: null };
  return { user, vendor, facility: world.facilities[0]!, licenses: [], license: null };
}

/** Fails as with wrong keys if the facility lacks the capability, or one of the keys the right. */
function checkRights(call: Call, route: Route): void {
  const { facility } = call;
  const hasFlag = route.flags === undefined || route.flags.some((flag) => facility.flags[flag] === true);
  const hasAll = (route.alsoFlags ?? []).every((flag) => facility.flags[flag] === true);
  const isAllowed = route.rights === undefined || hasRight(call, ...route.rights);
  if (!isAllowed || !hasFlag || !hasAll) throw unauthorized();
}

function carriedOut(call: Call, route: Route, arrived: Arrived): Json | undefined {
  if ('list' in route) {
    checkRights(call, route);
    return listReply(call, route.list(call), { window: route.window, isOrdered: route.ordered === true });
  }
  if ('read' in route) {
    checkRights(call, route);
    return route.read(call);
  }
  const body = arrived.body === '' ? undefined : jsonOf(call.world, arrived.body);
  if ('act' in route) {
    checkRights(call, route);
    return twiceIfAsked(call, () => call.world.attempt(() => route.act(call, body)));
  }
  if (!Array.isArray(body)) throw refusal(400, 'The request body must be an array');
  // Before the rights: an empty array tells a caller without rights more than a full one.
  if (body.length === 0) throw refusal(400, 'The request body must not be an empty array');
  if (body.length > objectsMax)
    throw refusal(413, `The request body cannot have more than ${objectsMax} objects`);
  checkRights(call, route);
  const ids = twiceIfAsked(call, () => writeEach(call, route.each, body));
  return answerOf(call, route.answers, ids);
}

function jsonOf({ settings }: StateWorld, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(Number(settings['bad-json']), 'The request body is not valid JSON');
  }
}

/** A gateway that sends a write again: the second reply arrives. */
function twiceIfAsked<Result>({ fault }: Call, write: () => Result): Result {
  if (fault?.kind === 'double-write') write();
  return write();
}

/** Writes the objects: all of them or none, or by the switch the good ones. */
function writeEach(call: Call, each: EachRow, values: readonly unknown[]): (number | undefined)[] {
  const { world } = call;
  const problems: RowProblem[] = [];
  const ids: (number | undefined)[] = [];
  const writeAll = () => {
    for (const [row, value] of values.entries()) {
      try {
        ids.push(world.attempt(() => each(call, value)));
      } catch (error) {
        if (!(error instanceof RefusedRow)) throw error;
        problems.push(...error.messages.map((message) => ({ row, message })));
      }
    }
    if (problems.length > 0 && world.settings.batch === 'atomic') throw refusedRows(problems);
  };
  world.attempt(writeAll);
  if (problems.length > 0) throw refusedRows(problems);
  return ids;
}

function answerOf(
  { world, warnings }: Call,
  answers: 'ids' | 'nothing' | 'ids-by-switch' | 'adjust-ids',
  ids: readonly (number | undefined)[],
): Json | undefined {
  const isEmpty =
    answers === 'nothing' || (answers === 'ids-by-switch' && world.settings['put-ids'] === 'empty');
  if (isEmpty) return undefined;
  const hasNoIds = answers === 'adjust-ids' && world.settings['adjust-ids'] === 'null';
  return { Ids: hasNoIds ? null : ids.map((id) => id ?? 0), Warnings: warningsOf(world, warnings) };
}

/** Null in every example that was seen; the type with warnings is not known. */
function warningsOf({ settings }: StateWorld, texts: readonly string[]): Json {
  if (settings.warnings === 'array') return texts;
  if (settings.warnings === 'text') return texts.join(' ');
  return texts.length === 0 ? null : texts.join(' ');
}

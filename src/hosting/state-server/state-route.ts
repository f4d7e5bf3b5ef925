import type { Fault } from './fault-plan.ts';
import type { Json } from './json-rows.ts';
import { readSent, type Sent, type Shape } from './request-members.ts';
import type { Facility, UserKey } from './state-models.ts';
import { unauthorized } from './state-refusals.ts';
import type { StateWorld } from './state-world.ts';
import type { Kept, Seen, VersionedShelf } from './versioned-shelf.ts';

/** A call that has passed authentication and limits. */
export interface Call {
  readonly world: StateWorld;
  readonly user: UserKey;
  /** The facility of `licenseNumber`; of routes without it, the first one of the user. */
  readonly facility: Facility;
  /** Where objects are looked for: the license of the call, or all those of the user. */
  readonly licenses: readonly string[];
  /** The parts of the path that are named in the route, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The vendor key of the call. */
  readonly vendor: string;
  readonly fault: Fault | undefined;
  /** Texts for `Warnings`. */
  readonly warnings: string[];
}

/** A row of a list, which is printed only if its page is asked for. */
export interface Listed {
  readonly id: number;
  /** Microseconds. */
  readonly changed: number;
  print(): Json;
  /** Changes it as a person would who presses Save. */
  touch?(): void;
}

/** Writes one object of the array. Returns its id. Fails with a RefusedRow. */
export type EachRow = (call: Call, value: unknown) => number | undefined;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Access {
  /** `POST /sales/v2/receipts`; parts in braces are parameters. */
  readonly at: `${Method} /${string}`;
  /** Needed by default. Optional: without it the object is looked for at all facilities of the user. */
  readonly license?: 'needed' | 'optional' | 'none';
  /** One of these rights is needed. */
  readonly rights?: readonly string[];
  /** One of these members of the FacilityType is needed. */
  readonly flags?: readonly string[];
  /** All of these, too. */
  readonly alsoFlags?: readonly string[];
  /** By default Basic with vendor key and user key. */
  readonly auth?: 'sandbox' | 'webhook';
}

/** An endpoint as one value. */
export type Route = Access &
  (
    | {
        /** The rows, in an envelope with pages. */
        readonly list: (call: Call) => readonly Listed[];
        /** It can be asked for the changes of a window. */
        readonly window?: 'stock' | 'sales';
        /** The rows have an order of their own. */
        readonly ordered?: true;
      }
    | {
        /** An object, or an array without pages. */
        readonly read: (call: Call) => Json;
      }
    | {
        /** Called for each object of the array that is sent. */
        readonly each: EachRow;
        readonly answers: 'ids' | 'nothing' | 'ids-by-switch' | 'adjust-ids';
      }
    | {
        /** A write that is no array. Undefined: an empty reply. */
        readonly act: (call: Call, body: unknown) => Json | undefined;
      }
  );

/** Whether both keys of the call have one of these rights. */
export function hasRight({ world, user, vendor }: Call, ...rights: readonly string[]): boolean {
  const isAmong = (held: readonly string[] | null | undefined) =>
    held === null || rights.some((right) => held?.includes(right) === true);
  return isAmong(user.rights) && isAmong(world.vendors.find(({ key }) => key === vendor)?.rights);
}

/** A writer of objects with these members. */
export const eachOf =
  <Of extends Shape>(shape: Of, write: (call: Call, sent: Sent<Of>) => number | undefined): EachRow =>
  (call, value) =>
    write(call, readSent(shape, value, call.world.settings));

/** The objects of a shelf that these licenses see, as rows of a list. */
export function listed<Value extends Kept>(
  { licenses }: Pick<Call, 'licenses'>,
  shelf: VersionedShelf<Value>,
  print: (value: Value, changed: number) => Json,
  isWanted: (value: Value) => boolean = () => true,
): Listed[] {
  return shelf
    .seen(licenses)
    .filter(({ value }) => isWanted(value))
    .map((seen) => new ListedObject(shelf, seen, print));
}

/** An object as a row; of most that are listed, only the time of change is looked at. */
class ListedObject<Value extends Kept> implements Listed {
  readonly id: number;
  readonly changed: number;
  readonly #shelf: VersionedShelf<Value>;
  readonly #seen: Seen<Value>;
  readonly #print: (value: Value, changed: number) => Json;

  constructor(
    shelf: VersionedShelf<Value>,
    seen: Seen<Value>,
    print: (value: Value, changed: number) => Json,
  ) {
    this.id = seen.value.id;
    this.changed = seen.changed;
    this.#shelf = shelf;
    this.#seen = seen;
    this.#print = print;
  }

  print(): Json {
    return this.#print(this.#seen.value, this.changed);
  }

  touch(): void {
    this.#shelf.change(this.id, {});
  }
}

/** Rows that never change. */
export const fixedRows = (rows: readonly Json[]): Listed[] =>
  rows.map((row, at) => ({ id: at + 1, changed: 0, print: () => row }));

/** The object whose id stands in the path, as a reader sees it. Fails as if the keys were wrong. */
export function seenObject<Value extends Kept>(call: Call, shelf: VersionedShelf<Value>) {
  const found = shelf.seenById(Number(call.params.id), call.licenses);
  if (found === undefined) throw unauthorized();
  return found;
}

/** The object whose id stands in the path, as it is, for a write. Fails as if the keys were wrong. */
export function ownObject<Value extends Kept>(call: Call, shelf: VersionedShelf<Value>, id?: number): Value {
  const found = shelf.byId(id ?? Number(call.params.id));
  if (found === undefined || !call.licenses.includes(found.license)) throw unauthorized();
  return found;
}

interface Matcher {
  readonly route: Route;
  readonly method: string;
  readonly pattern: RegExp;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function matcherOf(route: Route): Matcher {
  const [method, path] = route.at.split(' ') as [string, string];
  const pattern = path
    .split('/')
    .map((part) => (part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+)` : escaped(part)))
    .join('/');
  return { route, method, pattern: new RegExp(`^${pattern}/?$`) };
}

/** Whether a path exists with other methods. A word in the place of an id is no path that exists: `/packages/v2/receive`. */
function isKnown({ pattern }: Matcher, path: string): boolean {
  const match = pattern.exec(path);
  return match !== null && Object.values(match.groups ?? {}).every((value) => /\d/.test(value));
}

/** Finds the route of a call. Fixed paths win over those with parameters. */
export function routeFinder(routes: readonly Route[]) {
  const parameters = ({ at }: Route) => at.split('{').length;
  const matchers = [...routes].sort((a, b) => parameters(a) - parameters(b)).map(matcherOf);
  return (method: string, path: string) => {
    const sameMethod = matchers.find((it) => it.method === method && it.pattern.test(path));
    if (sameMethod === undefined) {
      return { route: undefined, params: {}, isPathKnown: matchers.some((it) => isKnown(it, path)) };
    }
    const groups = sameMethod.pattern.exec(path)!.groups ?? {};
    const params = Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    return { route: sameMethod.route, params, isPathKnown: true };
  };
}

import { type CollectionName, collections } from './collections.ts';
import { LocalDates } from './local-dates.ts';
import type { MirrorRun } from './mirror-run.ts';
import { MirrorMismatch, type MirrorState } from './store.ts';

interface Whoami {
  readonly organization: { readonly id: number; readonly name: string; readonly tz: string };
  readonly key: { readonly permissions: readonly string[] };
}

/** Opens the copy of the store, or begins one, with what the key may read of `asked`. */
export async function openCopy(
  run: MirrorRun,
  asked: readonly CollectionName[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await run.store.prepare();
  const whoami = await askWhoami(run, signal);
  const state = await run.store.readState();
  if (state === null) {
    const cursor = await run.latestCursor(signal);
    await run.openNew(newState(whoami, readable(asked, whoami), cursor, run.now()));
    return;
  }
  if (state.organizationId !== whoami.organization.id) {
    throw new MirrorMismatch(
      `The copy is of ${state.organizationName}, and the key of ${whoami.organization.name}. Use another file or schema.`,
    );
  }
  run.open(state);
  await adapt(run, asked, whoami);
}

/** Follows the settings of the shop and of the key. Resolves to whether anything was different. */
export async function readSettings(
  run: MirrorRun,
  asked: readonly CollectionName[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return adapt(run, asked, await askWhoami(run, signal));
}

async function askWhoami(run: MirrorRun, signal: AbortSignal | undefined): Promise<Whoami> {
  const { data } = await run.get<Whoami>('/api/v1/whoami', {}, signal);
  return data;
}

type Readable = Required<Pick<MirrorState, 'leftOut' | 'ownOnly'>> & {
  readonly copied: readonly CollectionName[];
};

function readable(asked: readonly CollectionName[], { key }: Whoami): Readable {
  const wanted = collections.filter(({ name }) => asked.includes(name));
  const has = (permission: string | undefined) =>
    permission !== undefined &&
    // A key may have the reading part alone.
    (key.permissions.includes(permission) || key.permissions.includes(`${permission}:read`));
  const lacking = wanted.filter(({ permission }) => !has(permission));
  const named = (list: typeof lacking) =>
    list.map(({ name, permission }) => ({ collection: name, permission }));
  const leftOut = named(lacking.filter(({ ownPermission }) => !has(ownPermission)));
  return {
    leftOut,
    copied: wanted
      .map(({ name }) => name)
      .filter((name) => !leftOut.some(({ collection }) => collection === name)),
    ownOnly: named(lacking.filter(({ ownPermission }) => has(ownPermission))),
  };
}

function newState(
  { organization }: Whoami,
  { copied, leftOut, ownOnly }: Readable,
  cursor: string,
  nowMs: number,
): MirrorState {
  return {
    format: 1,
    revision: 1,
    organizationId: organization.id,
    organizationName: organization.name,
    timeZone: organization.tz,
    collections: copied,
    leftOut,
    ownOnly,
    cursor,
    sweeps: copied.map((collection) => ({ collection, after: null })),
    day: new LocalDates(organization.tz).dayOf(nowMs),
  };
}

/** Takes up what has become readable, and no longer copies what is not; a month is that of the shop's time zone. */
async function adapt(run: MirrorRun, asked: readonly CollectionName[], whoami: Whoami): Promise<boolean> {
  const { state } = run.copy;
  const { organization } = whoami;
  const { copied, leftOut, ownOnly } = readable(asked, whoami);
  const fresh = copied.filter((name) => !state.collections.includes(name));
  // What the key may read of them became more or less.
  const ownBefore = new Set(state.ownOnly?.map(({ collection }) => collection));
  const widened = copied.filter(
    (name) => ownBefore.has(name) !== ownOnly.some(({ collection }) => collection === name),
  );
  const moved = organization.tz !== state.timeZone && copied.includes('orders') ? (['orders'] as const) : [];
  const same =
    copied.join() === state.collections.join() && widened.length === 0 && organization.tz === state.timeZone;
  if (same && organization.name === state.organizationName) return false;
  await run.copy.step({
    state: {
      collections: copied,
      leftOut,
      ownOnly,
      timeZone: organization.tz,
      organizationName: organization.name,
      sweeps: [
        ...state.sweeps.filter(({ collection }) => copied.includes(collection)),
        ...[...new Set([...fresh, ...widened, ...moved])].map((collection) => ({ collection, after: null })),
      ],
    },
  });
  return true;
}

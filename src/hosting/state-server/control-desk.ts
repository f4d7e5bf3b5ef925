import type { Arrived, Reply } from './answer-call.ts';
import { type Fault, type FaultPlan, faultKinds } from './fault-plan.ts';
import type { Json, JsonRow } from './json-rows.ts';
import { peoplesEdits } from './peoples-edits.ts';
import { readSent, type Sent } from './request-members.ts';
import { RefusedRow, StateRefusal } from './state-refusals.ts';
import { SwitchError, switches } from './state-switches.ts';
import type { StateWorld } from './state-world.ts';

/* The other side of the server, for those who stage a test or a demo: switches, faults, the clock, the edits of people. */

/** A call with its reply. */
export interface AnsweredCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Null: no reply. */
  readonly status: number | null;
}

/** What is staged. */
export interface Stage {
  readonly world: StateWorld;
  readonly faults: FaultPlan;
  readonly calls: readonly AnsweredCall[];
  /** Sends the webhooks that are due. Resolves to their number. */
  sendHooks(): Promise<number>;
}

type Members = Readonly<Record<string, unknown>>;

const faultShape = {
  kind: 'text!',
  at: 'text',
  license: 'text',
  status: 'int',
  retryAfter: 'int',
  after: 'int',
  times: 'int',
  share: 'number',
  from: 'text',
  until: 'text',
} as const;

const clockShape = { now: 'text', stands: 'flag', advanceSeconds: 'number' } as const;

/** What can be done at each path below /control. */
const desk: Readonly<Record<string, (stage: Stage, members: Members) => Json | Promise<Json>>> = {
  'GET /control': () => ({
    paths: Object.keys(desk),
    people: membersOfEdits(),
    faults: { kinds: faultKinds, members: faultShape },
  }),
  'GET /control/switches': ({ world }) =>
    Object.entries(switches).map(([name, { values, about }]) => ({
      ...{ name, value: world.settings[name as keyof typeof switches], values: [...values], about },
    })),
  'PUT /control/switches': ({ world }, members) => {
    world.turn(members);
    return { ...world.settings };
  },
  'GET /control/faults': ({ faults }) => faults.list() as unknown as Json,
  'POST /control/faults': ({ world, faults }, members) => {
    faults.plan(faultOf(world, members));
    return faults.list() as unknown as Json;
  },
  'DELETE /control/faults': ({ faults }) => {
    faults.clear();
    return [];
  },
  'GET /control/clock': ({ world }) => clockJson(world),
  'PUT /control/clock': ({ world }, members) => {
    moveClock(world, readSent(clockShape, members, world.settings));
    return clockJson(world);
  },
  'GET /control/state': ({ world }) =>
    Object.fromEntries(
      Object.entries(world.shelves()).map(([kind, shelf]) => [kind, shelf.all() as unknown as Json]),
    ),
  'GET /control/calls': ({ calls }) => calls as unknown as Json,
  'POST /control/webhooks': async (stage) => ({ sent: await stage.sendHooks() }),
};

/** By edit, the members that it takes: with `!` they are required. */
const membersOfEdits = (): Json =>
  Object.fromEntries(Object.entries(peoplesEdits).map(([name, { members }]) => [name, members as JsonRow]));

/** Answers a call below /control. */
export async function controlReply(stage: Stage, { method, path, body }: Arrived): Promise<Reply> {
  try {
    const members = (body === '' ? {} : JSON.parse(body)) as Members;
    const act = desk[`${method} ${path}`];
    if (act !== undefined) return { status: 200, body: await act(stage, members) };
    const edit = /^\/control\/people\/([\w-]+)$/.exec(path)?.[1];
    if (method === 'POST' && edit !== undefined) {
      return { status: 200, body: { id: editByPeople(stage.world, edit, members) } };
    }
    return { status: 404, body: { message: 'There is no such control: GET /control lists them.' } };
  } catch (error) {
    const isRefused = error instanceof RefusedRow || error instanceof StateRefusal;
    if (!isRefused && !(error instanceof SwitchError) && !(error instanceof SyntaxError)) throw error;
    return { status: 400, body: { message: error.message } };
  }
}

function faultOf(world: StateWorld, members: Members): Fault {
  const { from, until, kind, ...rest } = readSent(faultShape, members, world.settings);
  if (!Object.hasOwn(faultKinds, kind)) {
    throw new RefusedRow(`kind: one of ${Object.keys(faultKinds).join(', ')}.`);
  }
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...(given as Partial<Fault>),
    kind: kind as Fault['kind'],
    ...(from !== null && { fromMs: instantOf(from) }),
    ...(until !== null && { untilMs: instantOf(until) }),
  };
}

function instantOf(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new RefusedRow(`${text} is no instant, such as 2026-03-08T18:00:00Z.`);
  return ms;
}

const clockJson = (world: StateWorld): Json => ({
  now: new Date(world.nowMs()).toISOString(),
  stands: world.clockSetting.standsAtMs !== null,
});

/** Sets the clock, lets it stand or run, and advances it. */
export function moveClock(world: StateWorld, { now, stands, advanceSeconds }: Sent<typeof clockShape>): void {
  const toMs = (now === null ? world.nowMs() : instantOf(now)) + (advanceSeconds ?? 0) * 1_000;
  const willStand = stands ?? world.clockSetting.standsAtMs !== null;
  world.clockSetting = willStand
    ? { aheadMs: 0, standsAtMs: toMs }
    : { aheadMs: toMs - world.machineMs(), standsAtMs: null };
}

/**
 * What a person does on the state's website. Returns the id of the object. Fails with a RefusedRow if the website would
 * refuse, or there is no such edit.
 */
export function editByPeople(world: StateWorld, name: string, members: unknown): number {
  const edit = peoplesEdits[name];
  if (edit === undefined) throw new RefusedRow(`There is no edit ${name}: GET /control lists them.`);
  return world.attempt(() => edit.act(world, members));
}

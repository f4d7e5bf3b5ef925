import { seededLicenses } from '../src/hosting/state-server/seed-world.ts';
import { type StateServer, startStateServer } from '../src/hosting/state-server/state-server.ts';
import { realTime } from '../src/kernel/clock.ts';
import { answerParent } from './child-worker.ts';

/** A package as the state has it. */
export interface HeldPackage {
  readonly label: string;
  readonly quantity: number;
  readonly unit: string;
}

/** A receipt of a year, copied of the last one. */
export interface CopiedReceipt {
  readonly id: number;
  readonly number: string;
  /** ISO, as the state shows them. */
  readonly at: string;
  readonly modified: string;
}

export type StandInRequest =
  | { readonly open: true }
  | { readonly packages: readonly HeldPackage[] }
  | { readonly limits: string; readonly limitsWrites: boolean }
  | { readonly copies: readonly string[]; readonly days: number };

/** Where it listens; or what was copied. */
export type StandInReply = { readonly url: string } | { readonly copies: readonly CopiedReceipt[] };

const [license] = seededLicenses;
const dayMs = 24 * 3_600_000;
/** Every so many receipts a package was used up. */
const receiptsOfPackage = 36;
let state: StateServer | undefined;

/** Without limits, so that what is measured is the program. */
async function open(): Promise<StandInReply> {
  state = await startStateServer({ seed: 'bench', packages: 0, switches: { limits: '9999/9999/999/999' } });
  return { url: state.url };
}

function hold(state: StateServer, packages: readonly HeldPackage[]): StandInReply {
  for (const { label, quantity, unit } of packages) {
    const item = unit === 'Each' ? 'Lantern Pre-Roll 1 g' : 'Fern Valley Flower';
    const id = state.people('add-package', { license, item, label, quantity });
    state.world.packages.change(id, { unit });
  }
  return { url: state.url };
}

/** Receipts under these numbers, like the last one, spread over so many days until now, with packages that were used up. */
function copy({ world }: StateServer, numbers: readonly string[], days: number): CopiedReceipt[] {
  const [nowMs, like] = [world.nowMs(), world.receipts.all(license).at(-1)!];
  const used = world.packages.all(license)[0]!;
  const copies = numbers.map((number, at) => {
    const atMs = Math.round(nowMs - days * dayMs + (at * days * dayMs) / numbers.length);
    world.clockSetting = { aheadMs: 0, standsAtMs: atMs };
    const { id } = world.receipts.put({ ...like, id: world.nextId(), external: number });
    if (at % receiptsOfPackage === 0) {
      const label = `1A4FF01000000B29${String(at).padStart(8, '0')}`;
      world.packages.put({ ...used, id: world.nextId(), label, quantity: 0, finishedDate: '2026-01-01' });
    }
    const { changed } = world.receipts.seenById(id, [license])!;
    return { id, number, at: iso(atMs), modified: iso(Math.floor(changed / 1_000)) };
  });
  world.clockSetting = realTime;
  return copies;
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function answer(request: StandInRequest): Promise<StandInReply> {
  if ('open' in request) return open();
  if ('packages' in request) return hold(state!, request.packages);
  if ('copies' in request) return { copies: copy(state!, request.copies, request.days) };
  state!.world.turn({ limits: request.limits, 'limit-writes': request.limitsWrites ? 'yes' : 'no' });
  return { url: state!.url };
}

if (process.send) answerParent(answer);

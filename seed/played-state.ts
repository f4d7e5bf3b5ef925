import { linesTogether, linesWithout } from '../src/engines/state-reports/trip-report.ts';
import { type StateServer, startStateServer } from '../src/hosting/state-server/state-server.ts';
import { realTime } from '../src/kernel/clock.ts';
import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context } from '../src/platform/database/context.ts';
import { selectSandbox } from '../src/shop/sandbox/sandbox.ts';
import type { StateAsTold } from '../src/shop/traceability/state-as-told.ts';
import type { StateAccess } from '../src/shop/traceability/state-client.ts';
import type { StandIn } from '../src/shop/traceability/state-clients.ts';
import { stateAsTold, toldSoFar } from '../src/shop/traceability/traceability.ts';
import { demoLicense } from './demo-license.ts';

interface HeldPackage {
  readonly id: number;
  readonly quantity: number;
}

type Connection = Parameters<StandIn['accessOf']>[1];

/**
 * Plays the state's system in this process, on loopback, for shops that have no state: a demo shop, and the sandboxes of integrators. It
 * keeps nothing of its own: what a shop reported, and what was read of people's changes, lies in the shop's own rows, and is told again
 * after a restart, and when another process has told more.
 */
export class PlayedState implements StandIn {
  readonly #context: Context;
  readonly #server: StateServer;
  readonly #demoShops = new Set<OrganizationId>();
  /** By license, the newest receipt of the shop's rows that it holds. */
  readonly #toldUpTo = new Map<string, number>();
  /** By license, how many steps of trips of the shop's rows it has carried out. */
  readonly #tripSteps = new Map<string, number>();

  private constructor(context: Context, server: StateServer) {
    this.#context = context;
    this.#server = server;
  }

  static async start(context: Context): Promise<PlayedState> {
    // A sandbox may move its clock: its sales lie in the future of this server. No limit keeps a demo waiting.
    const switches = { 'future-sale': 'accept', limits: '9999/9999/999/999' } as const;
    return new PlayedState(
      context,
      await startStateServer({
        seed: 'demo shop',
        state: 'CA',
        packages: 0,
        switches,
        clock: context.wallClock,
      }),
    );
  }

  get url(): string {
    return this.#server.url;
  }

  get access(): StateAccess {
    return { url: this.#server.url, vendorKey: demoLicense.vendorKey };
  }

  /** Tells it what it does not hold yet of a license; resolves to what the shop has. Null: it holds all. */
  async tell(organization: OrganizationId, connection: Connection): Promise<StateAsTold | null> {
    const { world } = this.#server;
    const license = connection.license_number;
    const { labels, highestRecordId, tripSteps } = await toldSoFar(
      this.#context,
      organization,
      connection.id,
    );
    const isNew = world.facility(license) === undefined || world.packages.all(license).length === 0;
    const newest = world.receipts.all(license).at(-1)?.id ?? 0;
    const isBehind = highestRecordId > Math.max(newest, this.#toldUpTo.get(license) ?? 0);
    const hasMoved = isBehind || tripSteps !== (this.#tripSteps.get(license) ?? 0);
    const held = new Map<string, HeldPackage>(world.packages.all(license).map((it) => [it.label, it]));
    const lacksPackages = [...labels].some((label) => !held.has(label));
    if (!isNew && !hasMoved && !lacksPackages) return null;
    const told = await stateAsTold(this.#context, organization, connection.id);
    if (world.facility(license) === undefined) {
      this.#server.people('add-facility', { license, name: 'Sandbox' });
      this.#server.people('add-user-key', { userKey: license, name: 'Sandbox', licenses: [license] });
    }
    for (const it of told.packages) {
      const found = held.get(it.label);
      const quantity = it.quantity.toNumber();
      if (found === undefined) held.set(it.label, this.#hold(license, it));
      else if (hasMoved && found.quantity !== quantity) world.packages.change(found.id, { quantity });
    }
    if (isBehind) for (const it of told.receipts) this.#keep(license, it, held);
    if (hasMoved) this.#keepLedgers(license, told.ledgers, held);
    this.#toldUpTo.set(license, highestRecordId);
    this.#tripSteps.set(license, tripSteps);
    world.clockSetting = realTime;
    // Receipts of an earlier run have identifiers: new ones have others.
    for (let id = 0; id <= highestRecordId; ) id = world.nextId();
    return told;
  }

  /** From now on the shop's turns of work find here what they need. */
  playsFor(organization: OrganizationId): void {
    this.#demoShops.add(organization);
  }

  /** What a person does on the state's website: `hold-package`. */
  people(edit: string, members: unknown): void {
    this.#server.people(edit, members);
  }

  #hold(license: string, it: StateAsTold['packages'][number]): HeldPackage {
    const { world } = this.#server;
    const quantity = it.quantity.toNumber();
    const item = this.#item(license, `${it.productName} (${it.unit})`, it.unit);
    const id = this.#server.people('add-package', { license, item, label: it.label, quantity });
    // By its id: the sandboxes all have the same labels.
    if (it.block === 'on-hold') world.packages.change(id, { isOnHold: true });
    for (const { date, quantity: difference, reason, note } of it.adjustments) {
      const adjusted = { total: quantity, setsTotal: false, difference: Number(difference), by: 'Website' };
      world.adjustments.put({ id: world.nextId(), license, packageId: id, ...adjusted, reason, note, date });
    }
    return { id, quantity };
  }

  /** The name of an item, which is made if there is none. */
  #item(license: string, name: string, unit: string): string {
    if (this.#server.world.items.all(license).some((item) => item.name === name)) return name;
    const category = unit === 'Grams' ? 'Buds' : 'Pre-Rolls';
    this.#server.people('add-item', { license, name, category, unit });
    return name;
  }

  /** A receipt that was accepted earlier; its time of change is that moment, so that it is no news. */
  #keep(
    license: string,
    { recordId, externalNumber, acceptedAtMs, isVoid, content }: StateAsTold['receipts'][number],
    held: Map<string, HeldPackage>,
  ) {
    const { world } = this.#server;
    world.clockSetting = { aheadMs: 0, standsAtMs: acceptedAtMs };
    const wasVoided = isVoid || content.lines.length === 0;
    world.receipts.put({
      ...{ id: recordId, license, external: externalNumber, soldAt: content.soldAt, isFinal: false },
      ...{ customerType: content.customerType, patient: null, caregiver: null, identification: null },
      ...{ registrationPlaceId: null, recordedMs: acceptedAtMs, recordedBy: 'R. Ames', extra: {} },
      voidedDate: wasVoided ? content.soldAt.slice(0, 10) : null,
      lines: this.#lines(license, content, acceptedAtMs, held),
    });
  }

  #lines(
    license: string,
    { lines }: StateAsTold['receipts'][number]['content'],
    recordedMs: number,
    held: Map<string, HeldPackage>,
  ) {
    return lines.map(({ label, quantity, unit, amountCents }) => ({
      ...{ packageId: this.#packageId(license, label, unit, held), quantity: Number(quantity), codes: [] },
      ...{ sent: { PackageLabel: label }, amount: amountCents / 100, recordedMs },
    }));
  }

  #packageId(license: string, label: string, unit: string, held: Map<string, HeldPackage>): number {
    const found = held.get(label) ?? this.#finished(license, label, unit);
    held.set(label, found);
    return found.id;
  }

  /** Ledgers of vehicles that are on their way; all others have ended. People and vehicles were told, and are not kept. */
  #keepLedgers(license: string, told: StateAsTold['ledgers'], held: Map<string, HeldPackage>): void {
    const { world } = this.#server;
    const open = new Set(told.map(({ recordId }) => recordId));
    for (const { id, state } of world.ledgers.all(license)) {
      const isOver = state === 'Completed' || state === 'Voided';
      if (!isOver && !open.has(id))
        world.ledgers.change(id, { state: 'Completed', completedMs: world.nowMs() });
    }
    for (const { recordId: id, acceptedAtMs, loaded, isDeparted, sales } of told) {
      world.clockSetting = { aheadMs: 0, standsAtMs: acceptedAtMs };
      const left = linesWithout(
        linesTogether(loaded.lines),
        sales.flatMap(({ lines }) => lines),
      );
      const members = {
        stops: sales.map((sale) => ({
          ...{ id: world.nextId(), sent: { SalesDateTime: sale.soldAt } },
          lines: this.#lines(license, sale, acceptedAtMs, held),
        })),
        stock: left.map(({ label, quantity, unit, amountCents }) => ({
          packageId: this.#packageId(license, label, unit, held),
          ...{ quantity: Number(quantity), price: amountCents / 100 },
        })),
        state: isDeparted ? ('Departed' as const) : ('Recorded' as const),
        departedMs: isDeparted ? acceptedAtMs : null,
      };
      if (world.ledgers.byId(id) !== undefined) world.ledgers.change(id, members);
      else {
        world.ledgers.put({
          ...{ id, license, sent: { DateTime: loaded.soldAt }, leg: 1, restockedAt: null, arrivedAt: null },
          ...{ completedMs: null, voidedDate: null, recordedMs: acceptedAtMs, recordedBy: 'R. Ames' },
          ...members,
        });
      }
    }
  }

  /** One that the shop has no more is finished there. */
  #finished(license: string, label: string, unit: string): HeldPackage {
    const { world } = this.#server;
    const item = this.#item(license, `Sold out (${unit})`, unit);
    const id = this.#server.people('add-package', { license, item, label, quantity: 0 });
    return world.packages.change(id, { finishedDate: world.todayAt(world.facility(license)!) });
  }

  /** Sandboxes and demo shops; everyone else reports to a state. */
  async accessOf(organization: OrganizationId, connection: Connection): Promise<StateAccess | null> {
    const isPlayed =
      this.#demoShops.has(organization) || (await isOfSandbox(this.#context, organization, connection));
    if (!isPlayed) return null;
    await this.tell(organization, connection);
    return this.access;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** A process that plays no state calls none for a sandbox: the keys of sandboxes open nothing at the real one. */
export function noPlayedState(context: Context): StandIn {
  return {
    accessOf: async (organization, connection) =>
      (await isOfSandbox(context, organization, connection))
        ? 'No state is played for sandboxes here: the operator has turned them off with SANDBOXES.'
        : null,
  };
}

async function isOfSandbox(
  { database }: Context,
  organization: OrganizationId,
  { is_sandbox: isSandbox }: Connection,
): Promise<boolean> {
  if (!isSandbox) return false;
  const [[row]] = await database.read(organization, selectSandbox({}));
  return row !== undefined;
}

import { type SeededRandom, seededRandom } from '../../../seed/seeded-random.ts';
import { type Clock, type ClockSetting, realTime, timeBy } from '../../kernel/clock.ts';
import type {
  Adjustment,
  Caregiver,
  CheckIn,
  Delivery,
  Facility,
  Item,
  LabResult,
  Ledger,
  Patient,
  Place,
  Receipt,
  StatePackage,
  Subscription,
  Tag,
  Transfer,
  UserKey,
  VendorKey,
} from './state-models.ts';
import { changedSettings, defaultSettings, type Settings } from './state-switches.ts';
import { dateAt } from './state-times.ts';
import { type Journal, type Kept, type Seen, VersionedShelf } from './versioned-shelf.ts';

/** The true state of the state's system, in memory. Every choice that it makes comes from its seed and its clock. */
export class StateWorld implements Journal {
  readonly seed: string;
  readonly draws: SeededRandom;
  readonly facilities: Facility[] = [];
  readonly users: UserKey[] = [];
  readonly vendors: VendorKey[] = [];
  readonly caregivers: Caregiver[] = [];
  readonly items = new VersionedShelf<Item>('items', this);
  readonly places = new VersionedShelf<Place>('locations', this);
  readonly sublocations = new VersionedShelf<Place>('sublocations', this);
  readonly packages = new VersionedShelf<StatePackage>('packages', this, ({ label }) => label);
  readonly receipts = new VersionedShelf<Receipt>('receipts', this, ({ external }) => external);
  readonly deliveries = new VersionedShelf<Delivery>('deliveries', this);
  readonly ledgers = new VersionedShelf<Ledger>('ledgers', this);
  readonly adjustments = new VersionedShelf<Adjustment>('adjustments', this);
  readonly transfers = new VersionedShelf<Transfer>('transfers', this);
  readonly labResults = new VersionedShelf<LabResult>('labresults', this);
  readonly patients = new VersionedShelf<Patient>('patients', this);
  readonly checkIns = new VersionedShelf<CheckIn>('checkins', this);
  readonly tags = new VersionedShelf<Tag>('tags', this);
  readonly subscriptions = new VersionedShelf<Subscription>('subscriptions', this);
  /** Patients' answers, which are up to a minute old. */
  readonly answers = new Map<string, { readonly untilMs: number; readonly answer: unknown }>();
  settings: Settings;
  clockSetting: ClockSetting = realTime;
  readonly #base: Clock;
  readonly #undo: (() => void)[] = [];
  #isWriting = false;
  #lastId: number;
  #wipedOn: string | undefined;

  constructor(seed: string, state: string, base: Clock) {
    this.seed = seed;
    this.draws = seededRandom(seed);
    this.#lastId = this.draws.fork('ids').integer(4_000, 90_000);
    this.settings = defaultSettings(state);
    this.#base = base;
  }

  /** Its own time, in milliseconds. */
  nowMs(): number {
    return timeBy(this.clockSetting, this.#base.now());
  }

  /** The time of the machine, by which calls are counted and calls of webhooks are paused. */
  machineMs(): number {
    return this.#base.now();
  }

  /** Journal: its own time, in microseconds. */
  now(): number {
    return this.nowMs() * 1_000;
  }

  lagOf(kind: string): number {
    const { lag } = this.settings;
    if (/^\d+$/.test(lag)) return Number(lag) * 1_000_000;
    const own = lag.split(',').find((part) => part.startsWith(`${kind}=`));
    return own === undefined ? 0 : Number(own.split('=')[1]) * 1_000_000;
  }

  note(undo: () => void): void {
    if (this.#isWriting) this.#undo.push(undo);
  }

  /** Turns switches. Fails with a SwitchError. */
  turn(changes: Readonly<Record<string, unknown>>): void {
    this.settings = changedSettings(this.settings, changes);
  }

  /** Runs a write, perhaps within another one; if it fails, none of its changes stays. */
  attempt<Result>(write: () => Result): Result {
    const outer = this.#isWriting;
    const from = this.#undo.length;
    this.#isWriting = true;
    try {
      return write();
    } catch (error) {
      for (const undo of this.#undo.splice(from).reverse()) undo();
      throw error;
    } finally {
      this.#isWriting = outer;
      if (!outer) this.#undo.length = 0;
    }
  }

  /** The next id: ids of all kinds grow together. */
  nextId(): number {
    this.#lastId += 1 + this.draws.integer(0, 3);
    return this.#lastId;
  }

  facility(license: string): Facility | undefined {
    return this.facilities.find((it) => it.license === license);
  }

  /** The active package of a license, or whatever package has this label there. */
  packageByLabel(label: string, license: string): StatePackage | undefined {
    return this.packages.withKey(label, license)[0];
  }

  /** A package as a reader sees it. */
  seenPackage(idOrLabel: string, licenses: readonly string[]): Seen<StatePackage> | undefined {
    const id = /^\d{1,15}$/.test(idOrLabel) ? Number(idOrLabel) : null;
    return (
      this.packages.seenWithKey(idOrLabel, licenses)[0] ??
      (id === null ? undefined : this.packages.seenById(id, licenses))
    );
  }

  /** Today at a facility. */
  todayAt({ zone }: Pick<Facility, 'zone'>): string {
    return dateAt(this.nowMs(), zone);
  }

  /** A sandbox loses its packages each night. */
  wipeAtNight(): void {
    const [first] = this.facilities;
    if (first === undefined) return;
    const today = this.todayAt(first);
    const isNext = this.#wipedOn !== undefined && today > this.#wipedOn;
    this.#wipedOn = today;
    if (!isNext || this.settings.deployment !== 'sandbox' || this.settings['nightly-wipe'] !== 'yes') return;
    for (const { id } of this.packages.all()) this.packages.remove(id);
  }

  /** Every kind of object, for those who read the true state. */
  shelves(): Readonly<Record<string, VersionedShelf<Kept>>> {
    const all = [
      ...[this.items, this.places, this.sublocations, this.packages, this.receipts, this.deliveries],
      ...[this.ledgers, this.adjustments, this.transfers, this.labResults, this.patients, this.checkIns],
      ...[this.tags, this.subscriptions],
    ] as unknown as VersionedShelf<Kept>[];
    return Object.fromEntries(all.map((shelf) => [shelf.kind, shelf]));
  }
}

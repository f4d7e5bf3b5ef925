import type { ErrorCode } from '../../kernel/error-catalog.ts';
import { type EventType, eventCatalog, type SubjectType } from '../../kernel/event-catalog.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../database/context.ts';
import { refuseStaleEdit } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { type Announcement, announce } from '../events/announce.ts';
import { briefly, changesOf } from '../events/changes-of.ts';
import type { BoundStatement } from '../statements/statement.ts';
import {
  type KeptSetting,
  type SentSetting,
  type SettingFields,
  type SettingTable,
  type SettingValues,
  staysListed,
} from './setting-table.ts';

/** Subjects with the events that every setting has. */
type SettingSubject = {
  [Subject in SubjectType]: `${Subject}.created` | `${Subject}.updated` extends EventType ? Subject : never;
}[SubjectType];

/** A change in its transaction, with the row locked. */
interface SettingChange<Fields extends SettingFields> {
  readonly id: number;
  readonly nowMs: number;
  /** Null: it is new. */
  readonly former: KeptSetting<Fields> | null;
  readonly next: SettingValues<Fields>;
}

/** What the writes of a setting need to know beside its table. */
export interface SettingRules<Fields extends SettingFields> {
  readonly table: SettingTable<Fields>;
  /** In messages: `There is no such payment type.` */
  readonly noun: string;
  /** The subject of its events, which are `<subject>.created` and so on. */
  readonly subject: SettingSubject;
  /** Its id in paths, events and the audit log. */
  readonly idName: string;
  readonly notFound: ErrorCode;
  /** An archived or ended one counts as not found, and stays so. */
  readonly staysArchived?: true;
  /** Fields that each audit entry of a change has, because it is read without the list. */
  readonly tells?: readonly (keyof Fields & string)[];
  /** Taken before the row is locked, so that all writes take their locks in one order. */
  locking?(write: {
    readonly verb: 'create' | 'change' | 'end';
    readonly id: number;
  }): BoundStatement<unknown>[];
  /** Values that follow from those that were sent; `former` is null for a new one. */
  completing?(
    sent: Partial<SettingValues<Fields>>,
    former: KeptSetting<Fields> | null,
  ): Partial<SettingValues<Fields>>;
  /** Refuses values that need the database. May resolve to values that it makes instead of those in `next`. */
  saving?(
    tx: TenantTransaction,
    change: SettingChange<Fields>,
  ): Promise<Partial<SettingValues<Fields>> | undefined>;
  /** What is written after the row: its rows in other tables, and what shows it. */
  beside?(change: SettingChange<Fields>): BoundStatement<unknown>[];
  /** Refuses the end of a setting that is in use, and queues what ends with it. */
  ending?(tx: TenantTransaction, kept: KeptSetting<Fields>, nowMs: number): Promise<void>;
}

/** A change that a request asks for: fields that it does not send are undefined. */
export interface SettingEdit<Fields extends SettingFields> {
  readonly fields: { readonly [Name in keyof Fields]?: SentSetting<Fields>[Name] | undefined };
  /** True archives, false restores. */
  readonly archived?: boolean | undefined;
  /** A replacement: all fields are sent, or have their defaults. */
  readonly isWhole?: true;
}

/** What the operations of a setting write by. */
export interface SettingWriter<Fields extends SettingFields, Row> {
  create(...sent: [...Who, SentSetting<Fields>]): Promise<Row>;
  change(...sent: [...Who, number, SettingEdit<Fields>]): Promise<Row>;
  end(...sent: [...Who, number]): Promise<Row>;
  notFound(): Error;
}

interface Rewriting<Fields extends SettingFields> {
  readonly former: KeptSetting<Fields>;
  /** As it is stored. */
  readonly sent: Partial<SettingValues<Fields>>;
  readonly archived: boolean | undefined;
  readonly nowMs: number;
}

type Who = readonly [context: Context, origin: Origin, organization: OrganizationId];

/** The writes of a setting: one transaction each, with its audit entry and its event. */
export class SettingWrites<Fields extends SettingFields>
  implements SettingWriter<Fields, KeptSetting<Fields>>
{
  readonly #rules: SettingRules<Fields>;

  constructor(rules: SettingRules<Fields>) {
    this.#rules = rules;
  }

  /** Adds a setting. Fails with INVALID_PARAMS when its name is taken. */
  async create(
    ...[context, origin, organization, sent]: [...Who, SentSetting<Fields>]
  ): Promise<KeptSetting<Fields>> {
    const rules = this.#rules;
    const read = this.#read(sent);
    const values = { ...read, ...rules.completing?.(read, null) } as SettingValues<Fields>;
    const id = await context.ids.takeOne();
    return this.#write(context, organization, async (tx) => {
      const nowMs = context.clock.now();
      const { refuseTakenName } = await this.#lock(tx, 'create', id, read);
      refuseTakenName();
      const made = await rules.saving?.(tx, { id, nowMs, former: null, next: values });
      const next = { ...values, ...made };
      tx.queue(
        rules.table.insert({ ...rules.table.parameters(next), id, at: isoTimestamp(nowMs) }),
        ...(rules.beside?.({ id, nowMs, former: null, next }) ?? []),
      );
      await this.#announce(tx, context, origin, nowMs, 'created', id, this.#told(next));
      return kept<Fields>(next, {
        id,
        organizationId: organization,
        createdAt: nowMs,
        updatedAt: nowMs,
        archivedAt: null,
      });
    });
  }

  /**
   * Changes the given fields, archives or restores a setting; unchanged values write nothing. Fails with the code of an
   * unknown one, STALE_EDIT, and INVALID_PARAMS when the name is taken.
   */
  async change(
    ...[context, origin, organization, id, edit]: [...Who, number, SettingEdit<Fields>]
  ): Promise<KeptSetting<Fields>> {
    const sent = this.#read(edit.fields);
    const { archived } = edit;
    return this.#write(context, organization, async (tx) => {
      const nowMs = context.clock.now();
      const verb = archived === true ? 'end' : 'change';
      const { former, refuseTakenName } = await this.#lock(tx, verb, id, sent);
      if (former === undefined || this.#isGone(former)) throw this.notFound();
      refuseStaleEdit(origin, former.updatedAt);
      refuseTakenName();
      return this.#rewrite(tx, context, origin, { former, sent, archived, nowMs });
    });
  }

  /** Archives, ends or deletes a setting. Archiving it again changes nothing. Resolves to the setting. */
  async end(...[context, origin, organization, id]: [...Who, number]): Promise<KeptSetting<Fields>> {
    const { table, ending } = this.#rules;
    return this.#write(context, organization, async (tx) => {
      const nowMs = context.clock.now();
      const { former } = await this.#lock(tx, 'end', id, {});
      if (former === undefined) throw this.notFound();
      if (staysListed(table.ends)) {
        return this.#rewrite(tx, context, origin, { former, sent: {}, archived: true, nowMs });
      }
      await ending?.(tx, former, nowMs);
      tx.queue(table.remove({ id, at: isoTimestamp(nowMs) }));
      await this.#announce(tx, context, origin, nowMs, 'deleted', id, this.#told(former));
      return former;
    });
  }

  async #rewrite(
    tx: TenantTransaction,
    context: Context,
    origin: Origin,
    { former, sent, archived, nowMs }: Rewriting<Fields>,
  ): Promise<KeptSetting<Fields>> {
    const { table, completing, saving, ending, beside } = this.#rules;
    const { id } = former;
    const changed = Object.keys(sent).length > 0;
    const wanted = { ...former, ...sent, ...(changed && completing?.(sent, former)) };
    const was = former.archivedAt !== null;
    const is = archived ?? was;
    if (is === was && this.#changes(former, wanted) === null) return former;
    if (is && !was) await ending?.(tx, former, nowMs);
    if (was && !is) await this.#refuseNameTakenMeanwhile(tx, wanted);
    const made = changed ? await saving?.(tx, { id, nowMs, former, next: wanted }) : {};
    const archivedAt = is ? (former.archivedAt ?? nowMs) : null;
    const next = { ...wanted, ...made, updatedAt: nowMs, archivedAt };
    tx.queue(
      table.update({
        ...table.parameters(next),
        id,
        at: isoTimestamp(nowMs),
        archivedAt: archivedAt === null ? null : isoTimestamp(archivedAt),
      }),
      ...(beside?.({ id, nowMs, former, next }) ?? []),
    );
    const turn = is === was ? null : is ? (table.ends === 'ended' ? 'ended' : 'archived') : 'restored';
    const ownEvent = turn !== null && this.#hasEvent(turn) ? turn : null;
    await this.#announce(tx, context, origin, nowMs, ownEvent ?? 'updated', id, {
      ...(ownEvent !== null && nameOf(next)),
      ...this.#alwaysTold(next),
      ...this.#changes(former, next),
      // Without an event of its own, the turn is a change among others.
      ...(turn !== null && ownEvent === null && { archived: { from: was, to: is } }),
    });
    return next;
  }

  /** The error for a setting that does not exist, or belongs to another organization. */
  notFound() {
    return failure(this.#rules.notFound, `There is no such ${this.#rules.noun}.`);
  }

  #isGone({ archivedAt }: KeptSetting<Fields>): boolean {
    return this.#rules.staysArchived === true && archivedAt !== null;
  }

  #write<Result>(
    { database }: Context,
    organization: OrganizationId,
    work: (tx: TenantTransaction) => Promise<Result>,
  ): Promise<Result> {
    const constraint = this.#rules.table.uniqueName?.constraint;
    return database.write(organization, work, constraint ? { retryOnConstraints: [constraint] } : {});
  }

  #nameTaken() {
    return failure('INVALID_PARAMS', `name must not be that of another ${this.#rules.noun}.`);
  }

  /** While a setting was archived, another one could get its name. */
  async #refuseNameTakenMeanwhile(
    tx: TenantTransaction,
    { id, name }: { readonly id: number; readonly name?: unknown },
  ): Promise<void> {
    const { findName } = this.#rules.table;
    if (findName === null) return;
    const [others] = await tx.run(findName({ name: String(name), id }));
    if (others.length > 0) throw this.#nameTaken();
  }

  /** Locks what the write depends on, and the setting itself, and looks for another one with the name. */
  async #lock(
    tx: TenantTransaction,
    verb: 'create' | 'change' | 'end',
    id: number,
    { name }: { readonly name?: unknown },
  ) {
    const { table, locking } = this.#rules;
    const rows: unknown = await tx.run(
      ...(locking?.({ verb, id }) ?? []),
      verb === 'create' ? null : table.lockRow({ id }),
      // Read under the lock, which a statement that waits for it would not.
      verb === 'create' || !table.hasFieldsElsewhere ? null : table.select({ id }),
      table.findName === null || name === undefined ? null : table.findName({ name: String(name), id }),
    );
    const [[locked], [read], named] = (rows as unknown[][]).slice(-3) as [
      KeptSetting<Fields>[],
      KeptSetting<Fields>[],
      unknown[],
    ];
    const former = read ?? locked;
    return {
      former,
      refuseTakenName: () => {
        // Some old tags share a name, and can be edited as they are.
        const isKept = former !== undefined && 'name' in former && former.name === name;
        if (named.length > 0 && !isKept) throw this.#nameTaken();
      },
    };
  }

  #read(sent: object): Partial<SettingValues<Fields>> {
    return storedValues(this.#rules.table.fields, sent);
  }

  #changes(former: SettingValues<Fields>, next: SettingValues<Fields>) {
    const { fields } = this.#rules.table;
    return changesOf(settingValues(fields, former), settingValues(fields, next), this.#personal);
  }

  get #personal(): string[] {
    const { fields } = this.#rules.table;
    return Object.keys(fields).filter((name) => fields[name]!.isPersonal);
  }

  /** What the audit log keeps of a new or deleted one. */
  #told(values: SettingValues<Fields>) {
    const personal = this.#personal;
    const told = Object.entries(settingValues(this.#rules.table.fields, values));
    return briefly(Object.fromEntries(told.filter(([name]) => !personal.includes(name))));
  }

  #alwaysTold(values: SettingValues<Fields>) {
    return Object.fromEntries((this.#rules.tells ?? []).map((name) => [name, values[name]]));
  }

  #hasEvent(verb: string): boolean {
    return Object.hasOwn(eventCatalog, `${this.#rules.subject}.${verb}`);
  }

  async #announce(
    tx: TenantTransaction,
    context: Context,
    origin: Origin,
    nowMs: number,
    verb: 'created' | 'updated' | 'archived' | 'ended' | 'restored' | 'deleted',
    id: number,
    told: object,
  ): Promise<void> {
    const { subject, idName } = this.#rules;
    // The fact of every event of a setting is its id; events in the tests are held against the catalog.
    const record = {
      event: `${subject}.${verb}`,
      subjectType: subject,
      subjectId: id,
      payload: { [idName]: id },
      details: { [idName]: id, ...told },
    };
    await announce(tx, context, origin, nowMs, record as unknown as Announcement);
  }
}

/** The values as they are stored, of the fields that were sent. May fail with INVALID_PARAMS. */
export function storedValues<Fields extends SettingFields>(
  fields: Fields,
  sent: object,
): Partial<SettingValues<Fields>> {
  const read = Object.entries(sent)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, fields[name]?.reads?.(value) ?? value]);
  return Object.fromEntries(read) as Partial<SettingValues<Fields>>;
}

/** The values of all fields of a stored setting, as replies show them. */
export function settingValues<Fields extends SettingFields>(
  fields: Fields,
  row: SettingValues<Fields>,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(fields).map(([name, { shows }]) => {
    const stored = row[name as keyof Fields];
    return [name, shows === undefined ? stored : shows(stored)];
  });
  return Object.fromEntries(values);
}

function kept<Fields extends SettingFields>(
  values: SettingValues<Fields>,
  own: Pick<KeptSetting<SettingFields>, 'id' | 'organizationId' | 'createdAt' | 'updatedAt' | 'archivedAt'>,
): KeptSetting<Fields> {
  return { ...values, ...own } as KeptSetting<Fields>;
}

function nameOf(values: object): object {
  return 'name' in values ? { name: values.name } : {};
}

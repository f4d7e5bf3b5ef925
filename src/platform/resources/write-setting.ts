import type { ErrorCode } from '../../kernel/error-catalogue.ts';
import { type EventType, eventTypes, type SubjectType } from '../../kernel/event-catalogue.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { refuseStaleEdit } from '../database/stale-edit.ts';
import type { SqlParameters } from '../database/statement.ts';
import { announce } from '../events/announce.ts';
import { briefly, changesOf } from '../events/changes-of.ts';
import type { KeptSetting, SettingFields, SettingTable, SettingValues } from './setting-table.ts';

/** Subjects with the events that every setting has. */
export type SettingSubject = {
  [Subject in SubjectType]: `${Subject}.created` | `${Subject}.updated` extends EventType ? Subject : never;
}[SubjectType];

/** A change in its transaction, with the row locked. */
export interface SettingChange<Fields extends SettingFields> {
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
  /** An archived one counts as not found, and stays archived. */
  readonly staysArchived?: true;
  /** Each audit entry has the name, because the entries of a change are read without the list. */
  readonly namesEntries?: true;
  /** Refuses values that need the database, and queues what changes beside the setting. */
  saving?(tx: TenantTransaction, change: SettingChange<Fields>): Promise<void>;
  /** Refuses the end of a setting that is in use, and queues what ends with it. */
  ending?(tx: TenantTransaction, kept: KeptSetting<Fields>, nowMs: number): Promise<void>;
}

/** A change that a request asks for: fields that it does not send are undefined. */
export interface SettingEdit<Fields extends SettingFields> {
  readonly fields: { readonly [Name in keyof Fields]?: SettingValues<Fields>[Name] | undefined };
  /** True archives, false restores. */
  readonly archived?: boolean | undefined;
}

type Who = readonly [context: Context, origin: Origin, organization: OrganizationId];

/** The writes of a setting: one transaction each, with its audit entry and its event. */
export class SettingWrites<Fields extends SettingFields> {
  readonly #rules: SettingRules<Fields>;

  constructor(rules: SettingRules<Fields>) {
    this.#rules = rules;
  }

  /** Adds a setting. Fails with INVALID_PARAMS when its name is taken. */
  async create(...[context, origin, organization, sent]: [...Who, SettingValues<Fields>]) {
    const { table } = this.#rules;
    const next = this.#read(sent);
    const id = await context.ids.takeOne();
    const nowMs = context.clock.now();
    return this.#write(context, organization, async (tx) => {
      const names = this.#findName(next);
      if (names !== null) this.#refuseTakenName((await tx.run(names))[0][0], id);
      await this.#rules.saving?.(tx, { id, nowMs, former: null, next });
      tx.queue(table.insert({ ...(next as SqlParameters), id, at: isoTimestamp(nowMs) }));
      await this.#announce(tx, context, origin, nowMs, 'created', id, this.#told(next));
      return kept(next, { id, createdAt: nowMs, updatedAt: nowMs, archivedAt: null });
    });
  }

  /**
   * Changes the given fields, archives or restores a setting; unchanged values write nothing. Fails with the code of an
   * unknown one, STALE_EDIT, and INVALID_PARAMS when the name is taken.
   */
  async change(...[context, origin, organization, id, edit]: [...Who, number, SettingEdit<Fields>]) {
    const { table } = this.#rules;
    const sent = this.#read(edit.fields as Partial<SettingValues<Fields>>);
    const nowMs = context.clock.now();
    return this.#write(context, organization, async (tx) => {
      const [[former], [named]] = await tx.run(table.lockRow({ id }), this.#findName(sent));
      if (former === undefined || this.#isGone(former)) throw this.notFound();
      refuseStaleEdit(origin, former.updatedAt);
      this.#refuseTakenName(named, id);
      const next = { ...this.#valuesOf(former), ...sent } as SettingValues<Fields>;
      const was = former.archivedAt !== null;
      const is = edit.archived ?? was;
      const turn = is === was ? null : is ? 'archived' : 'restored';
      const ownEvent = turn !== null && this.#hasEvent(turn) ? turn : null;
      // Without an event of its own, the turn is a change among others.
      const asChange = (archived: boolean) => (ownEvent === null ? { archived } : {});
      const changes = changesOf(
        { ...this.#valuesOf(former), ...asChange(was) },
        { ...next, ...asChange(is) },
        this.#personal,
      );
      if (changes === null && turn === null) return former;
      if (turn === 'archived') await this.#rules.ending?.(tx, former, nowMs);
      await this.#rules.saving?.(tx, { id, nowMs, former, next });
      const archivedAt = is ? (former.archivedAt ?? nowMs) : null;
      tx.queue(
        table.update({
          ...(next as SqlParameters),
          id,
          at: isoTimestamp(nowMs),
          archivedAt: archivedAt === null ? null : isoTimestamp(archivedAt),
        }),
      );
      const told = { ...(this.#rules.namesEntries && nameOf(next)), ...changes };
      await this.#announce(tx, context, origin, nowMs, ownEvent ?? 'updated', id, told);
      return kept(next, { id, createdAt: former.createdAt, updatedAt: nowMs, archivedAt });
    });
  }

  /** Archives or deletes a setting. Archiving it again changes nothing. Resolves to the setting. */
  async end(...[context, origin, organization, id]: [...Who, number]) {
    const { table } = this.#rules;
    const isArchived = table.ends === 'archived';
    const nowMs = context.clock.now();
    return this.#write(context, organization, async (tx) => {
      const [[former]] = await tx.run(table.lockRow({ id }));
      if (former === undefined) throw this.notFound();
      if (former.archivedAt !== null) return former;
      await this.#rules.ending?.(tx, former, nowMs);
      tx.queue(table.remove({ id, at: isoTimestamp(nowMs) }));
      const told = isArchived ? nameOf(former) : this.#told(this.#valuesOf(former));
      await this.#announce(tx, context, origin, nowMs, isArchived ? 'archived' : 'deleted', id, told);
      return isArchived ? { ...former, updatedAt: nowMs, archivedAt: nowMs } : former;
    });
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
    const { uniqueName } = this.#rules.table;
    return database.write(organization, work, uniqueName && { retryOnConstraints: [uniqueName.constraint] });
  }

  /** The values as they are stored, of the fields that were sent. */
  #read<Sent extends object>(sent: Sent): Sent {
    const { fields } = this.#rules.table;
    const read = Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, fields[name]?.reads?.(value) ?? value]);
    return Object.fromEntries(read) as Sent;
  }

  #valuesOf(row: KeptSetting<Fields>): SettingValues<Fields> {
    return settingValues(this.#rules.table.fields, row);
  }

  get #personal(): string[] {
    const { fields } = this.#rules.table;
    return Object.keys(fields).filter((name) => fields[name]!.isPersonal);
  }

  /** What the audit log keeps of a new or deleted one. */
  #told(values: SettingValues<Fields>) {
    const personal = this.#personal;
    return briefly(Object.fromEntries(Object.entries(values).filter(([name]) => !personal.includes(name))));
  }

  #findName({ name }: { readonly name?: unknown }) {
    const { findName } = this.#rules.table;
    return findName === null || name === undefined ? null : findName({ name: String(name) });
  }

  #refuseTakenName(named: { readonly id: number } | undefined, id: number): void {
    if (named === undefined || named.id === id) return;
    throw failure('INVALID_PARAMS', `name must not be that of another ${this.#rules.noun}.`);
  }

  #hasEvent(verb: string): boolean {
    return (eventTypes as readonly string[]).includes(`${this.#rules.subject}.${verb}`);
  }

  async #announce(
    tx: TenantTransaction,
    context: Context,
    origin: Origin,
    nowMs: number,
    verb: 'created' | 'updated' | 'archived' | 'restored' | 'deleted',
    id: number,
    told: object,
  ): Promise<void> {
    const { subject, idName } = this.#rules;
    await announce(tx, context, origin, nowMs, {
      event: `${subject}.${verb}` as EventType,
      subjectType: subject,
      subjectId: id,
      payload: { [idName]: id },
      details: { [idName]: id, ...told },
    });
  }
}

/** The values of all fields of a stored setting, as replies show them. */
export function settingValues<Fields extends SettingFields>(
  fields: Fields,
  row: KeptSetting<Fields>,
): SettingValues<Fields> {
  const values = Object.entries(fields).map(([name, { shows }]) => {
    const stored = row[name as keyof Fields];
    return [name, shows === undefined ? stored : shows(stored)];
  });
  return Object.fromEntries(values) as SettingValues<Fields>;
}

function kept<Fields extends SettingFields>(
  values: SettingValues<Fields>,
  own: Pick<KeptSetting<SettingFields>, 'id' | 'createdAt' | 'updatedAt' | 'archivedAt'>,
): KeptSetting<Fields> {
  return { ...values, ...own } as KeptSetting<Fields>;
}

function nameOf(values: object): object {
  return 'name' in values ? { name: values.name } : {};
}

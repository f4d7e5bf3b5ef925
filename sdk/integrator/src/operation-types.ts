import type { Answer, CommonOptions } from './client-options.ts';
import type { components, operations as Declared } from './generated/v1-schema.ts';
import type { operations } from './operations.ts';
import type { ShopEvents, ShopEventType } from './shop-events.ts';

/** The named schemas of `contract/v1.json`: `Schema['Order']`. */
export type Schema = components['schemas'];

/** The name of an operation: `operationId` of the contract. */
export type OperationId = keyof typeof operations & keyof Declared;

/** The operations that answer a list. */
export type ListId = {
  [Id in OperationId]: (typeof operations)[Id] extends { readonly pages: string } ? Id : never;
}[OperationId];

type ParamsOf<Id extends OperationId> = Declared[Id] extends { parameters: { path: infer Params } }
  ? { readonly params: Readonly<Params> }
  : object;

type QueryOf<Id extends OperationId> = Declared[Id] extends { parameters: { query?: infer Sent } }
  ? [NonNullable<Sent>] extends [never]
    ? object
    : object extends NonNullable<Sent>
      ? { readonly query?: Readonly<NonNullable<Sent>> }
      : { readonly query: Readonly<NonNullable<Sent>> }
  : object;

type BodyOf<Id extends OperationId> = Declared[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? { readonly body: Readonly<Body> }
  : Declared[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { readonly body?: Readonly<Body> }
    : object;

/** What an operation takes. */
export type CallOptions<Id extends OperationId> = ParamsOf<Id> & QueryOf<Id> & BodyOf<Id> & CommonOptions;

/** The options of a call; they may be left out where nothing in them is required. */
export type CallArguments<Id extends OperationId> =
  object extends CallOptions<Id> ? [options?: CallOptions<Id>] : [options: CallOptions<Id>];

type Replies<Id extends OperationId> = Declared[Id]['responses'];

type ReplyOf<Id extends OperationId> = Replies<Id>[Extract<keyof Replies<Id>, 200 | 201 | 202>] extends {
  content: { 'application/json': infer Reply };
}
  ? Reply
  : { data: null };

/**
 * A change of the feed, by its type: in a `switch` over `type`, `facts` has the type of that event. A newer service may send types that
 * this version does not know: they reach `default`.
 */
export type ShopEvent = {
  [Type in ShopEventType]: Omit<Schema['Change'], 'type' | 'facts' | 'resource'> & {
    readonly type: Type;
    readonly resource: { readonly type: ShopEvents[Type]['resource']; readonly id: string };
    readonly facts: ShopEvents[Type]['facts'];
  };
}[ShopEventType];

/** `data` in the reply of an operation. */
export type DataOf<Id extends OperationId> = Id extends 'listChanges'
  ? ShopEvent[]
  : ReplyOf<Id> extends { data: infer Data }
    ? Data
    : null;

type MetaOf<Id extends OperationId> =
  ReplyOf<Id> extends { meta: infer Meta } ? Meta : Readonly<Record<string, unknown>>;

/** What an operation answers. */
export type AnswerOf<Id extends OperationId> = Answer<DataOf<Id>, MetaOf<Id>>;

/** A row of a list. */
export type RowOf<Id extends ListId> = DataOf<Id> extends readonly (infer Row)[] ? Row : never;

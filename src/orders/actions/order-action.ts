import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../kernel/error-catalogue.ts';
import { type DeclaredEvent, declareEvent } from '../../kernel/event-catalogue.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';
import type { OrderDispatchTask, OrderRecord, OrderStatus, StaffName } from '../order-record.ts';
import type { TakenPayment } from '../take-payments.ts';

/** What an action does with the stock of an order. */
export type StepOnStock = 'none' | 'take' | 'give-back';

/** Who takes an action, and the reason where the action asks for one. */
export interface StepBy {
  readonly staff: StaffName | null;
  readonly cancelationReason?: string;
}

/** What an action is told besides who takes it. */
export interface StepSettings {
  /** Of accept: the only location to take stock from. */
  readonly inventoryLocationId?: number;
  /** Of fulfill: how the order was paid, in place of the intended payments. */
  readonly payments?: readonly TakenPayment[];
}

/** What the body of a request says. */
export interface StepInput extends StepSettings {
  readonly cancelationReason?: string;
}

/** The call of an action over HTTP; its body is an object. */
interface StepOperation<Body> {
  readonly summary: string;
  readonly description: string;
  readonly source: readonly `D${number}`[];
  /** Refusals beside ORDER_NOT_FOUND and INVALID_ORDER_TRANSITION. */
  readonly failures: readonly ErrorCode[];
  readonly body: {
    readonly schema: TSchema;
    readonly example: Readonly<Record<string, unknown>>;
    /** Fails with INVALID_PARAMS for what the schema cannot say. */
    read(body: Body): StepInput;
  } | null;
  /** Fields of the reply beside those of the order. */
  readonly reply?: {
    readonly schemaName: string;
    readonly fields: Readonly<Record<string, TSchema>>;
    readonly example: Readonly<Record<string, unknown>>;
    of(order: OrderRecord, settings: StepSettings): Readonly<Record<string, unknown>>;
  };
}

/** How the console offers an action. */
interface StepInConsole {
  /** The text of the button. */
  readonly verb: string;
  /** The message when it is done. */
  readonly done: string;
  /** Whether the button opens a dialog or acts at once. */
  readonly opens: 'dialog' | 'nothing';
  /** Whether it stands in the menu behind the dots: it goes back, or ends the order. */
  readonly isRare: boolean;
}

/**
 * One action of staff that moves an order from a status to another (D24). The route, the schemas, the event, the
 * offered actions and the console's button are made of this value.
 */
export interface OrderAction<Id extends string = string, Body = never> {
  readonly id: Id;
  readonly from: readonly OrderStatus[];
  readonly to: OrderStatus;
  readonly roles: readonly StaffRole[];
  readonly event: DeclaredEvent;
  readonly stock: StepOnStock;
  /** Whether uses of discounts, credits and points are given back, or points are earned. */
  readonly promotions: 'keep' | 'earn-points' | 'give-back';
  /** Whether the purchase limits are checked once more. */
  readonly checksLimits: boolean;
  /** How a dispatch task that is still open ends (D26). */
  readonly endsDispatchTask: Extract<OrderDispatchTask['status'], 'completed' | 'failed'> | null;
  readonly operation: StepOperation<Body>;
  readonly console: StepInConsole;
  /**
   * The order with what this action records, apart from status, stock and dispatch task. Pure. Fails when the order
   * is not ready for it.
   */
  record(order: OrderRecord, by: StepBy, nowMs: number, settings: StepSettings): OrderRecord;
}

/** Declares an action. The id keeps its literal type, so that lists of actions are checked by the compiler. */
export function orderAction<const Id extends string, Body = never>(
  action: Omit<OrderAction<Id, Body>, 'event'> & { readonly event: `order.${string}` },
): OrderAction<Id, Body> {
  return { ...action, event: declareEvent(action.event) };
}

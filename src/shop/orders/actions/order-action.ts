import type { TSchema } from 'typebox';
import type { ApprovalKind } from '../../../kernel/approval-kinds.ts';
import type { ErrorCode } from '../../../kernel/error-catalog.ts';
import { type DeclaredEvent, declareEvent } from '../../../kernel/event-catalog.ts';
import type { StaffRole } from '../../../kernel/staff-roles.ts';
import type { StopStatus } from '../../../kernel/stop-statuses.ts';
import type { OrderNotice } from '../order-mails.ts';
import type { IdCheckHow, OrderDispatchTask, OrderRecord, OrderStatus, StaffName } from '../order-record.ts';
import type { ExchangedRefund, TakenPayment } from '../take-payments.ts';

/** The effect of an action on the order's stock. */
export type StepOnStock = 'none' | 'take' | 'give-back';

/** The staff member, and the reason where the action requires one. */
export interface StepBy {
  readonly staff: StaffName | null;
  readonly cancelationReason?: string;
}

/** The input of an action besides the staff member. */
export interface StepSettings {
  /** For accept: the only location to take stock from. For void: where the stock goes. */
  readonly inventoryLocationId?: number;
  /** For fulfill: how the order was paid, in place of the intended payments. */
  readonly payments?: readonly TakenPayment[];
  /** For fulfill: the goods that came back for these; `payments` cover the rest. */
  readonly exchange?: ExchangedRefund;
  /** For fulfill: when the goods changed hands, told later; the law and the ID are judged by it. */
  readonly occurredAtMs?: number;
  /** For fulfill: the register where it is paid (D74). */
  readonly registerId?: number;
  /** For fulfill and cancel at a stop of a trip: what became of the stop. */
  readonly stopStatus?: StopStatus;
  /** For fulfill: how a member of staff saw the ID of who takes the goods. */
  readonly idCheck?: IdCheckHow;
  /** For fulfill, by the word of a manager: a payment of which nothing is known stays so. */
  readonly leavesUnknownPayment?: boolean;
  /** Only an order that this integrator placed; others are ORDER_NOT_FOUND. */
  readonly ofIntegrator?: number;
  /** Only from these of the statuses that allow the action. */
  readonly from?: readonly OrderStatus[];
}

/** The request body as read. */
interface StepInput extends StepSettings {
  readonly cancelationReason?: string;
}

/** The HTTP operation of an action; its body is an object. */
interface StepOperation<Body> {
  readonly summary: string;
  readonly description: string;
  /** Error codes besides ORDER_NOT_FOUND and INVALID_ORDER_TRANSITION. */
  readonly failures: readonly ErrorCode[];
  readonly body: {
    readonly schema: TSchema;
    readonly example: Readonly<Record<string, unknown>>;
    /** Fails with INVALID_PARAMS for rules that the schema cannot express. */
    read(body: Body): StepInput;
  } | null;
  /** Fields of the reply besides those of the order. */
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
  /** The message after success. */
  readonly done: string;
  /** Whether the button opens a dialog or acts at once. */
  readonly opens: 'dialog' | 'nothing';
  /** Whether the button is in the overflow menu: actions that go back or end the order. */
  readonly isRare: boolean;
}

/**
 * A staff action that moves an order from one status to another (D24). The route, the schemas, the event, the
 * offered actions and the console's button are made from this value.
 */
export interface OrderAction<Id extends string = string, Body = never> {
  readonly id: Id;
  readonly from: readonly OrderStatus[];
  readonly to: OrderStatus;
  readonly roles: readonly StaffRole[];
  /** Others may act by the word of a member who may. */
  readonly approvable?: ApprovalKind;
  readonly event: DeclaredEvent;
  readonly stock: StepOnStock;
  /** Whether the action returns uses of discounts, credits and points, or earns points, or undoes all that a sale did. */
  readonly promotions: 'keep' | 'earn-points' | 'give-back' | 'undo-sale';
  /**
   * What it does with money at providers (D105): holds the payments against it, or gives it back, what is under way included. Absent:
   * nothing.
   */
  readonly money?: 'settle' | 'give-back';
  /** Whether the action checks the purchase limits again. */
  readonly checksLimits: boolean;
  /** The final status of an open dispatch task (D26). */
  readonly endsDispatchTask: Extract<OrderDispatchTask['status'], 'completed' | 'failed'> | null;
  /** What its customer is told by mail, if the organization's settings say so; undefined: nothing. */
  readonly tells?: OrderNotice | 'receipt';
  readonly operation: StepOperation<Body>;
  readonly console: StepInConsole;
  /**
   * Returns the order with what this action records, without status, stock and dispatch task. Pure. Fails when
   * the order is not ready for the action.
   */
  record(order: OrderRecord, by: StepBy, nowMs: number, settings: StepSettings): OrderRecord;
}

/** Declares an action. The id keeps its literal type, so the compiler checks lists of actions. */
export function orderAction<const Id extends string, Body = never>(
  action: Omit<OrderAction<Id, Body>, 'event'> & { readonly event: `order.${string}` },
): OrderAction<Id, Body> {
  return { ...action, event: declareEvent(action.event) };
}

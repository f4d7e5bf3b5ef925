type Switches = Record<string, readonly [string, ...string[]]>;

/**
 * What is not known of the providers, and what differs between their installations. Each question is a switch; the first value is
 * the default. A client is right when it works with every value.
 */
export const terminalSwitches = {
  customer: ['taps', 'waits', 'never'],
  'tip-in-amount': ['yes', 'no'],
  'status-after-close': ['not-found', 'found'],
  'reference-in-later-batch': ['allowed', 'refused'],
  'late-abort': ['accepted', 'nothing-running', 'reversed'],
  'answer-after-abort': ['1012', '2007', 'close'],
  'error-status': ['200', '400'],
  'code-type': ['text', 'number'],
  'delay-type': ['number', 'text', 'missing'],
  'debit-void': ['1004', '1008', 'allow'],
  'debit-tip-adjust': ['1003', '1004', 'allow'],
  'status-of-other-type': ['found', 'not-found'],
  'unknown-fields': ['ignored', 'refused'],
  'sticks-after-aborts': ['0', '3'],
  'extended-data': ['object', 'array', 'missing'],
  'amount-type': ['number', 'text'],
  'ghost-prompt-seconds': ['0', '20'],
  'settle-receipt': ['either', 'boolean', 'string'],
  'settle-answer': ['given', 'lost'],
  'slip-again': ['printed', 'refused'],
  'batch-list': ['given', 'refused'],
  'batch-sums': ['total', 'parts', 'missing'],
  'auto-close': ['after-sale', 'at-once'],
  callback: ['none', 'same', 'partial'],
  'callback-time': ['after', 'before', 'twice', 'instead'],
} as const satisfies Switches;

/** The same, of the bank. */
export const bankSwitches = {
  'link-repeat': ['refused', 'same'],
  'link-hours': ['none', '24'],
  'capture-id': ['same', 'new'],
  'preauth-hours': ['72', '48', 'none'],
  'preauth-raise': ['refused', 'allowed'],
  'bank-amount-has-tip': ['no', 'yes'],
  'key-runs-seconds': ['0', '60'],
  'business-day': ['utc', 'eastern-17', 'pacific'],
  'refund-order': ['as-asked', 'reversed'],
  'queued-refund': ['without-id', 'with-id'],
  'late-return': ['yes', 'no'],
  'refund-of-declined': ['refuse', 'accept'],
  'hook-copies': ['1', '2'],
  'hook-order': ['in-order', 'reversed'],
  'hook-loss': ['none', 'all'],
  'hook-escape': ['escaped', 'raw'],
  'hook-skew-minutes': ['0', '10', '-10'],
  'hook-accepts': ['2xx', '200'],
  'read-lag-seconds': ['0', '20'],
} as const satisfies Switches;

/** All of them. */
export const paymentSwitches = { ...terminalSwitches, ...bankSwitches };

export type PaymentSwitch = keyof typeof paymentSwitches;
export type PaymentSettings = Readonly<Record<PaymentSwitch, string>>;

export const paymentDefaults = Object.fromEntries(
  Object.entries(paymentSwitches).map(([name, [first]]) => [name, first]),
) as PaymentSettings;

/** Settings with these changes. Fails with an error that names the switch and its values. */
export function turned(before: PaymentSettings, changes: Readonly<Record<string, string>>): PaymentSettings {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(paymentSwitches, name)) throw new PaymentSwitchError(`There is no switch ${name}.`);
    const values: readonly string[] = paymentSwitches[name as PaymentSwitch];
    if (!values.includes(value)) throw new PaymentSwitchError(`${name}: one of ${values.join(', ')}.`);
  }
  return { ...before, ...changes };
}

/** A switch or value that does not exist. */
export class PaymentSwitchError extends Error {}

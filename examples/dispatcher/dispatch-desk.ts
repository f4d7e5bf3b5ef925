import type { DispatcherSettings } from './dispatcher-settings.ts';

/** The steps of a delivery that a dispatcher sets. */
export const taskSteps = ['unassigned', 'assigned', 'active', 'completed', 'failed'] as const;
export type TaskStep = (typeof taskSteps)[number];

/** The service refused: its code, and its message for people. */
export class DeskRefused extends Error {
  override name = 'DeskRefused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Assigns drivers in the name of a member of staff: drivers are the shop's matter, so this is an operation of staff and needs
 * a session. Give the dispatcher an account of its own with the role `budtender`; the audit log then names it.
 */
export class DispatchDesk {
  readonly #settings: Pick<DispatcherSettings, 'baseUrl' | 'staff'>;
  #token: string | null = null;

  constructor(settings: Pick<DispatcherSettings, 'baseUrl' | 'staff'>) {
    this.#settings = settings;
  }

  /** Stores the driver and the step of a delivery. Fails with `DeskRefused`. */
  async dispatch(orderId: string, status: TaskStep, driverName: string | null): Promise<void> {
    // The same key when it is sent again: it is done once.
    const key = crypto.randomUUID();
    const send = () =>
      this.#send(`/staff/v1/orders/${encodeURIComponent(orderId)}/dispatch`, key, {
        status,
        ...(driverName !== null && { driverName }),
      });
    this.#token ??= await this.#signIn();
    const response = await send();
    if (response.status !== 401) return refusedUnlessOk(response);
    // The session has ended: sign in again, once.
    this.#token = await this.#signIn();
    await refusedUnlessOk(await send());
  }

  async #signIn(): Promise<string> {
    const response = await this.#send('/staff/v1/sessions', crypto.randomUUID(), this.#settings.staff);
    await refusedUnlessOk(response.clone());
    return ((await response.json()) as { data: { token: string } }).data.token;
  }

  #send(path: string, key: string, body: object): Promise<Response> {
    return fetch(`${this.#settings.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(this.#token !== null && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
  }
}

async function refusedUnlessOk(response: Response): Promise<void> {
  if (response.ok) return;
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  throw new DeskRefused(error.code, error.message);
}

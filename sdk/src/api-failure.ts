/** The facts of an error code, as listed in `contract/errors.md`. */
export type FailureFacts = Readonly<Record<string, unknown>>;

/** A refusal by the service, or a missing answer: `code` is from `contract/errors.md`, or `NO_CONNECTION`. */
export class ApiFailure extends Error {
  readonly code: string;
  /** The status of the reply; 0: there was no reply. */
  readonly status: number;
  readonly meta: FailureFacts;
  /** Identifies the request in the operator's log. */
  readonly requestId: string | null;

  constructor(facts: {
    message: string;
    code: string;
    status: number;
    meta?: FailureFacts | undefined;
    requestId?: string | null;
  }) {
    super(facts.message);
    this.name = 'ApiFailure';
    this.code = facts.code;
    this.status = facts.status;
    this.meta = facts.meta ?? {};
    this.requestId = facts.requestId ?? null;
  }

  /**
   * The fields the refusal is about, as paths of the body (`lines[0].quantity`): those in `meta.missing`, otherwise the fields
   * at the start of the message. Messages name the field first (D12). For display only, never for decisions.
   */
  get fields(): readonly string[] {
    if (Array.isArray(this.meta.missing)) return this.meta.missing.map(String);
    if (this.status !== 400 && this.status !== 422) return [];
    return fieldsNamedFirst(this.message);
  }
}

/** `name must …`, `orderMinimums.delivery must …`, `lineItems[0].amount must …`, `hasDelivery, hasPickup: …`. */
function fieldsNamedFirst(message: string): string[] {
  const head =
    /^((?:[A-Za-z]|\[\d)[\w.[\]-]*(?:, (?:[A-Za-z]|\[\d)[\w.[\]-]*)*)(?: (?:must|is|are|has|have|belongs|cannot|and) |:|;)/.exec(
      message,
    )?.[1];
  return head?.split(', ') ?? [];
}

/** Reads the body of a refused request. An unexpected body, such as a proxy's, becomes a failure too. */
export function failureOf(response: Response, body: unknown): ApiFailure {
  const error = (body as { error?: { message?: unknown; code?: unknown; meta?: FailureFacts } } | null)
    ?.error;
  return new ApiFailure({
    message:
      typeof error?.message === 'string'
        ? error.message
        : `The service answered with status ${response.status}.`,
    code: typeof error?.code === 'string' ? error.code : 'INTERNAL_ERROR',
    status: response.status,
    meta: error?.meta,
    requestId: response.headers.get('x-request-id'),
  });
}

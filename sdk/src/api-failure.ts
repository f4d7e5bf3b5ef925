/** The facts of an error code, where `contract/errors.md` promises some. */
export type FailureFacts = Readonly<Record<string, unknown>>;

/** Why the service refused, or why no answer came: `code` is of `contract/errors.md`, or `NO_CONNECTION`. */
export class ApiFailure extends Error {
  readonly code: string;
  /** The status of the reply; 0: there was none. */
  readonly status: number;
  readonly meta: FailureFacts;
  /** What the operator finds this request by in the log. */
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
   * The fields that the refusal speaks of, as paths of the body (`lines[0].quantity`): those that `meta.missing` lists, else
   * the ones that the message begins with. Messages name the field first (D12); this is for showing, never for deciding.
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

/** Reads the body of a refused request; whatever a proxy in between may have answered becomes a failure too. */
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

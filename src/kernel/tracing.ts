/**
 * Traces (D59), where a deployment wants them: a tracer is installed at the start, or there is none and nothing is done. What is
 * traced gets names and numbers of the program only: ids, routes, statements, codes. Never a text of a caller, and no message of an
 * error, which may contain one.
 */

type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** One piece of work of a trace. */
export interface Span {
  /** For whatever continues the trace elsewhere (W3C Trace Context); undefined: it is not recorded. */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** `problem`: a code or the name of an error; absent: it went well. */
  end(problem?: string): void;
}

export interface Tracer {
  /** Begins a span below the current one, or below the span of `parent`, a traceparent. */
  start(name: string, kind: SpanKind, attributes: SpanAttributes, parent?: string | null): Span;
  /** Runs work with the span as the current one. */
  within<Result>(span: Span, work: () => Result): Result;
  /** The current span. */
  readonly current: Span | undefined;
}

let installed: Tracer | null = null;

/** Null uninstalls. */
export function installTracer(tracer: Tracer | null): void {
  installed = tracer;
}

/** Null where nothing is traced. */
export function currentTracer(): Tracer | null {
  return installed;
}

/** The traceparent of the current span, if it is recorded. */
export function currentTraceparent(): string | undefined {
  return installed?.current?.traceparent;
}

/** Runs work as a span, if there is a tracer. */
export async function traced<Result>(
  {
    name,
    kind,
    attributes,
    parent,
  }: {
    readonly name: string;
    readonly kind: SpanKind;
    readonly attributes: SpanAttributes;
    readonly parent?: string | null | undefined;
  },
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (installed === null) return work(undefined);
  const span = installed.start(name, kind, attributes, parent);
  try {
    const result = await installed.within(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(problemOf(error));
    throw error;
  }
}

/** A code of the catalog, of PostgreSQL or of the system, or the name of the error. */
function problemOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}

import { type ErrorCode, errorCatalog } from '../../kernel/error-catalog.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { takesIdempotencyKey } from './idempotency-key.ts';

/** The refusals of every operation (D13). */
const alwaysPossible: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'INVALID_PARAMS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORAGE_FULL',
];

const missingPermission = 'INSUFFICIENT_PERMISSIONS' as const;

function admissionRefusals(endpoint: AnyEndpoint): readonly ErrorCode[] {
  if (!('audience' in endpoint)) {
    const needsNone = endpoint.permission === null && endpoint.publishableKey === 'allowed';
    return [
      'INVALID_API_CREDENTIALS',
      ...(needsNone ? [] : [missingPermission]),
      ...(endpoint.publishableKey === 'allowed' ? (['ORIGIN_NOT_ALLOWED'] as const) : []),
    ];
  }
  return [
    'INVALID_API_CREDENTIALS',
    ...(endpoint.roles === 'anyone' ? [] : [missingPermission]),
    ...(endpoint.roles === 'anyone' || endpoint.isOpenWithoutFactor
      ? []
      : (['SECOND_FACTOR_NOT_SET_UP'] as const)),
    ...(endpoint.recentProof === undefined ? [] : (['RECENT_PROOF_REQUIRED'] as const)),
    ...(endpoint.method === 'GET' ? [] : (['CROSS_ORIGIN_REQUEST'] as const)),
  ];
}

function bodyRefusals(endpoint: AnyEndpoint): readonly ErrorCode[] {
  const { body } = endpoint;
  const tooLarge = endpoint.bodyTooLarge?.code ?? 'PAYLOAD_TOO_LARGE';
  if (body) return ['UNSUPPORTED_MEDIA_TYPE', tooLarge, 'INVALID_JSON'];
  return fileTypesOf(endpoint) ? ['UNSUPPORTED_MEDIA_TYPE', tooLarge] : [];
}

/** The media types of an operation whose body is a file. */
export function fileTypesOf(endpoint: AnyEndpoint): readonly string[] | undefined {
  return 'bodyFile' in endpoint ? endpoint.bodyFile : undefined;
}

/** All codes of an operation: its own, those of its schemas and those of the frame. */
export function possibleErrorCodes(endpoint: AnyEndpoint): readonly ErrorCode[] {
  const sent = [endpoint.query, endpoint.body].filter((schema) => schema !== undefined);
  const codes = new Set<ErrorCode>([
    ...admissionRefusals(endpoint),
    ...alwaysPossible,
    ...bodyRefusals(endpoint),
    ...(endpoint.alsoMissing || sent.some((schema) => JSON.stringify(schema).includes('"required":['))
      ? (['MISSING_PARAMS'] as const)
      : []),
    ...sent.flatMap(errorCodesIn),
    ...Object.values(endpoint.resourceParams),
    ...('takesIfMatch' in endpoint && endpoint.takesIfMatch ? (['STALE_EDIT'] as const) : []),
    ...(takesIdempotencyKey(endpoint) ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...endpoint.failures,
  ]);
  return (Object.keys(errorCatalog) as ErrorCode[]).filter((code) => codes.has(code));
}

function errorCodesIn(schema: unknown): ErrorCode[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'x-error-code' ? [value as ErrorCode] : errorCodesIn(value),
  );
}

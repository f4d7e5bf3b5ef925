/** The health of an integrator's requests, of one day. */
export const healthStates = ['silent', 'healthy', 'disturbed', 'failing'] as const;

interface RequestCounts {
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
}

/** From these shares of all requests on. */
const failing = { refused: 0.5, failed: 0.01 } as const;
const disturbed = { refused: 0.1 } as const;

/**
 * `failing` when 1 % or more failed or half or more were refused, `disturbed` when any failed or a tenth or more were
 * refused.
 */
export function healthOf({ requests, refused, failed }: RequestCounts): (typeof healthStates)[number] {
  if (requests === 0) return 'silent';
  if (failed >= requests * failing.failed || refused >= requests * failing.refused) return 'failing';
  return failed > 0 || refused >= requests * disturbed.refused ? 'disturbed' : 'healthy';
}

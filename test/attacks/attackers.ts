import { expect } from 'vitest';
import type { ManualClock } from '../../src/kernel/clock.ts';
import type { TestReply, TestRequest, TestService } from '../harness/test-service.ts';

/* Where attackers sit, and what they get. The service of an attack trusts 127.0.0.1 as its proxy. */

/** The addresses of one network: the 2^64 of a home or a rented server. */
export const inOneNetwork = (at: number) => `2001:db8:a:1::${(at + 1).toString(16)}`;
/** One address in each of the 65,536 networks of a larger one (/48). */
export const inManyNetworks = (at: number) => `2001:db8:a:${(at + 2).toString(16)}::1`;
/** One address in each of many larger ones: a net of taken-over machines. */
export const everywhere = (at: number) => `2001:db8:${(at + 0x1000).toString(16)}:1::1`;

/** Sends a request from an address. */
export function callFrom(
  { call }: Pick<TestService, 'call'>,
  address: string,
  method: string,
  path: string,
  request: TestRequest = {},
): Promise<TestReply> {
  return call(method, path, { ...request, headers: { 'x-forwarded-for': address, ...request.headers } });
}

/** How many of `count` attempts are heard, one after the other: all but those that are refused for their number. */
export async function heard(
  count: number,
  attempt: (at: number) => Promise<TestReply>,
  onRefused?: (reply: TestReply) => void,
): Promise<number> {
  let heardCount = 0;
  for (let at = 0; at < count; at += 1) {
    const reply = await attempt(at);
    expect(reply.status).toBeLessThan(500);
    if (reply.status === 429) onRefused?.(reply);
    else heardCount += 1;
  }
  return heardCount;
}

/** Earlier attempts no longer count. */
export function letPass(clock: ManualClock): void {
  clock.advance(86_400_000);
}

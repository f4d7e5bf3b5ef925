import { useSyncExternalStore } from 'react';
import type { StaffPaths } from '../../../sdk/src/staff-client.ts';

/* A manager's word on the spot, by PIN: what is approved in this session, the dialog that asks for it, and who waits for the answer. */

export type ApprovalKind =
  StaffPaths['/staff/v1/approvals']['post']['requestBody']['content']['application/json']['kind'];

export interface Approval {
  readonly token: string;
  readonly expiresAt: string;
}

interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** Null: the person gives up. */
  readonly answer: (approval: Approval | null) => void;
  readonly answered: Promise<boolean>;
}

/** They end with the page: a reload asks again. */
const given = new Map<ApprovalKind, Approval>();
let request: ApprovalRequest | null = null;
const listeners = new Set<() => void>();

function set(value: ApprovalRequest | null): void {
  request = value;
  for (const listener of listeners) listener();
}

/** Asks for a manager's PIN; resolves to whether it was given. */
export function askForApproval(kind: ApprovalKind): Promise<boolean> {
  if (request !== null) return request.answered;
  let answer: ApprovalRequest['answer'] = () => {};
  const answered = new Promise<boolean>((resolve) => {
    answer = (approval) => {
      if (approval !== null) given.set(kind, approval);
      set(null);
      resolve(approval !== null);
    };
  });
  set({ kind, answer, answered });
  return answered;
}

/** The approval ends with what it was for. */
export function forgetApproval(kind: ApprovalKind): void {
  given.delete(kind);
}

export const presentRequest = (): ApprovalRequest | null => request;

export function useApprovalRequest(): ApprovalRequest | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, presentRequest);
}

const orders = '/staff/v1/orders';

/** What a request needs an approval for, where its caller may not do it alone; null: it is not approvable. */
export function approvableKind({ method, url }: Pick<Request, 'method' | 'url'>): ApprovalKind | null {
  const { pathname } = new URL(url);
  if (method === 'PATCH') return new RegExp(`^${orders}/[^/]+$`).test(pathname) ? 'amounts' : null;
  if (method !== 'POST') return null;
  if (pathname === orders || pathname === `${orders}/pricing`) return 'amounts';
  const [, step] = new RegExp(`^${orders}/[^/]+/(void|fulfill)$`).exec(pathname) ?? [];
  return step === 'void' ? 'void' : step === 'fulfill' ? 'payment' : null;
}

async function isBeyondRole(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: { error?: { code?: unknown } } | null = await response
    .clone()
    .json()
    .catch(() => null);
  return body?.error?.code === 'INSUFFICIENT_PERMISSIONS';
}

/**
 * Like `fetch`. What was approved is sent with its requests, and ends with the act that it was for; an act beyond the role asks for a
 * manager's PIN, and is sent again. A price is only a preview, asked for while a person types: its refusal is shown, with a button that
 * asks.
 */
export function approvedFetch(
  send: (request: Request) => Promise<Response>,
  ask: (kind: ApprovalKind) => Promise<boolean> = askForApproval,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const kind = approvableKind(request);
    if (kind === null) return send(request);
    const body = request.body === null ? undefined : await request.arrayBuffer();
    const whole = () => {
      const copy = new Request(request, body === undefined ? {} : { body });
      const approval = given.get(kind);
      if (approval) copy.headers.set('X-Approval', approval.token);
      return copy;
    };
    const act = async () => {
      const response = await send(whole());
      if (response.ok) forgetApproval(kind);
      return response;
    };
    if (request.url.endsWith('/pricing')) return send(whole());
    const response = await act();
    if (!(await isBeyondRole(response))) return response;
    forgetApproval(kind);
    return (await ask(kind)) ? act() : response;
  };
}

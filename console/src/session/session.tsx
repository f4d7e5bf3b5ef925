import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react';
import type { StaffRight } from '../../../sdk/src/staff-rights.ts';
import { ApiFailure, api, dataOf, type Schema } from '../api.ts';
import { LoadFailure } from '../parts/load-failure.tsx';
import { hasUnsavedWork, reloadWithoutAsking } from '../parts/unsaved-work.ts';
import { companySignInPath } from './company-link.ts';
import { invitationPath, newPasswordPath } from './invitation-link.ts';
import { useApprovalRequest } from './manager-approvals.ts';
import { useProofRequest } from './proof-request.ts';
import { forgetSessionEnd } from './session-end.ts';
import { onSessionNews } from './session-news.ts';
import { roleHas } from './staff-role.ts';

/** The signed-in staff member and the organization. */
export interface Session {
  readonly staff: Schema['SignedInStaff'];
  readonly organization: {
    readonly id: number;
    readonly name: string;
    readonly state: string;
    readonly tz: string;
    /** `HH:MM`. */
    readonly businessDayStartsAt: string;
    /** Null: the shop trades. */
    readonly suspension: { readonly endsAt: string | null } | null;
  };
  /** The role needs a second factor, and the person has none: nothing else is served. */
  readonly mustSetUpFactor: boolean;
}

/** Links of invitations and for new passwords open this page, and identity providers lead to it. */
const LinkPage = lazy(() => import('./link-page.tsx'));
const linkPaths = [invitationPath, newPasswordPath, companySignInPath];

// Most visits have a session, so the first page does not load it.
const SignInPage = lazy(async () => ({ default: (await import('./sign-in-page.tsx')).SignInPage }));

/** For people who must set up a second factor first. */
const MustSetUpPage = lazy(() => import('./must-set-up-page.tsx'));

const SessionContext = createContext<Session | null>(null);

/** Shows the sign-in page instead of `children` until there is a session. The address does not change. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { pathname } = window.location;
  if (linkPaths.includes(pathname)) {
    return (
      <Suspense>
        <LinkPage path={pathname} />
      </Suspense>
    );
  }
  return <SignedInGate>{children}</SignedInGate>;
}

/** One page belongs to one person. If another person signs in from another tab, the page starts over for them. */
function SignedInGate({ children }: { children: ReactNode }) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => dataOf(api.GET('/staff/v1/me')),
    staleTime: 300_000,
    // The session may belong to another person now.
    refetchOnWindowFocus: 'always',
  });
  const who = me.data && `${me.data.organization.id}/${me.data.staff.id}`;
  const [personId, setPersonId] = useState(who);
  if (personId === undefined && who !== undefined) setPersonId(who);
  const isOtherPerson = who !== undefined && personId !== undefined && who !== personId;
  useEffect(() => {
    if (isOtherPerson) reloadWithoutAsking();
  }, [isOtherPerson]);
  useSessionOfOtherTabs(me.refetch, personId !== undefined);
  if (isOtherPerson) return null;
  if (me.data) {
    return (
      <SessionContext value={me.data}>
        <FactorGate session={me.data}>{children}</FactorGate>
        <ProofGate />
        <ApprovalGate />
      </SessionContext>
    );
  }
  if (isSessionEnd(me.error)) {
    return (
      <Suspense>
        <SignInPage />
      </Suspense>
    );
  }
  if (me.error) return <LoadFailure error={me.error} onRetry={() => me.refetch()} />;
  return null;
}

/** Shows what sets a second factor up until the person is done with it: the recovery codes are shown once. */
function FactorGate({ session, children }: { session: Session; children: ReactNode }) {
  const { mustSetUpFactor, staff } = session;
  const [isSettingUp, setSettingUp] = useState(mustSetUpFactor);
  if (mustSetUpFactor && !isSettingUp) setSettingUp(true);
  const queryClient = useQueryClient();
  const onDone = async () => {
    await queryClient.invalidateQueries({ queryKey: ['me'] });
    setSettingUp(false);
  };
  if (!isSettingUp) return children;
  return (
    <Suspense>
      <MustSetUpPage name={staff.firstName} onDone={onDone} />
    </Suspense>
  );
}

/** Reads the session again after a sign-in or sign-out in another tab. */
function useSessionOfOtherTabs(
  askAgain: () => Promise<{ readonly error: unknown }>,
  isSignedIn: boolean,
): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      onSessionNews(async () => {
        const { error } = await askAgain();
        if (error === null) {
          forgetSessionEnd();
          void queryClient.invalidateQueries();
        } else if (isSignedIn && isSessionEnd(error) && !hasUnsavedWork('page')) {
          // Otherwise a dialog asks to sign in again and keeps what was typed.
          reloadWithoutAsking();
        }
      }),
    [askAgain, isSignedIn, queryClient],
  );
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401;
}

/** The current session. Works only below `SessionGate`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession works only below SessionGate.');
  return session;
}

/** Whether the staff member may call the operation. This only hides controls; the server enforces the roles. */
export function useCan(right: StaffRight): boolean {
  return roleHas(useSession().staff.role, right);
}

/** Shows `children` only to those who may call the operation. */
export function RoleGate({
  right,
  children,
  otherwise = null,
}: {
  right: StaffRight;
  children: ReactNode;
  otherwise?: ReactNode;
}) {
  return useCan(right) ? children : otherwise;
}

// Rarely used, so the first screen does not load it.
const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

const ApprovalDialog = lazy(async () => ({ default: (await import('./pin-dialogs.tsx')).ApprovalDialog }));

/** Opens the dialog that asks for a manager's word, over whatever is open. */
function ApprovalGate() {
  if (useApprovalRequest() === null) return null;
  return (
    <Suspense>
      <ApprovalDialog />
    </Suspense>
  );
}

/** Opens the dialog that asks who is at the screen, over whatever is open. */
function ProofGate() {
  const request = useProofRequest();
  if (request === null) return null;
  return (
    <Suspense>
      <ProofDialog needs={request.needs} onAnswer={request.answer} />
    </Suspense>
  );
}

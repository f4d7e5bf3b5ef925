import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useState } from 'react';
import { ApiFailure, api, dataOf, type Schema } from '../api.ts';
import { LoadFailure } from '../parts/load-failure.tsx';
import { hasUnsavedWork, reloadUnasked } from '../parts/unsaved-work.ts';
import { invitationPath } from './invitation-link.ts';
import { forgetSessionEnd } from './session-end.ts';
import { onSessionNews } from './session-news.ts';
import { SignInPage } from './sign-in-page.tsx';

export type StaffRole = Schema['SignedInStaff']['role'];

/** Who is signed in, and for which shop. */
export interface Session {
  readonly staff: Schema['SignedInStaff'];
  readonly organization: {
    readonly id: number;
    readonly name: string;
    readonly state: string;
    readonly tz: string;
  };
}

/** The link of an invitation leads here. */
const InvitationPage = lazy(() => import('./invitation-page.tsx'));

const SessionContext = createContext<Session | null>(null);

/** Shows the sign-in page in place of `children` while nobody is signed in; the address stays what it is. */
export function SessionGate({ children }: { children: ReactNode }) {
  if (window.location.pathname === invitationPath) {
    return (
      <Suspense>
        <InvitationPage />
      </Suspense>
    );
  }
  return <SignedInGate>{children}</SignedInGate>;
}

/** The page is one person's: whoever signs in by another tab of the browser begins with a page of their own. */
function SignedInGate({ children }: { children: ReactNode }) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => dataOf(api.GET('/staff/v1/me')),
    staleTime: 300_000,
    // The session may be another one by now.
    refetchOnWindowFocus: 'always',
  });
  const who = me.data && `${me.data.organization.id}/${me.data.staff.id}`;
  const [whose, setWhose] = useState(who);
  if (whose === undefined && who !== undefined) setWhose(who);
  const isSomebodyElse = who !== undefined && whose !== undefined && who !== whose;
  useEffect(() => {
    if (isSomebodyElse) reloadUnasked();
  }, [isSomebodyElse]);
  useSessionOfOtherTabs(me.refetch, whose !== undefined);
  if (isSomebodyElse) return null;
  if (me.data) return <SessionContext value={me.data}>{children}</SessionContext>;
  if (isSessionEnd(me.error)) return <SignInPage />;
  if (me.error) return <LoadFailure error={me.error} onRetry={() => me.refetch()} />;
  return null;
}

/** When somebody signs in or out in another tab, asks who is signed in now. */
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
          // Else a dialog asks to sign in again, over what has been typed.
          reloadUnasked();
        }
      }),
    [askAgain, isSignedIn, queryClient],
  );
}

function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401;
}

/** The session of whoever works here. Only below `SessionGate`. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession is only for what SessionGate shows.');
  return session;
}

/** Whether the role allows it, as the operation's `roles` say; an owner may do everything. Roles hide, the server refuses. */
export function useCan(roles: readonly StaffRole[]): boolean {
  const { role } = useSession().staff;
  return role === 'owner' || roles.includes(role);
}

/** Shows `children` only to these roles, and to owners. */
export function RoleGate({
  roles,
  children,
  otherwise = null,
}: {
  roles: readonly StaffRole[];
  children: ReactNode;
  otherwise?: ReactNode;
}) {
  return useCan(roles) ? children : otherwise;
}

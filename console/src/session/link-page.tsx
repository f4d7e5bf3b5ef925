import { companySignInPath } from './company-link.ts';
import { CompanySignIn } from './company-sign-in.tsx';
import { invitationPath } from './invitation-link.ts';
import InvitationPage from './invitation-page.tsx';

/** The page of a link from elsewhere, which is there without a session and with one. */
export default function LinkPage({ path }: { path: string }) {
  if (path === companySignInPath) return <CompanySignIn />;
  return <InvitationPage of={path === invitationPath ? 'invitation' : 'reset'} />;
}

import { Navigate } from 'react-router';
import { useSession } from '../session/session.tsx';
import { sections } from './sections.ts';

/** Opens the first section the role can see. */
export function FirstScreen() {
  const { role } = useSession().staff;
  const first = sections.find(({ roles }) => role === 'owner' || roles.includes(role));
  return <Navigate to={first?.path ?? '/orders'} replace />;
}

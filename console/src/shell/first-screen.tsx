import { Navigate } from 'react-router';
import { useSession } from '../session/session.tsx';
import { roleHas } from '../session/staff-role.ts';
import { sections } from './sections.ts';

/** Opens the first section the role can see. */
export function FirstScreen() {
  const { role } = useSession().staff;
  const first = sections.find(({ right }) => roleHas(role, right));
  return <Navigate to={first?.path ?? '/orders'} replace />;
}

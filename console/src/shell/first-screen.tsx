import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { useSession } from '../session/session.tsx';
import { roleHas } from '../session/staff-role.ts';
import { firstStepsQuery } from './first-steps-query.ts';
import { getStarted, sections } from './sections.ts';

/** Opens the first section that the role can see; for the owner of a shop that cannot sell yet, the list of what it lacks. */
export function FirstScreen() {
  const { role } = useSession().staff;
  const steps = useQuery({ ...firstStepsQuery, enabled: roleHas(role, getStarted.right) });
  if (steps.isLoading) return <Skeleton m="xl" height={32} width={240} />;
  if (steps.data && !steps.data.canSell && !steps.data.hidden) {
    return <Navigate to={getStarted.path} replace />;
  }
  const first = sections.find((it) => it !== getStarted && roleHas(role, it.right));
  return <Navigate to={first?.path ?? '/orders'} replace />;
}

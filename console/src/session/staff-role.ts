import { type StaffRight, staffRights } from '../../../sdk/src/staff-rights.ts';
import type { Schema } from '../api.ts';
import { t } from '../words/words.ts';

export type StaffRole = Schema['SignedInStaff']['role'];

/** Whether the role may call the operation; an owner always may. */
export function roleHas(role: StaffRole, right: StaffRight): boolean {
  const roles: readonly StaffRole[] = staffRights[right];
  return role === 'owner' || roles.includes(role);
}

const people = {
  owner: t`owners`,
  manager: t`managers`,
  budtender: t`budtenders`,
  inventory: t`inventory staff`,
} as const;

/** `owners, managers and budtenders`: those who may call the operation. */
export function peopleWith(right: StaffRight): string {
  const words = [people.owner, ...staffRights[right].map((role) => people[role])];
  return words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

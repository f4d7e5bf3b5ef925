import { assert } from '../../kernel/assert.ts';
import type { PipelineRow, PipelineStatement } from './pipeline.ts';

/** The role of a session, and the strongest roles that it may become. */
export const selectServingRole: PipelineStatement = {
  name: 'select_serving_role',
  text: `select current_user::text as name,
           (select min(rolname::text) from pg_roles
             where (rolsuper or rolbypassrls) and pg_has_role(current_user, oid, 'member')) as bypassing,
           (select min(pg_get_userbyid(relowner)::text) from pg_class
             where relrowsecurity and pg_has_role(current_user, relowner, 'member')) as owning`,
  values: [],
};

/** Refuses a role that can bypass row-level security, or remove it as the owner of the tables. */
export function assertCannotBypassSecurity(row: PipelineRow): void {
  const { name, bypassing, owning } = row as Readonly<Record<'name' | 'bypassing' | 'owning', string>>;
  const itself = (role: string) => (role === name ? '' : ` as ${role}, which it may become`);
  assert(bypassing === null, () => `the role ${name} can bypass row-level security${itself(bypassing)}`);
  assert(owning === null, () => `the role ${name} owns the tables${itself(owning)}`);
}

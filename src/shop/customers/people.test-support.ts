import { testOrigin } from '../../../test/harness/test-shop.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { importCustomers } from './customers.ts';
import type { ImportedCustomer } from './import-customers.ts';

/** Creates customers with the given fields, others blank, and resolves to their ids. */
export async function importPeople(
  context: Context,
  organization: OrganizationId,
  people: readonly Partial<ImportedCustomer>[],
): Promise<number[]> {
  const rows = await importCustomers(
    context,
    testOrigin,
    organization,
    people.map((person) => ({
      firstName: 'Given',
      lastName: 'Onfile',
      email: null,
      phone: null,
      birthday: null,
      sex: null,
      zip: null,
      licenseExpiry: null,
      medicalExpiration: null,
      marketingOptInAtMs: null,
      joinedAtMs: context.clock.now(),
      ...person,
    })),
  );
  return rows.map(({ id }) => id);
}

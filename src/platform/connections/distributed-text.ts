/**
 * The texts of tenant statements for a distributed database (Citus), whose planner sends a statement to one server if each table
 * in it is held to the same organization by equality with a value. On one server such texts would only be longer: there the
 * statements are as written.
 */

const texts = new Map<string, string>();

/** The text that a distributed database gets for a statement. The result is cached: the texts of the program are constants. */
export function distributedText(text: string): string {
  let made = texts.get(text);
  if (made === undefined) {
    made = rewritten(text);
    texts.set(text, made);
  }
  return made;
}

const tenantCompared = /\borganization_id = (\$\d+)/;
const joined = /\b(\w+)\.organization_id = (\w+)\.organization_id\b/g;

function rewritten(text: string): string {
  const made = text.replace(insertOfValues, selectedFromTenant);
  const tenant = tenantCompared.exec(made)?.[1];
  if (tenant === undefined) return made;
  // Both are of the organization already: row-level security shows no others.
  return made.replaceAll(
    joined,
    (_, one: string, other: string) =>
      `(${one}.organization_id = ${tenant} and ${other}.organization_id = ${tenant})`,
  );
}

/** An insert of rows that the statement brings along: the organization, then columns from arrays or from JSON. */
const insertOfValues =
  /(\binsert into \w+(?: as \w+)?\s*\(organization_id,[^)]*\)\s*select (?:distinct )?)(\$\d+)(?:::bigint)?(,[^;]*?\bfrom )(?=unnest\(|rows from \(|jsonb_to_recordset\()/g;

/**
 * Rows that are selected from no distributed table pass through the memory of the coordinator, by a copy that row-level security
 * forbids. Beside the row of their organization they are made on its server.
 */
function selectedFromTenant(_: string, insert: string, tenant: string, rest: string): string {
  return `${insert}tenant.organization_id${rest}(
     select id as organization_id from organizations where id = ${tenant}) tenant cross join `;
}

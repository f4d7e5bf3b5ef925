const toleranceDescription = `Bodies whose meaning is plain are accepted beyond what the schemas say: \`null\` where a field may be left
out, \`""\` for an optional text or date (as \`null\`, which clears where an update may clear), decimals such as \`".5"\`,
\`image/jpg\`, photo addresses with spaces, Base64 with line breaks.`;
/** Begins the reference of integrators. */
export const interfaceDescription = (
  menuUrl: string,
) => `Price carts, place orders and read the data of a cannabis retailer.

Every operation needs two headers: \`X-Consumer-Key\` (the integrator's) and \`X-Client-Key\` (issued by the
organization for that integrator; it selects the organization). Money is integer cents. Timestamps are ISO 8601
in UTC; requests may use any offset and up to 9 decimals of a second (RFC 3339). A success carries its payload
under \`data\`; a refusal is \`{error: {message, code, meta?}}\`. v1 grows by addition only.

The base address serves every operation. The menu address, ${menuUrl}, serves those of the menu too, for deployments
that scale or cache them apart.

${toleranceDescription}`;

/** Begins the reference of staff. */
export const staffDescription = `The interface for the organization's staff: orders, stock, customers and settings.

Sign in with \`POST /staff/v1/sessions\`. Browsers then carry the cookie \`dispensary_session\` (under TLS
\`__Host-dispensary_session\`), and writes are accepted from pages of this service only; tools send
\`Authorization: Bearer\` with the token. Each operation lists the roles that may use it; an owner may do everything. Money is
integer cents; amounts of stock and rates are decimal text. Timestamps are ISO 8601 in UTC; requests may use any
offset and up to 9 decimals of a second (RFC 3339). A success carries its payload under \`data\`; a refusal is
\`{error: {message, code, meta?}}\`.

${toleranceDescription}`;

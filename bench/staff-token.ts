/** Signs a member of staff in. Resolves to the token of the session. */
export async function openStaffSession(baseUrl: string, staff: object): Promise<string> {
  const session = await fetch(`${baseUrl}/staff/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(staff),
  });
  const { data } = (await session.json()) as { data: { token: string } };
  return data.token;
}

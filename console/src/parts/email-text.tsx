/** An email address that goes on in a second line at its `@`, where it must. */
export function EmailText({ email }: { email: string | null }) {
  if (email === null) return '–';
  const [name, ...host] = email.split('@');
  return (
    <>
      {name}@<wbr />
      {host.join('@')}
    </>
  );
}

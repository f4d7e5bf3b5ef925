/** An email address that can break into a second line at its `@`. */
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

import classes from './data-table.module.css';

/** An email address that breaks into a second line only at its `@`; a half that is too long ends in dots. */
export function EmailText({ email }: { email: string | null }) {
  if (email === null) return '–';
  const [name, ...host] = email.split('@');
  return (
    <span className={classes.email} title={email}>
      <span>{name}@</span>
      <wbr />
      <span>{host.join('@')}</span>
    </span>
  );
}

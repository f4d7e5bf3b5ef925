/** What a customer is found by. */
interface Known {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly hashId?: string;
}

const folded = (text: string | null | undefined) => (text ?? '').trim().replace(/\s+/g, ' ').toLowerCase();

/** Without the country's code, as people say it. */
const digitsOf = (phone: string) => phone.replace(/\D/g, '').slice(-10);

/** The one customer whose whole name, phone, email or short id was typed; null: nobody's, or that of several. */
export function exactCustomer<Row extends Known>(rows: readonly Row[], typed: string): Row | null {
  const wanted = folded(typed);
  const isPhone = /^[\d\s()+.-]+$/.test(wanted) && digitsOf(wanted).length === 10;
  const exact = rows.filter(({ firstName, lastName, email, phone, hashId }) =>
    isPhone
      ? digitsOf(phone ?? '') === digitsOf(wanted)
      : wanted !== '' &&
        [folded(`${firstName ?? ''} ${lastName ?? ''}`), folded(email), folded(hashId)].includes(wanted),
  );
  return exact.length === 1 ? exact[0]! : null;
}

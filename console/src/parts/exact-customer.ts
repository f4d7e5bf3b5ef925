/** The fields a customer is found by. */
interface Known {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly hashId?: string;
}

const normalized = (text: string | null | undefined) =>
  (text ?? '').trim().replace(/\s+/g, ' ').toLowerCase();

/** Without the country code. */
const digitsOf = (phone: string) => phone.replace(/\D/g, '').slice(-10);

/** The one customer whose full name, phone, email or short id was typed; null: no match, or several. */
export function exactCustomer<Row extends Known>(rows: readonly Row[], typed: string): Row | null {
  const wanted = normalized(typed);
  const isPhone = /^[\d\s()+.-]+$/.test(wanted) && digitsOf(wanted).length === 10;
  const exact = rows.filter(({ firstName, lastName, email, phone, hashId }) =>
    isPhone
      ? digitsOf(phone ?? '') === digitsOf(wanted)
      : wanted !== '' &&
        [normalized(`${firstName ?? ''} ${lastName ?? ''}`), normalized(email), normalized(hashId)].includes(
          wanted,
        ),
  );
  return exact.length === 1 ? exact[0]! : null;
}

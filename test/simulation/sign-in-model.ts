const hourMs = 3_600_000;

/** What the service knows of an email. */
interface Contact {
  hourStartedAtMs: number;
  sends: number;
  tries: number;
  /** The code that was sent last; null: it was used. */
  code: string | null;
  codeSentAtMs: number;
  /** Codes that are of no use any more. */
  readonly spent: string[];
}

export interface CustomerSession {
  readonly email: string;
  readonly token: string;
  readonly expiresAtMs: number;
  isEnded: boolean;
}

/** Codes and sessions of a year. */
export class SignInModel {
  readonly contacts = new Map<string, Contact>();
  readonly sessions: CustomerSession[] = [];

  /** The contact, in the current hour. */
  at(email: string, nowMs: number): Contact {
    const fresh = { hourStartedAtMs: nowMs, sends: 0, tries: 0 };
    const known = this.contacts.get(email);
    if (known === undefined) {
      const contact = { ...fresh, code: null, codeSentAtMs: 0, spent: [] };
      this.contacts.set(email, contact);
      return contact;
    }
    if (known.hourStartedAtMs <= nowMs - hourMs) Object.assign(known, fresh);
    return known;
  }
}

/** A thing that is not as the data promises. */
export interface VerificationFinding {
  /** The name of the check that found it. */
  readonly check: string;
  /** Null: of the deployment, or of no known organization. */
  readonly organizationId: number | null;
  /** The table, the index or the file. */
  readonly place: string;
  /** The row in it, by its key; null for a whole table or file. */
  readonly row: string | null;
  /** As staff know the order; null if it is about none. */
  readonly orderNumber: number | null;
  /** Whether data is lost or wrong. A note is true of whole data, too, after a crash. */
  readonly isDamage: boolean;
  /** What is wrong, with both values. */
  readonly words: string;
}

/** The outcome of one check. */
interface CheckOutcome {
  readonly check: string;
  readonly promise: string;
  /** Null: the check ran. Otherwise why it did not. */
  readonly skipped: string | null;
  /** What it looked at, in its own unit: orders, tables, files. */
  readonly looked: number;
  /** All damage it found, including what is not listed. */
  readonly found: number;
}

/** What a verification found. */
export interface VerificationReport {
  readonly isWhole: boolean;
  readonly checks: readonly CheckOutcome[];
  /** At most `listedMax` of each check. */
  readonly findings: readonly VerificationFinding[];
}

/** The report lists so many findings of a check. A damaged disk makes thousands that say the same. */
export const listedMax = 100;

/** Collects what the checks say. */
export class FindingList {
  readonly #outcomes = new Map<string, { -readonly [Key in keyof CheckOutcome]: CheckOutcome[Key] }>();
  readonly #findings: VerificationFinding[] = [];

  /** A check ran, and looked at so many more. */
  looked(check: Named, count: number): void {
    this.#outcomeOf(check).looked += count;
  }

  skipped(check: Named, reason: string): void {
    this.#outcomeOf(check).skipped = reason;
  }

  add(check: Named, finding: Omit<VerificationFinding, 'check'>): void {
    const outcome = this.#outcomeOf(check);
    if (finding.isDamage) outcome.found += 1;
    const listed = this.#findings.filter((it) => it.check === check.name).length;
    if (listed < listedMax) this.#findings.push({ check: check.name, ...finding });
  }

  get found(): number {
    return [...this.#outcomes.values()].reduce((sum, { found }) => sum + found, 0);
  }

  report(): VerificationReport {
    return { isWhole: this.found === 0, checks: [...this.#outcomes.values()], findings: this.#findings };
  }

  #outcomeOf({ name, promise }: Named) {
    let outcome = this.#outcomes.get(name);
    if (outcome === undefined) {
      outcome = { check: name, promise, skipped: null, looked: 0, found: 0 };
      this.#outcomes.set(name, outcome);
    }
    return outcome;
  }
}

/** A check's name, and what it promises of whole data. */
export interface Named {
  readonly name: string;
  readonly promise: string;
}

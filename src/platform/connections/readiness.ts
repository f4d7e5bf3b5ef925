import type { DatabaseTrial } from './database-trial.ts';
import { deadlines } from './deadlines.ts';

/** Health checks expect an answer within two seconds. */
const readinessMsMax = 1_500;

interface Probes {
  refusesWrites(): boolean;
  /** Resolves when a connection of each pool answers. */
  answers(): Promise<unknown>;
  /** A commit on a new connection. */
  tryWrite(): Promise<DatabaseTrial>;
}

/** Whether the database can serve requests now. Concurrent callers share the answer. */
export class Readiness {
  readonly #probes: Probes;
  #finding: Promise<boolean> | undefined;

  constructor(probes: Probes) {
    this.#probes = probes;
  }

  find(): Promise<boolean> {
    this.#finding ??= this.#find().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #find(): Promise<boolean> {
    if (this.#probes.refusesWrites()) return false;
    const answers = Promise.all([this.#probes.answers(), this.#probes.tryWrite()]);
    const inTime = new Promise<false>((resolve) => {
      const deadline = deadlines.begin(readinessMsMax, () => resolve(false));
      const end = () => deadlines.end(deadline);
      answers.then(end, end);
    });
    return Promise.race([
      answers.then(
        ([, { error }]) => error === null,
        () => false,
      ),
      inTime,
    ]);
  }
}

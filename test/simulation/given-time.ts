const tickMs = 20;

/**
 * A clock for limits that hold on a machine with time to spare: it leaves out what other processes took from this one, seen by
 * the lateness of a timer.
 */
export class GivenTime {
  #takenMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let lastMs = performance.now();
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#takenMs += Math.max(0, nowMs - lastMs - tickMs);
      lastMs = nowMs;
    }, tickMs);
  }

  /** Milliseconds from an unknown beginning. */
  nowMs(): number {
    return performance.now() - this.#takenMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

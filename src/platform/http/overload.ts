/**
 * More concurrent requests than this only wait for each other: at 5,000 requests a second a thousand in flight are 0.2
 * s of work, so a refused request would not have been answered sooner.
 */
export const inFlightCountMax = 1000;
/** With an event loop this late no time limit can be kept; health checks of most hosts time out at 1 s, too. */
const loopDelayMsMax = 1000;
/** One late sample may be a machine that slept; this many in a row mean overload. */
const lateSampleCountMax = 2;
const samplePeriodMs = 250;

/** Decides when to refuse new work, by requests in flight and by the lag of the event loop. */
export class Overload {
  #inFlightCount = 0;
  #lateSampleCount = 0;
  #expectedAtMs = performance.now() + samplePeriodMs;
  readonly #timer: NodeJS.Timeout;
  readonly #inFlightCountMax: number;

  constructor(countMax = inFlightCountMax) {
    this.#inFlightCountMax = countMax;
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#lateSampleCount = nowMs - this.#expectedAtMs > loopDelayMsMax ? this.#lateSampleCount + 1 : 0;
      this.#expectedAtMs = nowMs + samplePeriodMs;
    }, samplePeriodMs);
    this.#timer.unref();
  }

  enter(): void {
    this.#inFlightCount += 1;
  }

  leave(): void {
    this.#inFlightCount -= 1;
  }

  get isOverloaded(): boolean {
    return this.#inFlightCount > this.#inFlightCountMax || this.#lateSampleCount > lateSampleCountMax;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

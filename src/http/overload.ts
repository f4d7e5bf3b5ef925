/**
 * More requests at once than this only wait for each other: at 5,000 requests a second a thousand in
 * flight are 0.2 s of work, so what is turned away would not have been answered sooner.
 */
export const inFlightCountMax = 1000;
/** A loop this late cannot keep any promise about time; health checks of most hosts give up at 1 s too. */
const loopDelayMsMax = 1000;
/** Late once may be a machine that slept; late this often in a row is too much work. */
const lateSampleCountMax = 2;
const samplePeriodMs = 250;

/** Tells when new work must be turned away, by requests in flight and by how late timers come. */
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

/** The state answers ten calls of a license at once, and thirty of a key. Two processes may call. */
const ofLicenseMax = 6;
const ofKeyMax = 14;

/** How many calls of a process are under way at once: of each license, and of all together. */
export class CallSlots {
  readonly #underWay = new Map<string, number>();
  #all = 0;
  readonly #waiting: { readonly license: string; readonly start: () => void }[] = [];

  /** Does the work when there is room. */
  async use<Result>(license: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom(license)) this.#take(license);
    else await new Promise<void>((start) => this.#waiting.push({ license, start }));
    try {
      return await work();
    } finally {
      this.#leave(license);
    }
  }

  #take(license: string): void {
    this.#all += 1;
    this.#underWay.set(license, this.#of(license) + 1);
  }

  /** The room goes to the first who waits and has some. */
  #leave(license: string): void {
    this.#all -= 1;
    const left = this.#of(license) - 1;
    if (left === 0) this.#underWay.delete(license);
    else this.#underWay.set(license, left);
    const at = this.#waiting.findIndex((it) => this.#hasRoom(it.license));
    if (at < 0) return;
    const [next] = this.#waiting.splice(at, 1);
    this.#take(next!.license);
    next!.start();
  }

  #of(license: string): number {
    return this.#underWay.get(license) ?? 0;
  }

  #hasRoom(license: string): boolean {
    return this.#all < ofKeyMax && this.#of(license) < ofLicenseMax;
  }
}

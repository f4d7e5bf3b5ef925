const widthCells = 30;
const redrawMs = 100;

/** A terminal, or a file. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows progress: a bar on a terminal, elsewhere a line every 10 percent. */
export class ProgressBar {
  readonly #screen: Screen;
  readonly #nowMs: () => number;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #tenthsShown = 0;

  constructor(screen: Screen, nowMs: () => number) {
    this.#screen = screen;
    this.#nowMs = nowMs;
  }

  /** `share` from 0 to 1. */
  show(share: number, words: string): void {
    const percent = Math.floor(share * 100);
    if (this.#screen.isTTY) {
      const nowMs = this.#nowMs();
      if (nowMs - this.#drawnAtMs < redrawMs) return;
      this.#drawnAtMs = nowMs;
      const filled = Math.round(share * widthCells);
      const bar = '█'.repeat(filled) + '░'.repeat(widthCells - filled);
      this.#screen.write(`\r${bar} ${String(percent).padStart(3)} % ${words}\u001b[K`);
      return;
    }
    const tenths = Math.floor(share * 10);
    if (tenths <= this.#tenthsShown) return;
    this.#tenthsShown = tenths;
    this.#screen.write(`${percent} % ${words}\n`);
  }

  /** Removes the bar, so later output starts on its own line. */
  end(): void {
    if (this.#screen.isTTY) this.#screen.write('\r\u001b[K');
  }
}

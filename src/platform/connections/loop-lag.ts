/** Long enough to cost nothing, short enough to see a turn of the event loop that others feel. */
const sampleMs = 25;
/** A turn of the event loop that is longer makes others wait noticeably. */
const lateMs = 40;
/** For so long after a late turn: one that follows would be late again. */
const rememberedMs = 1_000;

/** Whether this process has more to compute than it gets done: its turns of the event loop have been long in the last second. */
export interface LoopLag {
  readonly isLate: boolean;
}

let lateUntilMs = 0;
let expectedAtMs = 0;
let timer: NodeJS.Timeout | undefined;

/** One for the process; it never keeps the process running. */
export function watchLoopLag(): LoopLag {
  if (timer === undefined) {
    expectedAtMs = performance.now() + sampleMs;
    timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs - expectedAtMs > lateMs) lateUntilMs = nowMs + rememberedMs;
      expectedAtMs = nowMs + sampleMs;
    }, sampleMs);
    timer.unref();
  }
  return {
    get isLate() {
      return performance.now() < lateUntilMs;
    },
  };
}

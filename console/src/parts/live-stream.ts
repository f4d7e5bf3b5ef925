import type { LiveEvent, Told } from './shared-live.ts';

const pollMs = 15_000;

/**
 * Listens to the service. Where the stream cannot be had, `everything` is told every 15 seconds, and the stream is tried
 * again. `isLate`: others were told of changes before this stream begins, so `everything` is told then. Returns the function
 * that ends it.
 */
export function openLiveStream(tell: (told: Told) => void, isLate: boolean): () => void {
  let stream: EventSource;
  let polling: ReturnType<typeof setInterval> | undefined;
  let hasGap = isLate;

  function begin(): void {
    if (hasGap) tell('everything');
    hasGap = false;
    clearInterval(polling);
    polling = undefined;
  }
  function open(): void {
    stream = new EventSource('/staff/v1/live');
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      try {
        tell(JSON.parse(data) as LiveEvent);
      } catch {
        // Something newer than this page.
      }
    };
    stream.addEventListener('ready', begin);
    stream.addEventListener('resync', () => {
      hasGap = true;
      begin();
    });
    stream.onerror = () => {
      hasGap = true;
      polling ??= setInterval(() => {
        tell('everything');
        // A browser gives a stream up for good when it was refused.
        if (stream.readyState === EventSource.CLOSED) open();
      }, pollMs);
    };
  }

  open();
  return () => {
    stream.close();
    clearInterval(polling);
  };
}

import { onReconnected, suspectConnection } from './connection.ts';
import type { LiveEvent, Told } from './shared-live.ts';

const pollMs = 15_000;

/**
 * Listens to the service. `everything` is told with the first word of each connection, the very first one included: what was
 * read before it may lack a change that this stream was too late for. While there is no stream, `everything` is told every 15
 * seconds, and the stream is tried again. Returns the function that ends it.
 */
export function openLiveStream(tell: (told: Told) => void): () => void {
  let stream: EventSource;
  let polling: ReturnType<typeof setInterval> | undefined;

  function poll(): void {
    polling ??= setInterval(() => {
      tell('everything');
      // A browser gives a stream up for good when it was refused.
      if (stream.readyState === EventSource.CLOSED) open();
    }, pollMs);
  }
  function begin(): void {
    clearInterval(polling);
    polling = undefined;
    tell('everything');
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
    stream.addEventListener('resync', begin);
    stream.onerror = () => {
      poll();
      suspectConnection();
    };
    // Until the first word is there, and should it never come.
    poll();
  }

  open();
  // A stream that broke without a word stays open for the browser: after an outage it begins anew.
  const stopWaiting = onReconnected(() => {
    stream.close();
    open();
  });
  return () => {
    stopWaiting();
    stream.close();
    clearInterval(polling);
  };
}

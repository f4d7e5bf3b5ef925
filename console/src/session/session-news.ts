const name = 'dispensary-session';

/** Tells the other tabs of this browser, which share the session, that somebody has signed in or out. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('changed');
  channel.close();
}

/** Hears when somebody has signed in or out in another tab. Answers how to stop. */
export function onSessionNews(listener: () => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = listener;
  return () => channel.close();
}

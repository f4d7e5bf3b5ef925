/*
 * Keeps the console's page and its files, so that the counter opens while the service cannot be reached (D75). Files are named by
 * their content and never change; the page is asked for first, and kept with its own headers. So is who is signed in; a probe of
 * the connection, which must not be answered from here, asks without a cache. Nothing else passes here.
 */
const kept = 'console-files';
const pageKey = '/console/point-of-sale';
const me = '/staff/v1/me';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => event.waitUntil(keepFiles(event.data)));

/** Keeps these files, and drops those of earlier builds. */
async function keepFiles({ keep }) {
  const cache = await caches.open(kept);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (![pageKey, me].includes(pathname) && !keep.includes(pathname)) await cache.delete(request);
  }
  for (const path of keep) if (!(await cache.match(path))) await cache.add(path);
  for (const path of [pageKey, me]) {
    const answer = await fetch(path, { cache: 'no-store' });
    if (answer.ok) await cache.put(path, answer);
  }
}

self.addEventListener('fetch', (event) => {
  const { method, mode, url, cache } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/console/assets/')) event.respondWith(fileOf(event.request));
  else if (pathname === me && cache !== 'no-store') event.respondWith(meOf(event.request));
  else if (mode === 'navigate' && /^\/console(\/|$)/.test(pathname)) event.respondWith(pageOf(event.request));
});

async function fileOf(request) {
  const cache = await caches.open(kept);
  return (await cache.match(new URL(request.url).pathname)) ?? fetch(request);
}

async function pageOf(request) {
  try {
    const answer = await fetch(request);
    if (![502, 503, 504].includes(answer.status)) return answer;
  } catch {
    // Without the service: as it was kept.
  }
  return (await (await caches.open(kept)).match(pageKey)) ?? Response.error();
}

async function meOf(request) {
  const cache = await caches.open(kept);
  try {
    const answer = await fetch(request);
    // Signed out.
    if (answer.status === 401) await cache.delete(me);
    if (![502, 503, 504].includes(answer.status)) return answer;
  } catch {
    // Without the service: who was signed in.
  }
  return (await cache.match(me)) ?? Response.error();
}

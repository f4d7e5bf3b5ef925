// The health check of the image: ends with 0 if this container's process can do its work (`/readyz` answers 200).
// A process with the role `worker` alone answers at METRICS_PORT, one with `menu` alone at MENU_PORT.
const { PORT = '8080', MENU_PORT = '8081', METRICS_PORT, ROLES = 'api' } = process.env;
const roles = ROLES.split(',').map((role) => role.trim());
const port = roles.includes('api') ? PORT : roles.includes('menu') ? MENU_PORT : METRICS_PORT;
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exit(ok ? 0 : 1);
} catch (error) {
  console.error(`http://127.0.0.1:${port}/readyz does not answer: ${error.cause?.message ?? error.message}`);
  process.exit(1);
}

import { homedir } from 'node:os';

// What every way to start the program needs first. Uses Node's own modules only, and syntax that old ones can read.

/** Ends the process with the remedy if this Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Node 20.19 or newer is needed; this is ${process.version}. See https://nodejs.org.`);
  process.exit(1);
}

/** Gives an account without a name a home, which packages ask for and do not need; Debian has this one for such accounts. */
export function ensureHome() {
  try {
    homedir();
  } catch {
    process.env.HOME = '/nonexistent';
  }
}

/**
 * Under npm, the end of the parent process stops this one like SIGTERM: the shell between npm and this process does not
 * forward signals, and the caller of `npm start` knows only npm's process.
 */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

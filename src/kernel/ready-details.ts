/**
 * What `/readyz` tells beside "ready", by name: parts without which the process can do its work, and of which people want to
 * know.
 */
export const readyDetails = new Map<string, () => string>();

/**
 * Front door of sandboxes (D60): an organization that belongs to an integrator, with its own clock, with faults that a
 * request asks for, and with the organization's side as operations. Owns `sandboxes`. Whatever happens in a sandbox is
 * done by the writes that serve every organization; no answer and no event is invented. Does not decide who may have one.
 */
export { type CreatedSandbox, createSandbox, knowAsSandbox } from './create-sandbox.ts';
export { fillSandbox } from './fill-sandbox.ts';
export { sandboxResetting } from './reset-sandbox.ts';
export { createSandboxRunner } from './run-in-sandbox.ts';
export { selectSandbox } from './sandbox-queries.ts';

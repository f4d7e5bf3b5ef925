/**
 * Front door of the change feed (D64): what happened in an organization, in order, for integrators who keep up, and
 * checksums that prove a copy (D65). Owns the sums that
 * checksums are made of, and the changes that are not in them yet, which triggers write. Events are those of the feed
 * (events/), resources are shown by the slices that own them. Does not decide what is announced.
 */
export { changesJson, isWanted, readTypes } from './change-page.ts';
export { exampleFacts, factsSchema, publicEventsAmong } from './event-schemas.ts';
export { bringSumsUpToDate, organizationsWithUnsummed, startKeepingSums } from './keep-sums.ts';
export { publicEventOf } from './public-events.ts';
export { findSumDrift, recountSums } from './record-sums.ts';
export { numberedResource } from './shown-resources.ts';

/**
 * Front door of the change feed (D64): what happened in an organization, in order, for integrators who keep up, and
 * checksums that prove a copy (D65). Owns no
 * table: events are those of the feed (events/), resources are shown by the slices that own them. Does not decide what
 * is announced.
 */
export { changesJson, isWanted, readTypes } from './change-page.ts';
export type { ChecksummedCollection } from './checksummed-collection.ts';
export type { CopiedCollection } from './copied-collection.ts';
export type { ResourceType } from './public-events.ts';
export { publicEventOf } from './public-events.ts';
export { numberedResource, type ShownResource } from './shown-resources.ts';

/**
 * Front door of quotas of files: how many photos and customers' documents an organization keeps, and how many it may. Owns file_quotas. What
 * is kept is counted when it is asked for, under a lock on the row of the quota: no count can drift, and uploads that come at once
 * cannot take the same room. Does not know what the files are, and deletes none.
 */
export { type FileUse, readFileUses, selectFileUses, shownUses } from './file-uses.ts';
export { setFileQuota } from './set-file-quota.ts';
export { refuseFullStore, takeRoom } from './take-room.ts';

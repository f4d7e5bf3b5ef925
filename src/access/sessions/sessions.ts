/**
 * Front door of the sessions of staff, and of the browsers that they have signed in with. Owns staff_sessions,
 * staff_session_digests and staff_devices. Tokens are stored as digests only (D6). Does not know how a person signs in.
 */
export { endSession } from './end-session.ts';
export {
  deleteEndedSessions,
  deleteOldDevices,
  findStaffAccount,
  findStaffSession,
  proveStaffSession,
  revokeSessionsOfStaff,
} from './session-queries.ts';
export {
  deleteStaffDevices,
  deviceAgeMsMax,
  deviceCookie,
  findStaffDevice,
  makeDeviceToken,
  readDevice,
  setDeviceCookie,
} from './staff-devices.ts';
export { openSessionsOf, StaffSessions, sessionAgeMsMax, sessionsInForce } from './staff-sessions.ts';
export { startSession } from './start-session.ts';

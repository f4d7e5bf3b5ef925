/**
 * Front door of the members of staff: accounts, invitations and passwords. Owns staff_members, staff_email_digests and
 * staff_invitations. A write of a staff email also writes its digest. Passwords are stored as digests only (D6).
 */
export { createStaff } from './create-staff.ts';
export { exportedStaff, importStaff, readStaffRow, staffRowKeys } from './import-staff.ts';
export { inviteOwner } from './invite-owner.ts';
export { isPasswordOf } from './passwords.ts';
export { findByPin, setPin } from './pins.ts';
export { emailDigest, normalizedEmail, StaffEmail } from './staff-email.ts';
export {
  deleteOldLinks,
  findStaffAccounts,
  findStaffByEmail,
  selectOtherStaff,
  selectOwnerEmails,
  selectStaffMember,
} from './staff-queries.ts';

import { digestOf, type Environment, isWellFormedKey, makeKey } from '../../kernel/api-keys.ts';
import { setCookie } from '../../platform/http/session-cookie.ts';
import { type BoundStatement, statement } from '../../platform/statements/statement.ts';

/*
 * Devices that staff have signed in with, recognized by a cookie (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). A device is known for the accounts that it has opened, each of one organization, and for no other account of the
 * same email. Attempts from it have separate, wider limits, so that attempts of others do not lock its users out. The cookie
 * grants nothing without the password.
 */

export const deviceCookie = 'dispensary_device';
/** The longest time that browsers keep a cookie. */
export const deviceAgeMsMax = 400 * 24 * 3_600_000;

/**
 * The `Set-Cookie` of a device, as long-lived as possible: it grants nothing, and only tells known devices from others.
 */
export function setDeviceCookie(publicUrl: string | undefined, token: string): string {
  return `${setCookie(deviceCookie, publicUrl, token)}; SameSite=Strict; Max-Age=${deviceAgeMsMax / 1000}`;
}

/** Per account, the most recently used ones. */
const devicesMax = 20;

/** Whether a device is known, and the accounts of this email that it has opened; before the organization is known. */
export const findStaffDevice = statement<
  { device: Uint8Array; email: Uint8Array; usedAfter: string },
  { is_known: boolean; opened: string[] }
>(
  'find_staff_device',
  `select count(*) > 0 as is_known,
          coalesce(array_agg(d.organization_id || '/' || d.staff_id) filter (where e.digest is not null), '{}') as opened
     from staff_devices d
     left join staff_email_digests e
       on e.digest = :email and e.organization_id = d.organization_id and e.staff_id = d.staff_id
    where d.digest = :device and d.used_at > :usedAfter`,
);

const upsertStaffDevice = statement<{ digest: Uint8Array; staffId: number; usedAt: string }, never>(
  'upsert_staff_device',
  `insert into staff_devices (digest, organization_id, staff_id, used_at)
    values (:digest, :organizationId, :staffId, :usedAt)
    on conflict (digest, organization_id, staff_id)
      do update set used_at = greatest(staff_devices.used_at, excluded.used_at)`,
);

/** All but the most recently used ones. */
const deleteOldStaffDevices = statement<{ staffId: number; kept: number }, never>(
  'delete_old_staff_devices',
  `delete from staff_devices
    where organization_id = :organizationId and staff_id = :staffId
      and digest in (select digest from staff_devices
                      where organization_id = :organizationId and staff_id = :staffId
                      order by used_at desc, digest offset :kept)`,
);

/** The devices of a member of staff, except one; null: no exception. */
export const deleteStaffDevices = statement<{ staffId: number; except: Uint8Array | null }, never>(
  'delete_staff_devices',
  `delete from staff_devices
    where organization_id = :organizationId and staff_id = :staffId and digest is distinct from :except`,
);

/** The digest of a device's token; null if it is not a token of this environment. */
export function readDevice(token: string | undefined, environment: Environment): Buffer | null {
  return token !== undefined && isWellFormedKey(token, 'dcv', environment) ? digestOf(token) : null;
}

/** The token of a new device; only its digest is stored. */
export function makeDeviceToken(
  environment: Environment,
  randomBytes: (count: number) => Uint8Array,
): string {
  return makeKey('dcv', environment, randomBytes);
}

/** Records that a member of staff has signed in with a device. */
export function rememberDevice(token: string, staffId: number, at: string): BoundStatement<unknown>[] {
  const digest = digestOf(token);
  return [
    upsertStaffDevice({ digest, staffId, usedAt: at }),
    deleteOldStaffDevices({ staffId, kept: devicesMax }),
  ];
}

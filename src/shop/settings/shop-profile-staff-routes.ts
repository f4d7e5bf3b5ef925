import Type, { type Static } from 'typebox';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { labelNoticeOf } from '../../engines/jurisdictions/label-notices.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { type Context, staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Named, Nullable, OneOf, Text, Timestamp } from '../../platform/http/schemas.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import { photoBytesMax, photoMediaTypes, storeUploadedPhoto } from '../catalog/products.ts';
import { defaultLabels, LabelTemplates } from './label-templates.ts';
import { settingsReaders } from './settings-schemas.ts';
import { Logo, OpeningHoursList, ShopAddressBody, shownLogo } from './shop-profile.ts';
import { selectShopProfile } from './shop-profile-queries.ts';
import { changeShopProfile } from './update-shop-profile.ts';

const LabelNotice = Named(
  'LabelNotice',
  Type.Object(
    {
      words: Text({ max: 2000 }),
      citation: Text({ max: 200 }),
      confidence: OneOf(['high', 'medium']),
      besides: Text({ max: 200, description: 'What the words do not cover; empty: nothing is known' }),
    },
    {
      description:
        "What the shop's state asks labels to say, for the owner to take up; null: its words are not known here",
    },
  ),
);

const ShopProfile = Named(
  'ShopProfile',
  Type.Object({
    address: ShopAddressBody,
    hours: OpeningHoursList,
    logo: Logo,
    labels: LabelTemplates,
    labelNotice: Nullable(LabelNotice),
    updatedAt: Nullable(Timestamp({ description: 'Null: nothing has been told yet' })),
  }),
);

const example: Static<typeof ShopProfile> = {
  address: { street1: '410 Wharf Street', street2: null, city: 'Oakland', postalCode: '94607' },
  hours: [{ day: 1, opensAt: '09:00', closesAt: '21:00' }],
  logo: null,
  labels: defaultLabels,
  labelNotice: labelNoticeOf('CA'),
  updatedAt: '2026-03-01T17:05:09.123Z',
};

const megabytes = photoBytesMax / 1_048_576;

/** Staff operations on what web shops show of the organization (D68). */
export function shopProfileStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
  photoBlobs: BlobStore,
): StaffEndpoint[] {
  const shown = (organization: OrganizationId) => readProfile(context, organization, photoUrl);
  const success = { status: 200, data: ShopProfile, description: 'The profile', example } as const;
  return [
    staffEndpoint({
      id: 'getShopProfile',
      method: 'GET',
      path: '/staff/v1/shop-profile',
      roles: settingsReaders,
      kind: 'read',
      summary: 'Retrieve the shop profile',
      description:
        'What web shops show besides the settings of the organization: address, hours, logo; and what its labels say.',
      tag: 'Settings',
      success,
      failures: [],
      handle: async ({ staff }) => reply(await shown(staff.organizationId)),
    }),
    staffEndpoint({
      id: 'updateShopProfile',
      method: 'PATCH',
      path: '/staff/v1/shop-profile',
      roles: ['owner'],
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change the shop profile',
      description:
        'Changes the given fields; `hours` is the whole week, `labels` both templates of the labels that the shop prints, and `deleteLogo` deletes the logo. Two entries must not open at the same time of a day.',
      tag: 'Settings',
      body: Type.Object({
        address: Type.Optional(ShopAddressBody),
        hours: Type.Optional(OpeningHoursList),
        labels: Type.Optional(LabelTemplates),
        deleteLogo: Type.Optional(Flag({ description: '`true` deletes the logo' })),
      }),
      requestExample: { hours: [{ day: 1, opensAt: '09:00', closesAt: '21:00' }] },
      success,
      failures: [],
      handle: async ({ staff, body, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const { deleteLogo = false, ...profile } = body;
        const changes = deleteLogo ? { ...profile, logoLocation: null } : profile;
        await changeShopProfile(context, origin, staff.organizationId, changes);
        return reply(await shown(staff.organizationId));
      },
    }),
    staffEndpoint({
      id: 'uploadShopLogo',
      method: 'PUT',
      path: '/staff/v1/shop-profile/logo',
      roles: ['owner'],
      kind: 'write',
      summary: 'Upload the logo',
      description: `The body is the picture itself, at most ${megabytes} MB. It replaces the logo at once.`,
      tag: 'Settings',
      bodyFile: photoMediaTypes,
      bodyBytesMax: photoBytesMax,
      takesIfMatch: true,
      success,
      failures: ['INVALID_PHOTO'],
      handle: async ({ staff, file, requestId, expectedUpdatedAtMs }) => {
        // The files are written first: a row never names a missing file.
        const { location: logoLocation } = await storeUploadedPhoto(photoBlobs, staff.organizationId, file);
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        await changeShopProfile(context, origin, staff.organizationId, { logoLocation });
        return reply(await shown(staff.organizationId));
      },
    }),
  ];
}

async function readProfile(
  { database }: Context,
  organization: OrganizationId,
  photoUrl: (location: string) => string,
): Promise<Static<typeof ShopProfile>> {
  const [[row], [shop]] = await database.read(organization, selectShopProfile({}), selectOrganization({}));
  return {
    address: row?.address ?? null,
    hours: row?.hours ?? [],
    logo: shownLogo(row?.logo_location ?? null, photoUrl),
    labels: row?.labels ?? defaultLabels,
    labelNotice: shop === undefined ? null : labelNoticeOf(shop.state),
    updatedAt: row === undefined ? null : isoTimestamp(row.updated_at),
  };
}

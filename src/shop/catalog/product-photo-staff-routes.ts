import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { totalOf } from '../../kernel/list-count.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, replyEmpty, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';
import {
  deletePhoto,
  describePhoto,
  listPhotos,
  orderPhotos,
  retryPhoto,
  uploadPhoto,
} from './edit-product-photos.ts';
import { photoTriesMax } from './fetch-product-photo.ts';
import { altTextMax, photosMax } from './photo-bounds.ts';
import { AltText, SentAltText } from './photo-schemas.ts';
import {
  type PhotoStateRow,
  photoStateCounts,
  photoStateList,
  photosPerPage,
  selectPhotoCursor,
} from './product-photo-queries.ts';
import { photoBytesMax, photoMediaTypes } from './product-photo-sizes.ts';
import { isStored } from './product-photos.ts';
import { strangerProduct } from './product-routes.ts';
import { ProductParams } from './product-schemas.ts';
import { catalogReaders, catalogWriters } from './product-staff-routes.ts';

const ProductPhoto = Named(
  'ProductPhoto',
  Type.Object({
    id: Id(),
    productId: Id(),
    productName: Text({ max: 500 }),
    productOptionId: Nullable(
      Id({ description: 'The option whose photo it is; null: of the whole product' }),
    ),
    altText: AltText(),
    url: Text({ max: 2000, description: 'As responses and menus show it: our address once it is stored' }),
    submittedUrl: Nullable(Text({ max: 2000, description: 'null: uploaded' })),
    status: OneOf(['stored', 'waiting', 'failed'], {
      description: '`failed`: not tried again unless requested',
    }),
    failure: Nullable(Text({ max: 500, description: 'Why the last attempt failed' })),
    tries: WholeNumber({ min: 0, max: 1_000_000 }),
    lastTriedAt: Nullable(Timestamp()),
  }),
);

const example = {
  id: 2701,
  productId: 3001,
  productName: 'Moonlit Grove',
  productOptionId: null,
  altText: 'A glass jar with green flower on a wooden table',
  url: 'https://pictures.example.com/moonlit-grove.jpg',
  submittedUrl: 'https://pictures.example.com/moonlit-grove.jpg',
  status: 'failed',
  failure: 'The host answered with status 404.',
  tries: photoTriesMax,
  lastTriedAt: '2026-03-01T17:35:09.123Z',
} as const;

const params = Type.Object({ productId: Id(), photoId: Id() });
const resourceParams = { ...strangerProduct, photoId: 'PRODUCT_PHOTO_NOT_FOUND' } as const;
const ofOption = {
  path: '/staff/v1/products/{productId}/options/{productOptionId}/photos',
  params: Type.Object({ productId: Id(), productOptionId: Id() }),
  resourceParams: { ...strangerProduct, productOptionId: 'PRODUCT_OPTION_NOT_FOUND' },
} as const;
const uploadQuery = Type.Object({
  altText: Type.Optional(
    Text({ max: altTextMax, description: 'Alternative text: what is to be seen. Blank: none' }),
  ),
});
const orderBody = Type.Object({ photoIds: List(Id(), { max: photosMax }) });
const megabytes = photoBytesMax / 1_048_576;

/**
 * Staff operations on photos (D46).
 *
 * @param photoUrl returns the public address of a stored photo.
 */
export function productPhotoStaffRoutes(
  context: Context,
  photoUrl: (location: string) => string,
  blobs: BlobStore,
): StaffEndpoint[] {
  const shown = (row: PhotoStateRow) => shownPhoto(row, photoUrl);
  const photosOfProduct = {
    status: 200,
    data: List(ProductPhoto, { max: 100 }),
    description: 'The photos of the product, in order',
    example: [example],
  } as const;
  return [
    listOfPhotosNotStored(context, shown),
    staffEndpoint({
      id: 'staffListProductPhotos',
      method: 'GET',
      path: '/staff/v1/products/{productId}/photos',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        staysSmall: 'of one product, at most 20',
        unsorted: 'at most 20, in the order that staff give them: that of the menu',
      },
      exported: { not: 'exported with the products' },
      summary: 'List photos of a product',
      description:
        'Its own photos in order, with the status of each fetch. Those of an option are under the option.',
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      success: photosOfProduct,
      failures: [],
      handle: async ({ staff, params: { productId } }) =>
        reply((await listPhotos(context, staff.organizationId, { productId, optionId: null })).map(shown)),
    }),
    staffEndpoint({
      id: 'uploadProductPhoto',
      method: 'POST',
      path: '/staff/v1/products/{productId}/photos',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Upload a photo of a product',
      description: `The body is the picture itself, at most ${megabytes} MB. It becomes the last photo of the product and is shown at once, upright and without metadata such as the place where it was taken.`,
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      query: uploadQuery,
      bodyFile: photoMediaTypes,
      bodyBytesMax: photoBytesMax,
      success: { status: 201, data: ProductPhoto, description: 'The photo', example },
      failures: ['INVALID_PARAMS', 'INVALID_PHOTO', 'FILE_QUOTA_EXCEEDED', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, params: { productId }, query: { altText = null }, file, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const owner = { productId, optionId: null };
        const sent = { bytes: file, altText };
        return reply(shown(await uploadPhoto(context, blobs, origin, staff.organizationId, owner, sent)));
      },
    }),
    staffEndpoint({
      id: 'orderProductPhotos',
      method: 'PUT',
      path: '/staff/v1/products/{productId}/photos',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Reorder photos of a product',
      description: "Names all photos in the order of menus. `If-Match` takes the product's `updatedAt`.",
      tag: 'Catalog',
      params: ProductParams,
      resourceParams: strangerProduct,
      body: orderBody,
      requestExample: { photoIds: [2701] },
      success: photosOfProduct,
      failures: ['PRODUCT_PHOTO_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({
        staff,
        params: { productId },
        body: { photoIds },
        requestId,
        expectedUpdatedAtMs,
      }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const rows = await orderPhotos(
          context,
          origin,
          staff.organizationId,
          { productId, optionId: null },
          photoIds,
        );
        return reply(rows.map(shown));
      },
    }),
    ...optionPhotoRoutes(context, shown, blobs),
    staffEndpoint({
      id: 'describeProductPhoto',
      method: 'PATCH',
      path: '/staff/v1/products/{productId}/photos/{photoId}',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Set the alternative text of a photo',
      description:
        "Of a photo of the product or of one of its options. null or a blank text clears it; line breaks become spaces. `If-Match` takes the product's `updatedAt`.",
      tag: 'Catalog',
      params,
      resourceParams,
      body: Type.Object({ altText: SentAltText() }),
      requestExample: { altText: example.altText },
      success: { status: 200, data: ProductPhoto, description: 'The photo', example },
      failures: ['TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({
        staff,
        params: { productId, photoId },
        body: { altText },
        requestId,
        expectedUpdatedAtMs,
      }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const organization = staff.organizationId;
        return reply(shown(await describePhoto(context, origin, organization, productId, photoId, altText)));
      },
    }),
    staffEndpoint({
      id: 'deleteProductPhoto',
      method: 'DELETE',
      path: '/staff/v1/products/{productId}/photos/{photoId}',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Delete a photo of a product',
      description:
        'Of the product or of one of its options. Menus stop showing it at once. Clients that know its address can still read it.',
      tag: 'Catalog',
      params,
      resourceParams,
      success: { status: 204, description: 'The photo is deleted' },
      failures: ['TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, params: { productId, photoId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        await deletePhoto(context, origin, staff.organizationId, productId, photoId);
        return replyEmpty();
      },
    }),
    staffEndpoint({
      id: 'retryProductPhoto',
      method: 'POST',
      path: '/staff/v1/products/{productId}/photos/{photoId}/retry',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Fetch a photo of a product again',
      description:
        'Restarts the attempts for a photo of the product or of one of its options that is not stored here. A stored photo is unchanged.',
      tag: 'Catalog',
      params,
      resourceParams,
      success: { status: 200, data: ProductPhoto, description: 'The photo', example },
      failures: ['TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, params: { productId, photoId }, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        return reply(shown(await retryPhoto(context, origin, staff.organizationId, productId, photoId)));
      },
    }),
  ];
}

type ShownPhoto = ReturnType<typeof shownPhoto>;

/** The photos of an option: several, in order, as those of a product. */
function optionPhotoRoutes(
  context: Context,
  shown: (row: PhotoStateRow) => ShownPhoto,
  blobs: BlobStore,
): StaffEndpoint[] {
  const optionExample = { ...example, productOptionId: 3101 } as const;
  const photosOfOption = {
    status: 200,
    data: List(ProductPhoto, { max: 100 }),
    description: 'The photos of the option, in order',
    example: [optionExample],
  } as const;
  return [
    staffEndpoint({
      ...ofOption,
      id: 'staffListOptionPhotos',
      method: 'GET',
      roles: catalogReaders,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        staysSmall: 'of one option, at most 20',
        unsorted: 'at most 20, in the order that staff give them: that of the menu',
      },
      exported: { not: 'exported with the products' },
      summary: 'List photos of an option',
      description: 'Its own photos in order, with the status of each fetch.',
      tag: 'Catalog',
      success: photosOfOption,
      failures: [],
      handle: async ({ staff, params: { productId, productOptionId: optionId } }) =>
        reply((await listPhotos(context, staff.organizationId, { productId, optionId })).map(shown)),
    }),
    staffEndpoint({
      ...ofOption,
      id: 'uploadOptionPhoto',
      method: 'POST',
      roles: catalogWriters,
      kind: 'write',
      summary: 'Upload a photo of an option',
      description: `The body is the picture itself, at most ${megabytes} MB. It becomes the last photo of the option, by the rules of a product's photo.`,
      tag: 'Catalog',
      query: uploadQuery,
      bodyFile: photoMediaTypes,
      bodyBytesMax: photoBytesMax,
      success: { status: 201, data: ProductPhoto, description: 'The photo', example: optionExample },
      failures: ['INVALID_PARAMS', 'INVALID_PHOTO', 'FILE_QUOTA_EXCEEDED', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, params, query: { altText = null }, file, requestId }) => {
        const origin = staffOrigin(staff, requestId);
        const owner = { productId: params.productId, optionId: params.productOptionId };
        const sent = { bytes: file, altText };
        return reply(shown(await uploadPhoto(context, blobs, origin, staff.organizationId, owner, sent)));
      },
    }),
    staffEndpoint({
      ...ofOption,
      id: 'orderOptionPhotos',
      method: 'PUT',
      roles: catalogWriters,
      kind: 'write',
      takesIfMatch: true,
      summary: 'Reorder photos of an option',
      description: "Names all photos of the option in order. `If-Match` takes the product's `updatedAt`.",
      tag: 'Catalog',
      body: orderBody,
      requestExample: { photoIds: [2701] },
      success: photosOfOption,
      failures: ['PRODUCT_PHOTO_NOT_FOUND', 'TRANSACTION_RETRY_EXCEEDED'],
      handle: async ({ staff, params, body: { photoIds }, requestId, expectedUpdatedAtMs }) => {
        const origin = staffOrigin(staff, requestId, expectedUpdatedAtMs);
        const owner = { productId: params.productId, optionId: params.productOptionId };
        const rows = await orderPhotos(context, origin, staff.organizationId, owner, photoIds);
        return reply(rows.map(shown));
      },
    }),
  ];
}

function listOfPhotosNotStored(
  { database }: Context,
  shown: (row: PhotoStateRow) => ShownPhoto,
): StaffEndpoint {
  return staffEndpoint({
    id: 'listPhotosNotStored',
    method: 'GET',
    path: '/staff/v1/product-photos',
    roles: catalogReaders,
    kind: 'read',
    readsFrom: 'standby',
    list: { notInConsole: { id: 'the order that the table has by itself' } },
    exported: { not: 'pending fetches; the photos themselves are exported with the products' },
    emptyInDemo: 'a demo shop contains all its pictures, and fetches none',
    summary: 'List photos that are not stored',
    description: `Photos of all products and their options that are not fetched yet, or failed, ${photosPerPage} a page, newest first unless turned. Until then menus show the submitted address.`,
    tag: 'Catalog',
    query: Type.Object({
      status: Type.Optional(OneOf(['waiting', 'failed'], { description: 'Only these' })),
      ...sortFields(photoStateList.sorts),
      startingAfter: Type.Optional(
        withErrorCode(Id({ description: 'The last id of the previous page' }), 'INVALID_CURSOR'),
      ),
    }),
    success: {
      status: 200,
      data: List(ProductPhoto, { max: photosPerPage }),
      meta: ListTotal,
      description: 'A page of photos',
      example: [example],
      metaExample: listTotalExample,
    },
    failures: ['INVALID_CURSOR'],
    handle: async ({ staff, query }) => {
      const { status, startingAfter } = query;
      const [cursor, rows, [counted]] = await database.read(
        staff.organizationId,
        startingAfter === undefined ? null : selectPhotoCursor({ id: startingAfter }),
        photoStateList.page(query, {}, status === undefined ? [] : [status]),
        photoStateCounts[status ?? 'any']({}),
      );
      if (startingAfter !== undefined && cursor.length === 0) {
        throw failure('INVALID_CURSOR', 'startingAfter must be the id of a photo of the previous page.');
      }
      return reply(rows.map(shown), { meta: totalOf(counted!.count) });
    },
  });
}

function shownPhoto(row: PhotoStateRow, photoUrl: (location: string) => string) {
  const notStored = row.gave_up_at === null ? ('waiting' as const) : ('failed' as const);
  return {
    id: row.id,
    productId: row.product_id,
    productName: row.product_name,
    productOptionId: row.product_option_id,
    altText: row.alt_text,
    url: photoUrl(row.location),
    submittedUrl: isStored(row) ? row.source : row.location,
    status: isStored(row) ? ('stored' as const) : notStored,
    failure: row.failure,
    tries: row.tries,
    lastTriedAt: row.last_tried_at === null ? null : isoTimestamp(row.last_tried_at),
  };
}

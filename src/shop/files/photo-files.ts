import type { PublicFile } from '../../platform/http/request-context.ts';
import type { BlobStore } from '../../platform/storage/blob-store.ts';

const typeOf: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/**
 * Product photos under `/photos/`. Names are content hashes, so a photo can be cached forever. The policy prevents
 * scripts in an SVG, wherever it is opened. `makeMissing` makes a file that is not stored yet; null: there is none.
 */
export function servePhotos(
  blobs: BlobStore,
  makeMissing: (name: string) => Promise<Buffer | null> = async () => null,
) {
  return {
    pathPrefix: '/photos/',
    read: async (name: string): Promise<PublicFile | null> => {
      const type = typeOf[name.split('.').at(-1) ?? ''];
      const bytes = type === undefined ? null : ((await blobs.get(name)) ?? (await makeMissing(name)));
      if (bytes === null || type === undefined) return null;
      return {
        bytes,
        headers: {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'cross-origin-resource-policy': 'cross-origin',
        },
      };
    },
  };
}

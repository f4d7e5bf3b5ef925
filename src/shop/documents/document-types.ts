/** A government ID such as a driver's license, or a recommendation for medical cannabis. */
export const documentTypes = ['license', 'recommendation'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** D42. */
export const documentMimes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
] as const;
export type DocumentMime = (typeof documentMimes)[number];

/** 2.5 MB after decoding (D42). */
export const documentBytesMax = 2_621_440;

/** A document waits for staff, who approve it with its expiry day, or reject it. */
export const documentStatuses = ['pending', 'approved', 'rejected'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

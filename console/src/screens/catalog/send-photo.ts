import { api } from '../../api.ts';

/** Sends a picture; a blank text is none. With a key, a picture sent again after a lost answer is added once. */
export function sendPhoto(
  file: File,
  {
    productId,
    optionId,
    altText,
    key,
  }: { productId: number; optionId: number | null; altText: string; key?: string },
) {
  const query = altText === '' ? {} : { altText };
  const sent = {
    // The request body is the picture itself.
    body: file as unknown as string,
    bodySerializer: (body: unknown) => body as File,
    headers: { 'Content-Type': file.type, ...(key !== undefined && { 'Idempotency-Key': key }) },
  };
  return optionId === null
    ? api.POST('/staff/v1/products/{productId}/photos', { params: { path: { productId }, query }, ...sent })
    : api.POST('/staff/v1/products/{productId}/options/{productOptionId}/photos', {
        params: { path: { productId, productOptionId: optionId }, query },
        ...sent,
      });
}

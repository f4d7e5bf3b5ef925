import Type from 'typebox';
import type { Context } from '../../platform/database/context.ts';
import { type Caller, type Endpoint, endpoint, replyEmpty } from '../../platform/http/endpoint.ts';
import { Id, OneOf, ReadAs, Text } from '../../platform/http/schemas.ts';
import type { SealedFiles } from '../../platform/storage/sealed-files.ts';
import { documentBytesMax, documentMimes, documentTypes } from './document-types.ts';
import { uploadDocument } from './upload-document.ts';

/**
 * The largest document in Base64 takes 3,495,256 characters. The rest is for the other field, and for the escapes of
 * some JSON writers: one character in 64 is a plus, one a slash, and .NET writes the plus with 6 characters
 * (`\u002B`); MIME has a line break after 76 characters, which JSON writes with 4.
 */
const bodyBytesMax = 4_194_304;
const fileBytesMax = documentBytesMax.toLocaleString('en');

const DocumentBody = Type.Object({
  // No pattern: the handler checks the characters once, with better messages.
  documentBase64: Type.String({
    maxLength: bodyBytesMax,
    description: `The file in standard Base64, with or without padding and line breaks, at most ${fileBytesMax} bytes of it`,
    'x-reads': 'base64',
    'x-expected': 'the file in standard Base64',
  }),
  documentMime: ReadAs('media-type', Text({ max: 100, description: `One of ${documentMimes.join(', ')}` })),
});

/** A picture of one pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Operation on customers' documents for integrators. */
export function documentRoutes(
  context: Context,
  files: SealedFiles,
  hasPlacedOrderOf: (caller: Caller, customerId: number) => Promise<boolean>,
): Endpoint[] {
  return [
    endpoint({
      id: 'uploadCustomerDocument',
      method: 'POST',
      path: '/api/v1/documents/{customerId}/{documentType}',
      address: 'base',
      permission: 'create-orders',
      publishableKey: 'refused',
      kind: 'write',
      namesNoContact: true,
      summary: 'Upload a customer document',
      description:
        "Takes a picture or PDF of a customer's government ID (`license`) or medical cannabis recommendation (`recommendation`). It is stored encrypted. Only staff of the organization can read it; they approve or reject it. A newer document of the same type replaces the former one. The file must be complete, of the type in `documentMime`, and contain nothing else. With the permission `customers`, of every customer; without, of those of whom the integrator has placed an order: other ids are answered like unknown ones.",
      tag: 'Customers',
      params: Type.Object({
        customerId: Id({ description: '`customer.id` of an order, or the id of a customer' }),
        documentType: OneOf(documentTypes, { description: 'Which document it is' }),
      }),
      resourceParams: { customerId: 'USER_NOT_FOUND' },
      body: DocumentBody,
      bodyBytesMax,
      bodyTooLarge: {
        code: 'DOCUMENT_TOO_LARGE',
        about: `documentBase64 must not hold more than ${fileBytesMax} bytes`,
      },
      requestExample: { documentBase64: onePixel, documentMime: 'image/png' },
      success: { status: 204, description: 'The document is stored and waits for review' },
      failures: [
        'UNSUPPORTED_DOCUMENT_TYPE',
        'DOCUMENT_TOO_LARGE',
        'USER_NOT_FOUND',
        'ID_COPY_NOT_ALLOWED',
        'INVALID_DOCUMENT',
        'FILE_QUOTA_EXCEEDED',
        'TRANSACTION_RETRY_EXCEEDED',
      ],
      handle: async ({ caller, params, body, requestId }) => {
        await uploadDocument(
          context,
          files,
          { actor: `key:${caller.clientKeyId}`, requestId },
          caller.organizationId,
          params.customerId,
          { type: params.documentType, base64: body.documentBase64, mime: body.documentMime },
          async () =>
            caller.permissions.has('customers') || (await hasPlacedOrderOf(caller, params.customerId)),
        );
        return replyEmpty();
      },
    }),
  ];
}

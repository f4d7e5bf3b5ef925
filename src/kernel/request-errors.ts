import { type CatalogEntry, metaShape } from './error-entry.ts';

/** The frame refuses the request, before or while it reads its fields. */
export const requestErrors = {
  INVALID_API_CREDENTIALS: {
    status: 401,
    when: 'A key is missing, unknown, revoked, expired, or the two keys do not belong together.',
    remedy:
      'Send both headers, X-Consumer-Key and X-Client-Key, with keys of this environment that belong together.',
    forStaff: {
      when: 'The session is missing or has ended, or email and password are not those of a member of staff.',
      remedy: 'Sign in with POST /staff/v1/sessions.',
    },
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    when: 'The client key is valid but lacks the permission of this operation.',
    remedy: 'Ask the organization to add the permission to the key.',
    forStaff: {
      when: 'The role of the signed-in member of staff does not allow this operation, or not this amount.',
      remedy: 'Ask an owner to do it, or to change the role.',
    },
  },
  ORGANIZATION_SUSPENDED: {
    status: 403,
    when: 'The operator has suspended the organization: it can be read, and nothing can be written.',
    remedy:
      'Send it again once the organization trades again; ask the organization, or the operator of the deployment, when.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    when: 'A publishable key is used from a page of an origin that is not one of its own, or not from a web page.',
    remedy:
      'Ask the organization to add the origin of the page to a key. Programs on servers use a secret key with a consumer key.',
  },
  CROSS_ORIGIN_REQUEST: {
    status: 403,
    when: 'A write with a session cookie does not come from a page of this service, or its Host is unknown to the service.',
    remedy:
      'Send it from a page of this service, or with the token in Authorization: Bearer. Behind a proxy, set PUBLIC_URL.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    when: 'Email and password are right, and the member of staff has a second factor.',
    remedy:
      'Send meta.signInToken with a code to POST /staff/v1/sessions/second-factor, before meta.expiresAt; or with a ' +
      'passkey to POST /staff/v1/sessions/passkey.',
    meta: metaShape(
      '{signInToken, expiresAt, passkey?}',
      {
        signInToken: 'dch_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
        expiresAt: '2026-03-01T17:10:09.123Z',
      },
      {
        signInToken: { type: 'string', description: 'For the second step only; valid once' },
        expiresAt: { type: 'string', format: 'date-time', description: 'Until then the second step is open' },
        passkey: { type: 'boolean', description: 'True: the person has a passkey' },
      },
      ['passkey'],
    ),
  },
  IDENTITY_REFUSED: {
    status: 403,
    when: 'The answer of the identity provider does not sign a member of staff in.',
    remedy:
      'Sign in again; meta.reason says what is wrong. An owner sets the provider up under PUT /staff/v1/identity-provider; ' +
      'the password works as before.',
    meta: metaShape(
      '{reason}',
      { reason: 'email-not-verified' },
      {
        reason: {
          type: 'string',
          description:
            '`other-browser`: not begun in this browser within ten minutes; `denied`: the provider refuses; `answer`: its answer ' +
            'is not one to this sign-in; `email-not-verified`; `email-domain`: not one of the organization; `no-account`: there ' +
            'is no active member of staff; `other-identity`: the member is linked to another account of the provider',
        },
      },
    ),
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 409,
    when: 'The identity provider of the organization cannot be reached, or does not answer as one.',
    remedy: 'Try again in a while, or sign in with the password.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    when: 'The organization names the network addresses of its staff, and the request comes from another one.',
    remedy:
      'Work from one of these networks. If the owners are locked out, the operator allows every address: ' +
      '`dispensary organization unlock`.',
  },
  OWN_ADDRESS_MISSING: {
    status: 422,
    when: 'The new list of allowed addresses lacks the one that the request comes from.',
    remedy: 'Add meta.address, or a range that has it: without it the change would lock you out.',
    meta: metaShape(
      '{address}',
      { address: '192.0.2.7' },
      {
        address: { type: 'string', description: 'Where the request comes from, behind the trusted proxies' },
      },
    ),
  },
  SECOND_FACTOR_NOT_SET_UP: {
    status: 403,
    when: 'The organization asks for a second factor of this role, and the member of staff has none yet.',
    remedy:
      'Set one up with POST /staff/v1/me/totp and POST /staff/v1/me/totp/confirm, or add a passkey with ' +
      'POST /staff/v1/me/passkeys.',
  },
  RECENT_PROOF_REQUIRED: {
    status: 403,
    when: 'The operation needs a proof of who uses the session that is less than ten minutes old.',
    remedy: 'Send POST /staff/v1/me/proof, then the same request again, with the same Idempotency-Key.',
    meta: metaShape(
      '{needs, passkey?}',
      { needs: 'password-and-code' },
      {
        needs: {
          type: 'string',
          enum: ['password', 'password-and-code'],
          description: 'What the proof consists of',
        },
        passkey: {
          type: 'boolean',
          description: 'True: a passkey proves it as well, with POST /staff/v1/me/proof/passkey',
        },
      },
      ['passkey'],
    ),
  },
  WRONG_SECOND_FACTOR: {
    status: 422,
    when: 'The code of the second factor is wrong, too old, or was used before.',
    remedy: 'Send the code that the app shows now, or an unused recovery code.',
  },
  PASSKEY_REFUSED: {
    status: 422,
    when: 'The answer of the authenticator is not one to an open challenge of this page, or the passkey is not of this member.',
    remedy: 'Ask for another challenge, and have the authenticator answer it on a page of this service.',
  },
  PASSKEYS_UNAVAILABLE: {
    status: 409,
    when: 'Browsers allow no passkeys at this address: it has no name, or no TLS and is not localhost.',
    remedy:
      'Set PUBLIC_URL to an https address with a name, and open the console there; or open http://localhost.',
  },
  PASSWORD_REFUSED: {
    status: 422,
    when: "The new password is common or leaked, a pattern, or the person's own words.",
    remedy:
      'Choose another one. meta.rule says what it breaks; capitals, digits and signs are not asked for.',
    meta: metaShape(
      '{rule}',
      { rule: 'common' },
      {
        rule: {
          type: 'string',
          enum: ['common', 'pattern', 'own-words'],
          description:
            'common: on the list of common and leaked passwords, with or without digits and signs around it; ' +
            'pattern: repeats a few characters, or goes through them in order; own-words: little more than the email, ' +
            'the name of the person or that of the organization',
        },
      },
    ),
  },
  RATE_LIMITED: {
    status: 429,
    when: 'The key sends too many requests, or the address has too many failed authentications.',
    remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
    forStaff: {
      when:
        'The session sends too many requests, the email or the address has too many failed sign-ins, or too many pictures ' +
        'are sent at once.',
      remedy: 'Wait for the seconds in Retry-After, then send the same request again.',
    },
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    when: 'There is no such path at this address.',
    remedy: 'Check the path, and whether it belongs to the base address or to the menu address.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path exists with other methods.',
    remedy: 'Use a method of the Allow header.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not application/json, or not a file of a type that the operation accepts.',
    remedy: 'Send Content-Type: application/json, or the type of the file.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body is larger than the operation accepts.',
    remedy: 'Send less in one request.',
  },
  INVALID_JSON: {
    status: 400,
    when: 'The body is not well-formed JSON.',
    remedy: 'Send one well-formed JSON object.',
  },
  MISSING_PARAMS: {
    status: 400,
    when: 'A required body or query field is missing.',
    remedy: 'Send the fields in meta.missing.',
    meta: metaShape(
      '{missing: [path]}',
      { missing: ['customer.email', 'customer.phone'] },
      {
        missing: {
          type: 'array',
          items: { type: 'string' },
          description: 'Paths of the fields; of fields one of which is enough, all of them',
        },
      },
    ),
  },
  INVALID_PARAMS: {
    status: 400,
    when: 'A field has the wrong type, range, format or value.',
    remedy: 'Correct the field that the message names.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    when: 'idempotencyKey is not a UUID v4.',
    remedy: 'Send the idempotencyKey of the last pricing reply, or a new UUID v4.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: 'The same caller sent this Idempotency-Key with another request in the last 48 hours.',
    remedy: 'Send a new key with a new request. To retry, repeat the first request unchanged.',
  },
  INVALID_CURSOR: {
    status: 400,
    when: 'startingAfter is not an id of this organization.',
    remedy: 'Send the last id of the previous page, or omit the cursor to start again.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    when: 'The changes after this cursor are no longer kept (30 days), or the cursor is of another database.',
    remedy: 'Take a cursor of GET /api/v1/changes/latest, then read the lists again.',
  },
  INVALID_ORDER_QUANTITY: {
    status: 400,
    when: 'A quantity is not a whole number from 1 to 10,000.',
    remedy: 'Send a whole number from 1 to 10,000.',
  },
  PURCHASE_ORDER_MISSING_CUSTOM_DATE: {
    status: 400,
    when: 'paymentTerms is custom and paymentTermsDueDate is absent.',
    remedy: 'Send paymentTermsDueDate.',
  },
} as const satisfies Record<string, CatalogEntry>;

/** Fields of replies that hold the id of a person, besides `id`: a kept reply is found by them when the person is erased. */
export const idsOfPeople = ['userId', 'customerId', 'intoCustomerId'] as const;

/**
 * Fields of the slices with secrets or personal data, which no line of the log shows (D59), beyond those that the platform masks
 * everywhere.
 */
export const maskedFields: readonly string[] = [
  ...['x-order-token', 'x-customer-token', 'orderToken', 'customerToken'],
  ...['customerName', 'customerEmail', 'customerPhone', 'emailOrPhone', 'driverName'],
  ...['birthdayMonth', 'mostRecentAddress', 'licenseNumber', 'licenseExpiry'],
  // Keys of licenses' users at the state.
  ...['userKey'],
  ...['medicalExpiration', 'isMedical', 'taxExemptReason', 'documentBase64'],
  // Free text about people.
  ...['internalNotes', 'deliveryNotes', 'reviewReason', 'cancelationReason', 'voidReason'],
];

/** The license of the demo shop and the keys of the stand-in. They open nothing but it. */
export const demoLicense = {
  licenseNumber: 'TEST-R-0001',
  userKey: 'user-key',
  vendorKey: 'vendor-key',
} as const;

/** What a manager approves on the spot: an approval counts for acts of its kind only. */
export const approvalKinds = ['amounts', 'void', 'payment'] as const;

export type ApprovalKind = (typeof approvalKinds)[number];

/** What a manager approves on the spot: an approval counts for acts of its kind only. */
export const approvalKinds = ['price', 'void', 'payment'] as const;

export type ApprovalKind = (typeof approvalKinds)[number];

/* A manager's word on the spot: what a member of staff may not do alone is done with the token of an approval. */

/** What is approved: an approval counts for acts of its kind only. */
export const approvalKinds = ['discount', 'void', 'payment'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalHeader = {
  name: 'X-Approval',
  description:
    "The token of an approval (`POST /staff/v1/approvals`): the act counts as one of the approver's role, and the audit names both",
} as const;

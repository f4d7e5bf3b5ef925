/** A manager's word on the spot: what a member of staff may not do alone is done with the token of an approval. */
export const approvalHeader = {
  name: 'X-Approval',
  description:
    "The token of an approval (`POST /staff/v1/approvals`): the act counts as one of the approver's role, and the audit log names both",
} as const;

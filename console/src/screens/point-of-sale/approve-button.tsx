import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../../api.ts';
import { askForApproval } from '../../session/manager-approvals.ts';
import { t } from '../../words/words.ts';

/** A manager's word on the spot, where a price is refused because it is beyond the role: the cart stays who began it. */
export function ApproveButton({ refusal }: { refusal: Error }) {
  const queryClient = useQueryClient();
  if (!(refusal instanceof ApiFailure) || refusal.code !== 'INSUFFICIENT_PERMISSIONS') return null;
  const approve = async () => {
    if (await askForApproval('amounts')) await queryClient.invalidateQueries({ queryKey: ['cart-pricing'] });
  };
  return (
    <Button mt="xs" variant="default" onClick={() => void approve()}>
      {t`Manager's PIN`}
    </Button>
  );
}

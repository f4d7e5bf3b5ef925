import { Alert, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { LongTextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import classes from './customers.module.css';
import { DocumentFile } from './document-file.tsx';

type Document = Schema['CustomerDocument'];

/** A document with the review form beside it. Each view is recorded. */
export function DocumentReviewDialog({
  document,
  title,
  onClose,
}: {
  document: Document;
  title: string;
  onClose: () => void;
}) {
  return (
    <Modal opened onClose={onClose} title={title} size={1120}>
      <div className={classes.review}>
        <DocumentFile document={document} />
        <Stack>
          <dl className={classes.facts}>
            <dt>{t`Status`}</dt>
            <dd>
              <StatusBadge status={document.status} />
            </dd>
            <dt>{t`Uploaded`}</dt>
            <dd>
              <ShopTime at={document.uploadedAt} />
            </dd>
            <dt>{t`Reviewed`}</dt>
            <dd>
              <ShopTime at={document.reviewedAt} />
            </dd>
            <dt>{t`Valid until`}</dt>
            <dd>
              <LastDay day={document.expiresOn} />
            </dd>
            {document.reviewReason && (
              <>
                <dt>{t`Reason`}</dt>
                <dd>{document.reviewReason}</dd>
              </>
            )}
          </dl>
          {document.supersededAt ? (
            <Alert color="gray">{t`There is a newer document of this type. Review that one instead.`}</Alert>
          ) : (
            <ReviewForm document={document} onClose={onClose} />
          )}
          <Text size="xs" c="dimmed">
            {t`Every view of a document is recorded.`}
          </Text>
        </Stack>
      </div>
    </Modal>
  );
}

function ReviewForm({ document, onClose }: { document: Document; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [decision, setDecision] = useState<'approved' | 'rejected'>(
    document.status === 'rejected' ? 'rejected' : 'approved',
  );
  const [expiresOn, setExpiresOn] = useState(document.expiresOn);
  const [reason, setReason] = useState(document.reviewReason ?? '');
  const isApproval = decision === 'approved';
  const review = () =>
    dataOf(
      api.POST('/staff/v1/customers/{customerId}/documents/{documentId}/review', {
        params: { path: { customerId: document.customerId, documentId: document.id } },
        body: {
          decision,
          ...(isApproval ? expiresOn && { expiresOn } : reason.trim() && { reason: reason.trim() }),
        },
      }),
    );
  return (
    <ServerForm
      onSubmit={review}
      onDone={() => {
        notifyDone(isApproval ? t`The document is approved.` : t`The document is rejected.`);
        onClose();
        void queryClient.invalidateQueries({ queryKey: ['customers'] });
      }}
      submit={isApproval ? t`Approve` : t`Reject`}
    >
      <SegmentedControl
        aria-label={t`Decision`}
        fullWidth
        data={[
          { value: 'approved', label: t`Approve` },
          { value: 'rejected', label: t`Reject` },
        ]}
        value={decision}
        onChange={(value) => setDecision(value as typeof decision)}
      />
      {isApproval ? (
        <Field path="expiresOn">
          {(error) => (
            <DayInput
              label={t`Valid until`}
              description={t`The last day, as printed on the document`}
              error={error}
              day={expiresOn}
              onChange={setExpiresOn}
            />
          )}
        </Field>
      ) : (
        <LongTextField
          path="reason"
          label={t`Reason`}
          required
          description={t`What is wrong with the document`}
          value={reason}
          onChange={setReason}
        />
      )}
    </ServerForm>
  );
}

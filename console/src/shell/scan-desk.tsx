import { lazy, Suspense, useEffect, useState } from 'react';
import { isDialogOpen } from '../parts/open-dialog.ts';
import { serveScans } from '../scanner/scanner.ts';
import type { Scan } from '../scanner/understand-scan.ts';
import { t } from '../words/words.ts';

// Loaded with the first scan that no screen takes.
const ScanResult = lazy(async () => ({ default: (await import('./scan-result.tsx')).ScanResult }));

/** Whether someone fills in a form or a dialog: a code of goods in it is a slip, and is only read out. */
function isFillingIn(): boolean {
  const isField = document.activeElement?.matches('input, textarea, select') ?? false;
  return isField || isDialogOpen();
}

/** Says what every scan was understood as, and shows what belongs to a scan that the screen has no use for. */
export function ScanDesk() {
  const [heard, setHeard] = useState({ words: '', count: 0 });
  const [shown, setShown] = useState<{ readonly scan: Scan; readonly count: number } | null>(null);
  useEffect(
    () =>
      serveScans(
        (scan) => {
          if ('code' in scan && isFillingIn()) return;
          setShown((before) => ({ scan, count: (before?.count ?? 0) + 1 }));
        },
        (words) => setHeard(({ count }) => ({ words, count: count + 1 })),
      ),
    [],
  );
  return (
    <>
      <div role="status" aria-label={t`Scanner`} className="unseen">
        {/* A new element, so that the same words are read again. */}
        <span key={heard.count}>{heard.words}</span>
      </div>
      {shown && (
        <Suspense>
          <ScanResult key={shown.count} scan={shown.scan} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}

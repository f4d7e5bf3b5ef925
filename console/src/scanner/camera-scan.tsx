import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconCameraOff } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../words/words.ts';
import { hasCameras } from './camera-stream.ts';

// Loaded when a camera is opened.
const CameraPanel = lazy(async () => ({ default: (await import('./camera-panel.tsx')).CameraPanel }));

/**
 * The button that opens the camera as a barcode scanner, with its picture below it. Only on small or touched screens, and only
 * where the browser offers cameras. Its codes go where those of a scanner go. The camera closes with the screen.
 */
export function CameraScan() {
  const isHandheld = useMediaQuery('(max-width: 62em), (pointer: coarse)', false, {
    getInitialValueInEffect: false,
  });
  const [isOpen, setOpen] = useState(false);
  if (!hasCameras() || !(isHandheld || isOpen)) return null;
  return (
    <>
      <Button
        variant="default"
        h={44}
        style={{ flexShrink: 0 }}
        leftSection={isOpen ? <IconCameraOff size={20} aria-hidden /> : <IconCamera size={20} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t`Close the camera` : t`Scan with the camera`}
      </Button>
      {isOpen && (
        <Suspense>
          <CameraPanel />
        </Suspense>
      )}
    </>
  );
}

import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCamera, IconCameraOff } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../words/words.ts';
import { hasCameras } from './camera-stream.ts';

// Loaded when a camera is opened.
const CameraPanel = lazy(async () => ({ default: (await import('./camera-panel.tsx')).CameraPanel }));

/**
 * The button (`isIcon`: a small one) that opens the camera as a barcode scanner, with its picture below it. Only on small or touched screens, and only
 * where the browser offers cameras. Its codes go where those of a scanner go. The camera closes with the screen.
 */
export function CameraScan({ isIcon = false }: { isIcon?: boolean }) {
  const isHandheld = useMediaQuery('(max-width: 62em), (pointer: coarse)', false, {
    getInitialValueInEffect: false,
  });
  const [isOpen, setOpen] = useState(false);
  if (!hasCameras() || !(isHandheld || isOpen)) return null;
  const Icon = isOpen ? IconCameraOff : IconCamera;
  const label = isOpen ? t`Close the camera` : t`Scan with the camera`;
  const looks = { variant: 'default', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) } as const;
  return (
    <>
      {isIcon ? (
        <ActionIcon {...looks} size={44} aria-label={label}>
          <Icon size={20} aria-hidden />
        </ActionIcon>
      ) : (
        <Button {...looks} h={44} style={{ flexShrink: 0 }} leftSection={<Icon size={20} aria-hidden />}>
          {label}
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <CameraPanel />
        </Suspense>
      )}
    </>
  );
}

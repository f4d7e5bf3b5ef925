import { Button, Group, Text } from '@mantine/core';
import { type PointerEvent, useId, useRef } from 'react';
import { t } from '../../words/words.ts';
import classes from './my-trip.module.css';

/** Pixels of the picture: enough for a pen, and a few kilobytes. */
const picture = { width: 480, height: 160 };
/** The service takes so many characters of base64. */
const charactersMax = 28_000;

/** A field to sign in with a finger or a pen. `onSigned` gets the PNG in base64 after each stroke; null: empty again. */
export function SignaturePad({ onSigned }: { onSigned: (png: string | null) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const id = useId();
  const pen = () => canvas.current?.getContext('2d') ?? null;
  const at = ({ nativeEvent: { offsetX, offsetY }, currentTarget }: PointerEvent<HTMLCanvasElement>) =>
    [
      (offsetX * picture.width) / currentTarget.clientWidth,
      (offsetY * picture.height) / currentTarget.clientHeight,
    ] as const;
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    const line = pen();
    if (line === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    Object.assign(line, { lineWidth: 3, lineCap: 'round', lineJoin: 'round', strokeStyle: '#000' });
    line.beginPath();
    line.moveTo(...at(event));
  };
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    pen()?.lineTo(...at(event));
    pen()?.stroke();
  };
  const end = (event: PointerEvent<HTMLCanvasElement>) => {
    const png = event.currentTarget.toDataURL('image/png').split(',')[1] ?? '';
    // A field scribbled full of it is not a signature.
    if (png.length > charactersMax) clear();
    else onSigned(png);
  };
  const clear = () => {
    pen()?.clearRect(0, 0, picture.width, picture.height);
    onSigned(null);
  };
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500} id={id}>
          {t`Signature`}
        </Text>
        <Button variant="subtle" onClick={clear}>
          {t`Clear the signature`}
        </Button>
      </Group>
      <canvas
        ref={canvas}
        {...picture}
        className={classes.pad}
        role="img"
        aria-labelledby={id}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
      />
    </div>
  );
}

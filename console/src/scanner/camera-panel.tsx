import { Alert, Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../words/words.ts';
import { CodesInView, scannedText } from './camera-codes.ts';
import classes from './camera-panel.module.css';
import { cameraFaultInWords, closeCamera, openCamera, torchOf } from './camera-stream.ts';
import { openCodeReader } from './code-reader.ts';
import { hearScans, takeScannedText } from './scanner.ts';

/** Between two pictures: a phone stays cool, and a code in view is read twice in half a second. */
const restMs = 100;

/** The picture of the camera, what was read last, and the light. */
export function CameraPanel() {
  const [attempt, setAttempt] = useState(0);
  const { video, fault, torch, heard } = useCamera(attempt);
  const [isLit, setLit] = useState(false);
  if (fault !== null) {
    return (
      <Alert color="red" role="alert" className={classes.panel}>
        <Text size="sm">{fault}</Text>
        <Button mt="xs" variant="default" h={44} onClick={() => setAttempt(attempt + 1)}>
          {t`Try again`}
        </Button>
      </Alert>
    );
  }
  const light = async () => {
    await torch?.(!isLit);
    setLit(!isLit);
  };
  return (
    <section aria-label={t`Camera`} className={classes.panel}>
      <div className={classes.picture}>
        <video
          ref={video}
          className={classes.video}
          muted
          playsInline
          aria-label={t`Picture of the camera`}
        />
        <span className={classes.aim} aria-hidden />
        <span
          key={heard.count}
          className={classes.flash}
          data-heard={heard.count === 0 ? undefined : heard.isUnderstood}
          aria-hidden
        />
        {torch && (
          <Button className={classes.light} variant="default" h={44} aria-pressed={isLit} onClick={light}>
            {isLit ? t`Light off` : t`Light on`}
          </Button>
        )}
      </div>
      <Text size="sm" className={classes.words}>
        {heard.count === 0 ? t`Hold a code in front of the camera.` : heard.words}
      </Text>
    </section>
  );
}

const unheard = { words: '', isUnderstood: true, count: 0 };

/** Opens the camera and reads codes from it until the panel closes. `attempt`: another number opens it again. */
function useCamera(attempt: number) {
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [torch, setTorch] = useState<ReturnType<typeof torchOf>>(null);
  const [heard, setHeard] = useState(unheard);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the camera again
  useEffect(() => {
    const closing = new AbortController();
    const signal = openScanSignal();
    const stopHearing = hearScans((words, isUnderstood) => {
      // What became of a scan follows what was understood of it.
      if (isUnderstood !== null) signal.give(isUnderstood);
      setHeard((before) => ({
        words,
        isUnderstood: isUnderstood ?? before.isUnderstood,
        count: before.count + 1,
      }));
    });
    setFault(null);
    setTorch(null);
    const open = async () => {
      const stream = await openCamera();
      closing.signal.addEventListener('abort', () => closeCamera(stream));
      const screen = video.current;
      if (closing.signal.aborted || screen === null) return closeCamera(stream);
      screen.srcObject = stream;
      setTorch(() => torchOf(stream));
      await screen.play();
      await readOn(screen, closing.signal);
    };
    open().catch((error: unknown) => {
      if (!closing.signal.aborted) setFault(cameraFaultInWords(error));
    });
    return () => {
      closing.abort();
      stopHearing();
      signal.close();
    };
  }, [attempt]);
  return { video, fault, torch, heard };
}

/** Reads one picture after the other and gives their codes to the scanner. A hidden page reads nothing. */
async function readOn(video: HTMLVideoElement, closing: AbortSignal): Promise<void> {
  const read = await openCodeReader();
  const inView = new CodesInView();
  while (!closing.aborted) {
    if (!document.hidden) {
      const codes = await read(video).catch(() => []);
      if (closing.aborted) return;
      for (const text of inView.see(codes.map(scannedText), performance.now())) takeScannedText(text);
    }
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

/** A short tone and a vibration for a code that was read: high if it was understood, low otherwise. Where the device can. */
function openScanSignal(): { readonly give: (isUnderstood: boolean) => void; close: () => void } {
  const audio = typeof AudioContext === 'undefined' ? null : new AudioContext();
  return {
    give: (isUnderstood) => {
      navigator.vibrate?.(isUnderstood ? 60 : [60, 80, 60]);
      if (audio === null) return;
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      const [from, to] = [audio.currentTime, audio.currentTime + (isUnderstood ? 0.1 : 0.3)];
      tone.frequency.value = isUnderstood ? 1_760 : 220;
      volume.gain.setValueAtTime(0.15, from);
      volume.gain.exponentialRampToValueAtTime(0.001, to);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(to);
    },
    close: () => void audio?.close(),
  };
}

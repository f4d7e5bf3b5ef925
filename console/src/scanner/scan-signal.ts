/** A short tone and a vibration for a code that was read: high if it was understood, low otherwise. Where the device can. */
export function openScanSignal(): { readonly give: (isUnderstood: boolean) => void; close: () => void } {
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

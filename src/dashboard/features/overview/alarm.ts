/** Two short tones for the wallboard. Browsers allow sound only after a click: create it in a click handler. */

const TONES_HZ = [880, 660] as const;
const TONE_SECONDS = 0.25;
const VOLUME = 0.2;

export interface Alarm {
  readonly sound: () => void;
  readonly close: () => void;
}

export function createAlarm(): Alarm {
  const context = new AudioContext();
  const play = (hertz: number, startSeconds: number): void => {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.value = VOLUME;
    tone.connect(volume).connect(context.destination);
    tone.start(startSeconds);
    tone.stop(startSeconds + TONE_SECONDS);
  };
  return {
    sound() {
      for (const [index, hertz] of TONES_HZ.entries())
        play(hertz, context.currentTime + index * TONE_SECONDS);
    },
    close: () => void context.close(),
  };
}

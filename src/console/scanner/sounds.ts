/** The result of a scan: an object was found, an action was done, it was rejected, or it is pending. */
export type Tone = 'found' | 'did' | 'rejected' | 'waits'

/** A note: its pitch in hertz, its start and its duration in seconds. */
type Note = { pitch: number; start: number; length: number; wave: OscillatorType }

const note = (pitch: number, start: number, length = 0.09, wave: OscillatorType = 'sine'): Note => ({
  pitch,
  start,
  length,
  wave,
})

/** The notes of each tone. Tones differ in number of notes, direction and timbre, so that they can be distinguished in a noisy hall. */
const SOUNDS: Readonly<Record<Tone, readonly Note[]>> = {
  found: [note(880, 0)],
  did: [note(660, 0), note(990, 0.1, 0.14)],
  waits: [note(740, 0, 0.07), note(740, 0.12, 0.07), note(740, 0.24, 0.07)],
  rejected: [note(196, 0, 0.16, 'square'), note(147, 0.2, 0.3, 'square')],
}

/** Volume from 0 to 1. A square wave is much louder than a sine. */
const VOLUME: Partial<Record<OscillatorType, number>> = { sine: 0.35, square: 0.12 }

let context: AudioContext | undefined

/** Plays the sound of a tone. Silent if the browser does not allow sound, as before the first key or touch. */
export function play(tone: Tone): void {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  if (context.state === 'suspended') context.resume().catch(() => undefined)
  for (const { pitch, start, length, wave } of SOUNDS[tone]) {
    const [source, volume] = [context.createOscillator(), context.createGain()]
    const [begin, end] = [currentTime + start, currentTime + start + length]
    source.type = wave
    source.frequency.value = pitch
    // avoids a click by fading in and out
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(VOLUME[wave] ?? 0, begin + 0.01)
    volume.gain.setValueAtTime(VOLUME[wave] ?? 0, end - 0.02)
    volume.gain.linearRampToValueAtTime(0, end)
    source.connect(volume).connect(destination)
    source.start(begin)
    source.stop(end)
  }
}

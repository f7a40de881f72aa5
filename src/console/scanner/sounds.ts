/** What came of a scan: it was found, something was done, it was refused, or something is still waited for. */
export type Tone = 'found' | 'did' | 'refused' | 'waits'

/** A note: its pitch in hertz, when it begins, and how long it is, in seconds. */
type Note = { pitch: number; at: number; length: number; wave: OscillatorType }

const note = (pitch: number, at: number, length = 0.09, wave: OscillatorType = 'sine'): Note => ({ pitch, at, length, wave })

/** They differ in number, direction and colour, so that they are told apart in a loud hall and by whoever hears no pitches. */
const SOUNDS: Readonly<Record<Tone, readonly Note[]>> = {
  found: [note(880, 0)],
  did: [note(660, 0), note(990, 0.1, 0.14)],
  waits: [note(740, 0, 0.07), note(740, 0.12, 0.07), note(740, 0.24, 0.07)],
  refused: [note(196, 0, 0.16, 'square'), note(147, 0.2, 0.3, 'square')],
}

/** How loud, of 1. A square wave is much louder than a sine. */
const VOLUME: Partial<Record<OscillatorType, number>> = { sine: 0.35, square: 0.12 }

let context: AudioContext | undefined

/** Makes the sound of a tone. Where the browser makes none, as before the first key or touch, it is silent. */
export function play(tone: Tone): void {
  context ??= new AudioContext()
  const { currentTime, destination } = context
  if (context.state === 'suspended') context.resume().catch(() => undefined)
  for (const { pitch, at, length, wave } of SOUNDS[tone]) {
    const [source, volume] = [context.createOscillator(), context.createGain()]
    const [begin, end] = [currentTime + at, currentTime + at + length]
    source.type = wave
    source.frequency.value = pitch
    // without a slope at both ends it clicks
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(VOLUME[wave] ?? 0, begin + 0.01)
    volume.gain.setValueAtTime(VOLUME[wave] ?? 0, end - 0.02)
    volume.gain.linearRampToValueAtTime(0, end)
    source.connect(volume).connect(destination)
    source.start(begin)
    source.stop(end)
  }
}

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type PlainKey, t } from '../kit/language/language.ts'
import { handleScan } from './scanner.ts'
import { Sightings } from './sightings.ts'

/** Milliseconds between two decoded frames. */
const FRAME_INTERVAL_MS = 120

/** The reason why no camera is available; undefined if there may be one. */
export const getCameraProblem = (): PlainKey | undefined =>
  !window.isSecureContext ? 'scan.camera-needs-https' : navigator.mediaDevices ? undefined : 'scan.camera-none'

/** The camera preview. Each code in it is a scan. */
export function Camera() {
  const video = useRef<HTMLVideoElement>(null)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    watch(video.current as HTMLVideoElement, controller.signal).catch((error: Error) => {
      if (!controller.signal.aborted) problem.value = error.name === 'NotAllowedError' ? t('scan.camera-refused') : error.message
    })
    return () => controller.abort()
  }, [])
  return (
    <div class="camera">
      <video ref={video} muted playsInline aria-label={t('scan.camera')} />
      {problem.value && <p role="alert">{problem.value}</p>}
    </div>
  )
}

/** Decodes codes in the camera image until it is aborted. */
async function watch(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  const sightings = new Sightings()
  const decoderPromise = import('./decoder.ts').then(({ openDecoder }) => openDecoder())
  // prevents an unhandled rejection if the camera fails first
  decoderPromise.catch(() => undefined)
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) return stop()
  video.srcObject = stream
  await video.play()
  const decode = await decoderPromise
  while (!signal.aborted) {
    for (const code of sightings.addFrame(await decode(video), performance.now())) handleScan(code)
    await new Promise((resolve) => setTimeout(resolve, FRAME_INTERVAL_MS))
  }
}

import { type Browser, chromium } from 'playwright-core'
import { getTestChromium } from '../../testing/printing.ts'

/** A host name of this machine that browsers do not treat as localhost: plain HTTP is not a secure context there. */
export const OTHER_HOST = 'workshop.example'

/** Browser flags for tests, in addition to those of Playwright. */
const FLAGS = [
  `--host-resolver-rules=MAP ${OTHER_HOST} 127.0.0.1`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
]

const listCameraFlags = (film: string): string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]

/**
 * Opens the browser of the tests, which draws the same on every machine: its fonts and its renderer come from a package.
 * @param film path of the video that its camera shows; without one, it has no camera
 * @param flags further flags; they replace those of the same name
 */
export async function openBrowser(film?: string, flags: readonly string[] = []): Promise<Browser> {
  const { executable, libraries, fonts } = await getTestChromium()
  const launch = (env: Record<string, string>) =>
    chromium.launch({
      executablePath: executable,
      args: [...FLAGS, ...(film ? listCameraFlags(film) : []), ...flags],
      env: { ...env, ...(fonts ? { FONTCONFIG_FILE: fonts } : {}) },
    })
  const started = await launch({}).catch((error) => {
    // this machine has no such system libraries: uses those of the package
    if (!libraries || !String(error).includes('shared libraries')) throw error
    return launch({ LD_LIBRARY_PATH: libraries })
  })
  return started
}

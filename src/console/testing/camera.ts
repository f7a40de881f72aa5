import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import bwip from 'bwip-js'
import sharp from 'sharp'

const [WIDTH, HEIGHT] = [640, 480]

/** Path of a video that a browser uses as its camera, deleted after the test file. It has no content until `showPicture` writes it. */
export function newFilm(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-camera-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'camera.y4m')
}

/** Writes a picture to the video of a camera, before the camera is opened. */
export async function showPicture(film: string, picture: Buffer): Promise<void> {
  const image = await sharp(picture)
    .flatten({ background: '#fff' })
    .resize(WIDTH - 160, HEIGHT - 80, { fit: 'contain', background: '#fff', kernel: 'nearest' })
    .extend({ top: 40, bottom: 40, left: 80, right: 80, background: '#bbb' })
    .greyscale()
    .raw()
    .toBuffer()
  const colors = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const frame = [Buffer.from('FRAME\n'), image, colors]
  writeFileSync(film, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), ...frame, ...frame]))
}

/** Creates a video of a Data Matrix in front of a camera. */
export async function filmCode(code: string): Promise<string> {
  const film = newFilm()
  await showPicture(
    film,
    await bwip.toBuffer({ bcid: 'datamatrix', text: code, scale: 5, padding: 10, backgroundcolor: 'FFFFFF' }),
  )
  return film
}

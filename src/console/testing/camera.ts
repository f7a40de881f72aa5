import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import bwip from 'bwip-js'
import sharp from 'sharp'

const [WIDTH, HEIGHT] = [640, 480]

/** A film that a browser takes for its camera, and that ends with the test file. Something is on it once it was held before the camera. */
export function newFilm(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-camera-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'camera.y4m')
}

/** Holds a picture before the camera of a film, before the camera is opened. */
export async function hold(film: string, picture: Buffer): Promise<void> {
  const seen = await sharp(picture)
    .flatten({ background: '#fff' })
    .resize(WIDTH - 160, HEIGHT - 80, { fit: 'contain', background: '#fff', kernel: 'nearest' })
    .extend({ top: 40, bottom: 40, left: 80, right: 80, background: '#bbb' })
    .greyscale()
    .raw()
    .toBuffer()
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  const frame = [Buffer.from('FRAME\n'), seen, colours]
  writeFileSync(film, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), ...frame, ...frame]))
}

/** What a camera sees that is held before a Data Matrix. */
export async function filmOf(code: string): Promise<string> {
  const film = newFilm()
  await hold(film, await bwip.toBuffer({ bcid: 'datamatrix', text: code, scale: 5, padding: 10, backgroundcolor: 'FFFFFF' }))
  return film
}

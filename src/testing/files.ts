import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** Creates a data folder for stored files, which is deleted after the test file. Must be created before the service that receives it as DATA_DIR. */
export function createFilesFolder(): { dataDir: string; media: string } {
  const dataDir = mkdtempSync(join(tmpdir(), 'stockroom-files-'))
  after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  return { dataDir, media: join(dataDir, 'media') }
}

/** A part of a form: a string, or a file with its name. */
export type FormPart = string | { name: string; content: Uint8Array | string }

/** Encodes a multipart/form-data body, and returns it with its headers. */
export function encodeForm(parts: Record<string, FormPart | readonly FormPart[]>): {
  body: Buffer
  headers: Record<string, string>
} {
  const boundary = 'the-boundary-of-a-test'
  const pieces: (string | Uint8Array)[] = []
  for (const [name, value] of Object.entries(parts)) {
    for (const part of Array.isArray(value) ? (value as FormPart[]) : [value as FormPart]) {
      const isText = typeof part === 'string'
      const file = isText ? '' : `; filename="${part.name}"\r\nContent-Type: application/octet-stream`
      pieces.push(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`,
        isText ? part : part.content,
        '\r\n',
      )
    }
  }
  pieces.push(`--${boundary}--\r\n`)
  const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

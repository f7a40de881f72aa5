import { StoredFileReference } from '../definition/file.ts'
import { RejectedValue, type Shape, type UploadContext } from '../definition/input.ts'
import type { Resource, Write } from '../definition/resource.ts'
import { FieldError } from '../request/errors.ts'
import { Problem } from '../request/problem.ts'
import { pictureExtension } from '../services/pictures.ts'
import { claimUploads, Upload } from '../services/uploads.ts'

/** Receives the files of a body, before the transaction of its write begins. Returns the body with the received files in their places. */
export async function receiveFiles(
  shape: Shape,
  body: Record<string, unknown>,
  arrival: UploadContext,
): Promise<Record<string, unknown>> {
  const fileValues: Record<string, unknown> = {}
  for (const [name, input] of Object.entries(shape)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (!input.prepareUpload || value === undefined || value === null) continue
    try {
      fileValues[name] = await input.prepareUpload(value, arrival)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      fileValues[name] = new RejectedValue(error)
    }
  }
  return { ...body, ...fileValues }
}

/** Maximum length of a stored file name, in characters, if its column has no limit. */
const DEFAULT_NAME_LENGTH = 250

/** Replaces the files of a write with the paths that its row stores, in the transaction of the write. */
export async function claimFiles(resource: Resource, write: Write): Promise<void> {
  const { tx, before, values, hidden } = write
  const claimed: Upload[] = []
  for (const [name, { input, column }] of Object.entries(resource.fields)) {
    const value = values[name]
    if (value instanceof StoredFileReference) {
      // the path belonged to the row when the request arrived
      if (!column || before?.[column.name] !== value.path) throw new Problem('conflict')
      values[name] = value.path
    }
    if (!(value instanceof Upload)) continue
    if (input?.targetColumn) {
      values[input.targetColumn.name] = value.path
      values[name] = undefined
    } else values[name] = value.path
    claimed.push(value)
    const { name: nameColumn, size, picture } = input?.file ?? {}
    if (size) hidden[size.name] = value.size
    if (picture) hidden[picture.name] = pictureExtension(value.head) !== undefined
    if (nameColumn && values[nameColumn.name] === undefined)
      hidden[nameColumn.name] = toPlainName(value.name).slice(
        0,
        (nameColumn as { length?: number }).length ?? DEFAULT_NAME_LENGTH,
      )
  }
  if (claimed.length) await claimUploads(tx, claimed)
}

/** The sender's name of a file, without folders and invisible characters. */
export const toPlainName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>"]/gu, '').trim() || 'file'

import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { FieldError } from '../request/errors.ts'
import { extensionOf, isPath } from '../services/files.ts'
import type { Services } from '../services/services.ts'
import { receive, Upload, withdraw } from '../services/uploads.ts'
import { type Expression, requestValues } from '../sql/sql.ts'
import { dataUri } from '../values/data-uri.ts'
import { fileErrors, valueErrors } from '../values/value-errors.ts'
import type { Field } from './field.ts'
import { type Arrival, type Input, orNull } from './input.ts'

/** Prefix of the URLs of stored files. */
export const MEDIA = '/media/'

type Options = {
  /** The folder of all files of the field, below the media folder. */
  folder: string
  label?: string
  help?: string
  required?: boolean
  /** Whether null is accepted in bodies; without it, whether the column may be null. */
  nullable?: boolean
  /** File name extensions that are allowed, in lower case; by default any. The first is that of a file without a name. */
  extensions?: readonly string[]
  /** Accepts URLs of files elsewhere too, and returns them unchanged (decision 18). */
  accepts?: 'uris'
  /** The column for the original name of the file; without one the name is only used for the path. */
  name?: PgColumn
  /** Checks an uploaded file, and returns the one to store. Throws FieldError. */
  prepare?: (upload: Upload, arrival: Arrival) => Promise<Upload>
  /** Its type in OPTIONS. */
  type?: 'file upload' | 'image upload'
}

/** The path of a stored file whose URL was in a body. */
export class StoredAddress {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** A file in a body: an upload, the URL of the row's own file, or, as a text, the URL of a file elsewhere. */
export type FileValue = Upload | StoredAddress | string

const URI = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}\p{Cc}]+$/iu

/** Whether a column's text is the URL of a file elsewhere, and not the path of a stored one. */
export const isUri = (text: string): boolean => URI.test(text)

/**
 * A stored file: its column holds the path below the media folder, or, with `keeps`, the URL of a file elsewhere. In a body it is an upload
 * (multipart), a `data:` URI, or the URL of a stored file: the row's own is kept, another one is copied. Responses show a URL, absolute in
 * the specification's wire form. The table needs the triggers of `discard_file` (checked by `stored-files.test.ts`).
 */
export function file(of: PgColumn, options: Options): Field {
  const path = `{${of.name}}`
  const stored = `{@site}::text || ${fileAddress(path)}`
  const kind = fileInput(of, options)
  return {
    label: options.label,
    help: options.help,
    schema: of.notNull ? Type.String() : orNull(Type.String()),
    options: kind.options,
    sql: options.accepts ? `case when ${path} ~* '^[a-z][a-z0-9+.-]*:' then ${path} else ${stored} end` : stored,
    column: of,
    input: kind,
    isPreserved: !options.required,
  }
}

/** The path of a stored file as a URL of this site; null without a file. */
export const fileAddress = (path: Expression): Expression => `case when ${path} <> '' then '${MEDIA}' || uri_path(${path}) end`

/** The URL of a stored file, computed in code. */
export const fileUrl = ({ config }: Pick<Services, 'config'>, path: string): string =>
  `${requestValues(undefined, config).site}${MEDIA}${path.split('/').map(encodeURIComponent).join('/')}`

/** Limits for a column without a limit of its own: the length of a path, as existing clients know it, and of a URL elsewhere, in characters. */
const PATH_LENGTH = 100
const URI_LENGTH = 2_000

/** A file in a body, for this column. */
export function fileInput(of: PgColumn, options: Options): Input<FileValue> {
  const { required = false, extensions = [], accepts: keeps, folder, name, type = 'file upload' } = options
  const { length } = of as { length?: number }
  const { nullable = !of.notNull } = options
  const schema = Type.String({ format: 'uri-reference' })
  return {
    schema: nullable ? orNull(schema) : schema,
    options: { type, max_length: length ?? PATH_LENGTH },
    label: options.label,
    help: options.help,
    required,
    nullable,
    file: { column: of, folder, name, isPicture: type === 'image upload' },
    async arrives(value, arrival) {
      const upload = await arrived(value, of, options, arrival)
      if (!upload) return value
      if (upload.size === 0) throw new FieldError(fileErrors.file_empty)
      if (extensions.length && !extensions.includes(extensionOf(upload.name)))
        throw new FieldError(fileErrors.invalid_file_extension({ extensions }))
      return options.prepare ? options.prepare(upload, arrival) : upload
    },
    read(value, { services }) {
      if (value instanceof Upload) return value
      if (typeof value !== 'string') throw new FieldError(fileErrors.file_expected)
      const path = storedPath(value, services.config.siteUrl)
      if (path !== undefined) return new StoredAddress(path)
      if (keeps !== 'uris' || !isUri(value)) throw new FieldError(fileErrors.file_expected)
      const maxLength = length ?? URI_LENGTH
      if ([...value].length > maxLength) throw new FieldError(valueErrors.max_length({ max_length: maxLength }))
      return value
    },
  }
}

/** The file that a value uploads; undefined if it is the URL of the row's own file, or no file at all. */
async function arrived(value: unknown, of: PgColumn, options: Options, arrival: Arrival): Promise<Upload | undefined> {
  if (value instanceof Upload || typeof value !== 'string') return value instanceof Upload ? value : undefined
  const { services } = arrival
  const { folder, extensions: [extension = 'bin'] = [] } = options
  const data = dataUri(value)
  if (data === null) throw new FieldError(fileErrors.invalid_data_uri)
  if (data)
    return storeFile(arrival, { of, folder, name: data.name ?? `${of.name}.${data.extension ?? extension}` }, data.content)
  const path = storedPath(value, services.config.siteUrl)
  if (path === undefined || path === (await arrival.current(of))) return undefined
  const storedFile = await services.storedFiles.find(path, arrival.caller)
  if (!storedFile || !(await services.files.find(path))) throw new FieldError(fileErrors.unknown_file)
  return storeFile(arrival, { of, folder, name: storedFile.name }, services.files.read(path))
}

/** A file in the body of an action that reads it and then deletes it (`readAway`): an upload (multipart), or a `data:` URI. No row refers to it. */
export function passingFile(options: {
  folder: string
  /** File name extensions that are allowed, in lower case. */
  extensions: readonly string[]
  /** Its maximum size in bytes. */
  maxBytes: number
  required?: boolean
  label?: string
  help?: string
}): Input<Upload> {
  const { folder, extensions, maxBytes, required = false, label, help } = options
  return {
    schema: Type.String({ format: 'uri-reference' }),
    options: { type: 'file upload' },
    label,
    help,
    required,
    nullable: false,
    file: { folder },
    async arrives(value, arrival) {
      const data = typeof value === 'string' ? dataUri(value) : undefined
      if (data === null) throw new FieldError(fileErrors.invalid_data_uri)
      const upload = data
        ? await storeFile(arrival, { folder, name: data.name ?? `file.${data.extension ?? ''}` }, data.content)
        : value
      if (!(upload instanceof Upload)) return value
      if (upload.size === 0) throw new FieldError(fileErrors.file_empty)
      if (upload.size > maxBytes) throw new FieldError(fileErrors.max_file_bytes({ max_bytes: maxBytes }))
      if (!extensions.includes(extensionOf(upload.name))) throw new FieldError(fileErrors.invalid_file_extension({ extensions }))
      return upload
    },
    read(value) {
      if (value instanceof Upload) return value
      throw new FieldError(fileErrors.file_expected)
    },
  }
}

/** Reads the content of a temporary file and deletes it. */
export async function readAndDelete(services: Services, upload: Upload): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of services.files.read(upload.path)) pieces.push(piece as Buffer)
  await withdraw(services, [upload])
  return Buffer.concat(pieces)
}

/** Stores a file for a column, as part of a request. */
export async function storeFile(
  { services, uploads }: Pick<Arrival, 'services' | 'uploads'>,
  { of, folder, name }: { of?: PgColumn; folder: string; name: string },
  content: Parameters<typeof receive>[2] | Uint8Array,
): Promise<Upload> {
  const { length } = (of ?? {}) as { length?: number }
  const upload = await receive(services, { folder, name, length }, content instanceof Uint8Array ? [content] : content)
  uploads.push(upload)
  return upload
}

/** Replaces the content of an upload, under a name with this extension. */
export async function replace(
  upload: Upload,
  arrival: Arrival,
  { of, folder, extension }: { of: PgColumn; folder: string; extension: string },
  content: Uint8Array,
): Promise<Upload> {
  const name = upload.name.replace(/(\.[^./\\]{0,16})?$/, `.${extension}`)
  const replaced = await storeFile(arrival, { of, folder, name }, content)
  arrival.uploads.splice(arrival.uploads.indexOf(upload), 1)
  await withdraw(arrival.services, [upload])
  return replaced
}

/** The path of the stored file that a URL of this site refers to. */
function storedPath(address: string, site: string): string | undefined {
  const local = address.startsWith(`${site}${MEDIA}`) ? address.slice(site.length) : address
  if (!local.startsWith(MEDIA)) return undefined
  try {
    const path = decodeURIComponent(local.slice(MEDIA.length))
    return isPath(path) ? path : undefined
  } catch {
    return undefined
  }
}

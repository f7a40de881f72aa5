import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import { FieldError } from '../request/errors.ts'
import { getExtension, isPath } from '../services/files.ts'
import type { Services } from '../services/services.ts'
import { deleteUploads, storeUpload, Upload } from '../services/uploads.ts'
import { type Expression, requestValues } from '../sql/sql.ts'
import { decodeUriComponent, parseDataUri } from '../values/data-uri.ts'
import { fileErrors, valueErrors } from '../values/value-errors.ts'
import type { Field } from './field.ts'
import { type Input, orNull, type UploadContext } from './input.ts'

/** Prefix of the URLs of stored files. */
export const MEDIA_URL_PREFIX = '/media/'

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
  /** Accepts URLs of files elsewhere too, and returns them unchanged (docs/decisions.md#files-of-templates). */
  accepts?: 'uris'
  /** The column for the original name of the file; without one the name is only used for the path. */
  name?: PgColumn
  /** The columns for its size in bytes, and for whether it is a picture, which then has smaller versions. */
  size?: PgColumn
  picture?: PgColumn
  /** Checks an uploaded file, and returns the one to store. Throws FieldError. */
  prepare?: (upload: Upload, context: UploadContext) => Promise<Upload>
  /** Its type in OPTIONS. */
  type?: 'file upload' | 'image upload'
}

/** The path of a stored file whose URL was in a body. */
export class StoredFileReference {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** A file in a body: an upload, the URL of the row's own file, or, as a string, the URL of a file elsewhere. */
export type FileValue = Upload | StoredFileReference | string

const URI = /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}\p{Cc}]+$/iu

/** Whether a column's value is the URL of a file elsewhere, and not the path of a stored one. */
export const isUri = (text: string): boolean => URI.test(text)

/**
 * A stored file: its column holds the path below the media folder, or, with `accepts`, the URL of a file elsewhere. In a body it is an upload
 * (multipart), a `data:` URI, or the URL of a stored file: the row's own is kept, another one is copied. Responses show a URL, absolute in
 * the specification's wire form. The table needs the triggers of `discard_file` (checked by `stored-files.test.ts`).
 */
export function file(column: PgColumn, options: Options): Field {
  const path = `{${column.name}}`
  const storedUrl = `{@site}::text || ${buildFileUrlSql(path)}`
  const kind = createFileInput(column, options)
  return {
    label: options.label,
    help: options.help,
    schema: column.notNull ? Type.String() : orNull(Type.String()),
    options: kind.options,
    sql: options.accepts ? `case when ${path} ~* '^[a-z][a-z0-9+.-]*:' then ${path} else ${storedUrl} end` : storedUrl,
    column,
    input: kind,
    isKeptOnPut: !options.required,
  }
}

/** The path of a stored file as a URL of this site; null without a file. */
export const buildFileUrlSql = (path: Expression): Expression =>
  `case when ${path} <> '' then '${MEDIA_URL_PREFIX}' || uri_path(${path}) end`

/** The URL of a stored file, computed in code. */
export const buildFileUrl = ({ config }: Pick<Services, 'config'>, path: string): string =>
  `${requestValues(undefined, config).site}${MEDIA_URL_PREFIX}${path.split('/').map(encodeURIComponent).join('/')}`

/** Limits for a column without a limit of its own: the length of a path, as existing clients know it, and of a URL elsewhere, in characters. */
const MAX_PATH_LENGTH = 100
const MAX_URI_LENGTH = 2_000

/** A file in a body, for this column. */
export function createFileInput(column: PgColumn, options: Options): Input<FileValue> {
  const { required = false, extensions = [], accepts, folder, name, size, picture, type = 'file upload' } = options
  const { length } = column as { length?: number }
  const { nullable = !column.notNull } = options
  const schema = Type.String({ format: 'uri-reference' })
  return {
    schema: nullable ? orNull(schema) : schema,
    options: { type, max_length: length ?? MAX_PATH_LENGTH },
    label: options.label,
    help: options.help,
    required,
    nullable,
    file: { column, folder, name, size, picture, isPicture: type === 'image upload' },
    async prepareUpload(value, context) {
      const upload = await storeUploadedFile(value, column, options, context)
      if (!upload) return value
      if (upload.size === 0) throw new FieldError(fileErrors.file_empty)
      if (extensions.length && !extensions.includes(getExtension(upload.name)))
        throw new FieldError(fileErrors.invalid_file_extension({ extensions }))
      return options.prepare ? options.prepare(upload, context) : upload
    },
    read(value, { services }) {
      if (value instanceof Upload) return value
      if (typeof value !== 'string') throw new FieldError(fileErrors.file_expected)
      const path = parseStoredPath(value, services.config.siteUrl)
      if (path !== undefined) return new StoredFileReference(path)
      if (accepts !== 'uris' || !isUri(value)) throw new FieldError(fileErrors.file_expected)
      const maxLength = length ?? MAX_URI_LENGTH
      if ([...value].length > maxLength) throw new FieldError(valueErrors.max_length({ max_length: maxLength }))
      return value
    },
  }
}

/** The file that a value uploads; undefined if it is the URL of the row's own file, or no file at all. */
async function storeUploadedFile(
  value: unknown,
  column: PgColumn,
  options: Options,
  context: UploadContext,
): Promise<Upload | undefined> {
  if (value instanceof Upload || typeof value !== 'string') return value instanceof Upload ? value : undefined
  const { services } = context
  const { folder, extensions: [extension = 'bin'] = [] } = options
  const data = parseDataUri(value)
  if (data === null) throw new FieldError(fileErrors.invalid_data_uri)
  if (data)
    return storeFile(
      context,
      { column, folder, name: data.name ?? `${column.name}.${data.extension ?? extension}` },
      data.content,
    )
  const path = parseStoredPath(value, services.config.siteUrl)
  if (path === undefined || path === (await context.current(column))) return undefined
  const storedFile = await services.storedFiles.find(path, context.caller)
  if (!storedFile || !(await services.files.find(path))) throw new FieldError(fileErrors.unknown_file)
  return storeFile(context, { column, folder, name: storedFile.name }, services.files.read(path))
}

/** A file in the body of an action that reads it and then deletes it (`readAndDelete`): an upload (multipart), or a `data:` URI. No row refers to it. */
export function createTemporaryFileInput(options: {
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
    async prepareUpload(value, context) {
      const data = typeof value === 'string' ? parseDataUri(value) : undefined
      if (data === null) throw new FieldError(fileErrors.invalid_data_uri)
      const upload = data
        ? await storeFile(context, { folder, name: data.name ?? `file.${data.extension ?? ''}` }, data.content)
        : value
      if (!(upload instanceof Upload)) return value
      if (upload.size === 0) throw new FieldError(fileErrors.file_empty)
      if (upload.size > maxBytes) throw new FieldError(fileErrors.max_file_bytes({ max_bytes: maxBytes }))
      if (!extensions.includes(getExtension(upload.name))) throw new FieldError(fileErrors.invalid_file_extension({ extensions }))
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
  const chunks: Buffer[] = []
  for await (const chunk of services.files.read(upload.path)) chunks.push(chunk as Buffer)
  await deleteUploads(services, [upload])
  return Buffer.concat(chunks)
}

/** Stores a file for a column, as part of a request. */
export async function storeFile(
  { services, uploads }: Pick<UploadContext, 'services' | 'uploads'>,
  { column, folder, name }: { column?: PgColumn; folder: string; name: string },
  content: Parameters<typeof storeUpload>[2] | Uint8Array,
): Promise<Upload> {
  const { length } = (column ?? {}) as { length?: number }
  const upload = await storeUpload(services, { folder, name, length }, content instanceof Uint8Array ? [content] : content)
  uploads.push(upload)
  return upload
}

/** Replaces the content of an upload, under a name with this extension. */
export async function replaceUpload(
  upload: Upload,
  context: UploadContext,
  { column, folder, extension }: { column: PgColumn; folder: string; extension: string },
  content: Uint8Array,
): Promise<Upload> {
  const name = upload.name.replace(/(\.[^./\\]{0,16})?$/, `.${extension}`)
  const replacement = await storeFile(context, { column, folder, name }, content)
  context.uploads.splice(context.uploads.indexOf(upload), 1)
  await deleteUploads(context.services, [upload])
  return replacement
}

/** The path of the stored file that a URL of this site refers to. */
function parseStoredPath(url: string, site: string): string | undefined {
  const localUrl = url.startsWith(`${site}${MEDIA_URL_PREFIX}`) ? url.slice(site.length) : url
  if (!localUrl.startsWith(MEDIA_URL_PREFIX)) return undefined
  const path = decodeUriComponent(localUrl.slice(MEDIA_URL_PREFIX.length))
  return path !== undefined && isPath(path) ? path : undefined
}

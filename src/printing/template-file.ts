import { isUtf8 } from 'node:buffer'
import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../kit/definition/field.ts'
import { file, isUri } from '../kit/definition/file.ts'
import type { Arrival } from '../kit/definition/input.ts'
import type { Write } from '../kit/definition/resource.ts'
import { FieldError } from '../kit/request/errors.ts'
import type { Upload } from '../kit/services/uploads.ts'
import type { Library } from './rendering.ts'
import type { TemplateProblem } from './template/compile.ts'

type Options = Pick<Parameters<typeof file>[1], 'folder' | 'extensions' | 'help' | 'name'>

/**
 * The file of a template. One with a syntax error is refused, but kept from existing clients, which only hear of it when it is printed
 * (the table WIRE_FORM); what else is wrong with it becomes its `problems`.
 */
export const templateFile = (of: PgColumn, options: Options): f.Field =>
  file(of, { ...options, required: true, keeps: 'uris', prepare: checkSyntax })

/** Why a template, or a piece of one, cannot be printed. */
export const problemsField = (of: PgColumn): f.Field =>
  f.readonly(of, {
    help: 'Why it cannot be printed: what it asks for that this service does not have, each with its line. Empty when all is well.',
  })

async function checkSyntax(upload: Upload, { services }: Arrival): Promise<Upload> {
  const bytes = await services.files.bytes(upload.path)
  if (!isUtf8(bytes)) throw new FieldError('A template is a text in UTF-8.')
  if (services.config.wireForm === 'inventree') return upload
  const { compileTemplate } = await compiling()
  const { error } = compileTemplate(bytes.toString())
  if (error) throw new FieldError(written(error))
  return upload
}

/** What compiles templates; it is loaded when there is one. */
const compiling = () => import('./template/compile.ts')

const written = ({ message, line, column }: TemplateProblem): string => `${message} (line ${line}, column ${column})`

/** What is wrong with the text of a template, in words for people; also what it extends or includes and is not there now. */
export async function problemsOf(source: string, library: Pick<Library, 'snippet'>): Promise<string[]> {
  const { byPlace, compileTemplate } = await compiling()
  const { findTemplate, noTemplate } = await import('./template/files.ts')
  const { error, language, problems, files } = compileTemplate(source)
  if (error) return [written(error)]
  const missing: TemplateProblem[] = []
  for (const { path, ...place } of files)
    if ((await findTemplate(library, path, language)) === undefined) missing.push({ message: noTemplate(path), ...place })
  return [...problems, ...missing].toSorted(byPlace).map(written)
}

/** Notes what is wrong with the file that is being written. Of a file elsewhere that is not known before it is printed. */
export async function noteProblems(name: string, write: Write): Promise<void> {
  const { values, before, hidden, files } = write
  const path = values[name]
  if (typeof path !== 'string' || path === before?.[name]) return
  const { libraryOf } = await import('./library.ts')
  hidden.problems = isUri(path) ? [] : await problemsOf((await files.bytes(path)).toString(), libraryOf(write))
}

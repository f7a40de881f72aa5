import { isUtf8 } from 'node:buffer'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import * as f from '../../kit/definition/field.ts'
import { file, isUri } from '../../kit/definition/file.ts'
import type { UploadContext } from '../../kit/definition/input.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Upload } from '../../kit/services/uploads.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { TemplateError } from '../../printing/rendering.ts'
import type { TemplateCheck } from '../../printing/worker/messages.ts'
import type { DataRequestHandler } from '../../printing/worker/process.ts'
import { buildTemplateSchema } from './template-schema.ts'

type Options = Pick<Parameters<typeof file>[1], 'folder' | 'extensions' | 'help' | 'name'>

/**
 * The file of a template. A syntax error is rejected, except for existing clients, which get it only when they print
 * (docs/configuration.md#wire-form); other errors become its `problems`.
 */
export const templateFile = (column: PgColumn, options: Options): f.Field =>
  file(column, { ...options, required: true, accepts: 'uris', prepare: checkSyntax })

/** Reasons why a template, or a snippet, cannot be printed. */
export const problemsField = (column: PgColumn): f.Field =>
  f.readonly(column, {
    help: 'Why it cannot be printed: the names that it uses and this service does not have, each with its line. Empty if there are no errors.',
  })

async function checkSyntax(upload: Upload, { services, caller }: UploadContext): Promise<Upload> {
  const bytes = await services.files.bytes(upload.path)
  if (!isUtf8(bytes)) throw new FieldError(printErrors.template_not_utf8)
  const check = await checkTemplate(bytes.toString(), services, caller?.pk)
  if (check.error !== undefined && !services.config.wire.storesBrokenTemplates)
    throw new FieldError(printErrors.template_error({ error: check.error }))
  checkResults.set(upload.path, check)
  return upload
}

/**
 * Check results of files that were just uploaded, by path: they are checked before their transaction begins, since checking inside it would
 * keep a connection busy.
 */
const checkResults = new LRUCache<string, TemplateCheck>({ max: 100, ttl: 60_000 })

/** Time limit for checking a template, in milliseconds. */
const CHECK_TIMEOUT_MS = 10_000

type CheckServices = Pick<Services, 'database' | 'files' | 'log'>

/** @throws Problem 503 when too many others are being checked */
export async function checkTemplate(source: string, services: CheckServices, account?: number): Promise<TemplateCheck> {
  const [{ runJob }, { createLibrary }] = await Promise.all([
    import('../../printing/worker/pool.ts'),
    import('../../printing/library.ts'),
  ])
  const library = createLibrary(services, account)
  const respond: DataRequestHandler = async (request) => ({
    type: 'response',
    text: request.what === 'snippet' ? await library.snippet(request.name) : undefined,
  })
  const jobRequest = {
    job: { type: 'check', source } as const,
    milliseconds: CHECK_TIMEOUT_MS,
    log: services.log,
    answer: respond,
  }
  try {
    return (await runJob(account, buildTemplateSchema, () => jobRequest)).result
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { error: error.message, problems: [] }
  }
}

/** Checks the text of a template and returns human-readable errors, including missing files that it extends or includes. */
export async function findProblems(source: string, services: CheckServices, account?: number): Promise<string[]> {
  return listProblems(await checkTemplate(source, services, account))
}

const listProblems = ({ error, problems }: TemplateCheck): string[] => (error === undefined ? problems : [error])

/** Stores the errors of the file that is being written. Those of a file on another host are not known before it is printed. */
export async function storeProblems(name: string, write: Write): Promise<void> {
  const { values, before, hidden, files, caller } = write
  const path = values[name]
  if (typeof path !== 'string' || path === before?.[name]) return
  const cachedCheck = checkResults.get(path)
  checkResults.delete(path)
  hidden.problems = isUri(path)
    ? []
    : cachedCheck
      ? listProblems(cachedCheck)
      : await findProblems((await files.bytes(path)).toString(), write, caller.pk)
}

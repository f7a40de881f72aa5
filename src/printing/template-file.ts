import { isUtf8 } from 'node:buffer'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import * as f from '../kit/definition/field.ts'
import { file, isUri } from '../kit/definition/file.ts'
import type { Arrival } from '../kit/definition/input.ts'
import type { Write } from '../kit/definition/resource.ts'
import { FieldError } from '../kit/request/errors.ts'
import type { Services } from '../kit/services/services.ts'
import type { Upload } from '../kit/services/uploads.ts'
import { printErrors } from './print-errors.ts'
import { TemplateError } from './rendering.ts'
import type { TemplateCheck } from './worker/messages.ts'
import type { Answering } from './worker/process.ts'

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
    help: 'Why it cannot be printed: the names that it uses and this service does not have, each with its line. Empty if there are no errors.',
  })

async function checkSyntax(upload: Upload, { services, caller }: Arrival): Promise<Upload> {
  const bytes = await services.files.bytes(upload.path)
  if (!isUtf8(bytes)) throw new FieldError(printErrors.template_not_utf8)
  const check = await checked(bytes.toString(), services, caller?.pk)
  if (check.error !== undefined && services.config.wireForm !== 'inventree')
    throw new FieldError(printErrors.template_error({ error: check.error }))
  checks.set(upload.path, check)
  return upload
}

/**
 * What came of the checks of files that just came in, by path: they are checked before their transaction begins, which would keep a
 * connection waiting.
 */
const checks = new LRUCache<string, TemplateCheck>({ max: 100, ttl: 60_000 })

/** How long a template may take to be checked, in milliseconds. */
const CHECK_TIME = 10_000

type Checking = Pick<Services, 'database' | 'files' | 'log'>

/** @throws Problem 503 when too many others are checked */
async function checked(source: string, services: Checking, account?: number): Promise<TemplateCheck> {
  const [{ runJob }, { libraryOf }] = await Promise.all([import('./worker/pool.ts'), import('./library.ts')])
  const library = libraryOf(services, account)
  const answer: Answering = async (question) => ({
    type: 'answer',
    text: question.what === 'snippet' ? await library.snippet(question.name) : undefined,
  })
  const order = { job: { type: 'check', source } as const, milliseconds: CHECK_TIME, log: services.log, answer }
  try {
    return (await runJob(account, () => order)).result
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { error: error.message, problems: [] }
  }
}

/** What is wrong with the text of a template, in words for people; also what it extends or includes and is not there now. */
export async function problemsOf(source: string, services: Checking, account?: number): Promise<string[]> {
  return told(await checked(source, services, account))
}

const told = ({ error, problems }: TemplateCheck): string[] => (error === undefined ? problems : [error])

/** Notes what is wrong with the file that is being written. Of a file elsewhere that is not known before it is printed. */
export async function noteProblems(name: string, write: Write): Promise<void> {
  const { values, before, hidden, files, caller } = write
  const path = values[name]
  if (typeof path !== 'string' || path === before?.[name]) return
  const known = checks.get(path)
  checks.delete(path)
  hidden.problems = isUri(path)
    ? []
    : known
      ? told(known)
      : await problemsOf((await files.bytes(path)).toString(), write, caller.pk)
}

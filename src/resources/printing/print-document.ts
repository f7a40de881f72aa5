import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { invalid, invalidObject, type Problem } from '../../kit/request/problem.ts'
import type { RenderedItem } from '../../kit/services/printer.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { isLabel } from '../../printing/kinds.ts'
import type { PageSize } from '../../printing/page-sizes.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { type RenderedPrint, TemplateError, type TemplateMetadata, type Warning } from '../../printing/rendering.ts'
import { readSource, SourceError } from '../../printing/source.ts'
import { setting } from '../../settings/live.ts'
import { collectPluginVariables } from './plugin-variables.ts'
import type { PrintRequest, TemplateRow } from './print-request.ts'
import { buildTemplateSchema } from './template-schema.ts'

type RenderOptions = {
  /** Copies of each object, printed one after the other. */
  copies?: number
  /** Whether an object that cannot be rendered is marked while others can. */
  marksFaults?: boolean
  /** Ends it, with its reason as the error. */
  signal?: AbortSignal
}

/**
 * Renders a text as a template for all requested objects.
 * @throws TemplateError; Problem when a plugin fails, or when the signal is aborted
 */
export async function renderText(
  request: Request<Shape>,
  printRequest: PrintRequest,
  source: string,
  { copies = 1, marksFaults, signal }: RenderOptions = {},
): Promise<RenderedPrint> {
  const { kind, template, items } = printRequest
  const { caller, database, config } = request
  // loaded on the first print
  const [{ renderItems }, { createLibrary }] = await Promise.all([import('./render.ts'), import('../../printing/library.ts')])
  return await renderItems({
    kind,
    source,
    template: toMetadata(template),
    items: items === 'sample' ? items : items.flatMap((pk) => Array.from({ length: copies }, () => pk)),
    reader: { caller, services: request, executor: database },
    baseUrl: config.siteUrl,
    library: createLibrary(request, caller?.pk),
    extra: await collectPluginVariables(request, printRequest),
    marksFaults,
    signal,
  })
}

/**
 * Renders a template for all requested objects.
 * @throws Problem 400 with the reason when the template cannot be printed
 */
export async function render(
  request: Request<Shape>,
  printRequest: PrintRequest,
  options: RenderOptions = {},
): Promise<RenderedPrint> {
  const { kind, template } = printRequest
  try {
    return await renderText(request, printRequest, await readSource(request, template[printRequest.file] as string), options)
  } catch (error) {
    if (error instanceof SourceError) throw noSourceProblem(request, printRequest, error.reason)
    if (error instanceof TemplateError && !isLabel(kind) && setting(request, 'REPORT_LOG_ERRORS'))
      request.log.warn({ kind, template: template.pk, reason: error.message }, 'could not print a report')
    if (error instanceof TemplateError)
      throw invalidObject(
        printErrors.template_failed({ template: template.name }),
        printErrors.template_error({ error: error.message }),
      )
    throw error
  }
}

const toMetadata = ({
  name,
  description,
  revision,
  width,
  height,
  page_size,
  landscape,
  include_installed,
  merge,
  attach_to_model,
  filename_pattern,
}: TemplateRow): TemplateMetadata => ({
  name,
  description,
  revision,
  width: width === undefined ? undefined : Number(width),
  height: height === undefined ? undefined : Number(height),
  page_size: page_size as PageSize | undefined,
  landscape,
  include_installed,
  merge,
  attach_to_model,
  filename_pattern,
})

/** Existing clients receive this error of a report as plain text. */
function noSourceProblem({ config }: Request<Shape>, { kind, file }: PrintRequest, text: ErrorMessage): Problem {
  return config.wire.missingFileError && !isLabel(kind) ? invalid({ error: text }) : invalid({ [file]: [text] })
}

/**
 * Prints the whole document as a PDF.
 * @param onProgress receives the approximate number of items done so far
 * @throws Problem 503 when printing is not available
 */
export async function toPdf(
  request: Request<Shape>,
  rendered: RenderedPrint,
  onProgress: (items: number) => Promise<void> = async () => {},
): Promise<Buffer> {
  const { page, count } = rendered
  const html = rendered.documents()
  const reportDocuments = (documents: number) => onProgress(Math.floor((count * documents) / html.length))
  return request.printer.pdf({ ...(await createPrintOptions(request, rendered, count)), html, page, onProgress: reportDocuments })
}

/** Prints the document of one item as a PDF. */
export const toPdfOfItem = async (request: Request<Shape>, rendered: RenderedPrint, index: number): Promise<Buffer> =>
  request.printer.pdf({
    ...(await createPrintOptions(request, rendered, 1)),
    html: [rendered.document(index)],
    page: rendered.page,
    onProgress: async () => {},
  })

/** Creates the options that all printed documents of a request share. */
async function createPrintOptions({ caller }: Request<Shape>, rendered: RenderedPrint, items: number) {
  // loaded on the first print
  const { FONT_FAMILIES, splitByFamily } = await import('../../printing/fonts.ts')
  return {
    account: caller?.pk,
    share: rendered.share(items),
    signal: rendered.signal,
    async resource(url: string) {
      const content = await rendered.resource(url)
      return content && { body: content.bytes, type: content.type }
    },
    typefaces: { names: FONT_FAMILIES, split: splitByFamily },
    missing(characters: readonly string[]) {
      missingCharacters.set(rendered, new Set([...(missingCharacters.get(rendered) ?? []), ...characters]))
    },
  }
}

/** Joins all documents, as HTML. */
export const toHtml = (rendered: RenderedPrint): Buffer => Buffer.from(rendered.documents().join('\n'))

/** Prints a label as a picture. */
export async function toPng(request: Request<Shape>, rendered: RenderedPrint, dpi: number, index = 0): Promise<Buffer> {
  const options = await createPrintOptions(request, rendered, 1)
  return request.printer.png({ ...options, html: rendered.document(index), size: rendered.page, dpi })
}

/** Prints a label as a picture, and returns its fields, in dots, if a printer can draw all of them itself. */
export async function renderFields(request: Request<Shape>, rendered: RenderedPrint, dpi: number, index: number) {
  const { png, shown: elements } = await request.printer.read({
    ...(await createPrintOptions(request, rendered, 1)),
    html: rendered.document(index),
    size: rendered.page,
    dpi,
  })
  return { png, fields: elements && (await readFields(request, elements, dpi)) }
}

/** Milliseconds for reading the fields of one label. */
const FIELDS_TIMEOUT_MS = 10_000

/** Reads the fields of a label; undefined if it shows more than a printer can draw, or if reading takes too long. */
async function readFields({ caller, log }: Request<Shape>, elements: readonly RenderedItem[], dpi: number) {
  const { runJob } = await import('../../printing/worker/pool.ts')
  const job = { type: 'fields', shown: elements, dpi } as const
  const rejectRequest = () => Promise.reject(new Error('A label cannot request data.'))
  try {
    return (
      (
        await runJob(caller?.pk, buildTemplateSchema, () => ({
          job,
          milliseconds: FIELDS_TIMEOUT_MS,
          log,
          answer: rejectRequest,
        }))
      ).result ?? undefined
    )
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}

/** Characters missing in each print so far. */
const missingCharacters = new WeakMap<RenderedPrint, ReadonlySet<string>>()
/** Maximum number of characters that a warning names. */
const MAX_NAMED_CHARACTERS = 100

/** Warnings about a printed document: characters that no typeface has. */
export function getWarnings(rendered: RenderedPrint): Warning[] {
  const characters = [...(missingCharacters.get(rendered) ?? [])].slice(0, MAX_NAMED_CHARACTERS)
  if (characters.length === 0) return []
  const { code, parameters, message } = printErrors.characters_missing({
    characters: characters.map((character) => `${character} (${toCodePoint(character)})`),
  })
  return [{ code, parameters, message }]
}

const toCodePoint = (character: string): string =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

/** The same warnings as a header of the response. A header holds only ASCII, so characters are named by their numbers. */
export const warningHeaders = (warnings: readonly Warning[]): Record<string, string> =>
  warnings.length > 0
    ? { warning: warnings.map(({ message }) => `299 - "${message.replaceAll(/[^\x20-\x7e]+ \((U\+\w+)\)/gu, '$1')}"`).join(', ') }
    : {}

/** Returns the name of a printed file: the one that the template states, with the extension of its type. */
export function buildFileName(
  { filename }: Pick<RenderedPrint, 'filename'>,
  fallback: string,
  extension: 'pdf' | 'html' | 'png',
): string {
  const stem = (filename || fallback).replace(/\.(pdf|html?|png)$/i, '')
  return `${stem.slice(0, 200)}.${extension}`
}

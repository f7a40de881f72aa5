import { Type } from 'typebox'
import { type Endpoint, procedure, Reply, type Request } from '../../kit/definition/action.ts'
import { buildFileUrl } from '../../kit/definition/file.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { pluralize, toNoun } from '../../kit/http/nouns.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { invalid, invalidObject, Problem } from '../../kit/request/problem.ts'
import type { ActivePlugin } from '../../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import { isObject } from '../../kit/values/json.ts'
import { callForRequest, toPlainJson } from '../../plugin-host/call-for.ts'
import { readPluginSetting, toSettings } from '../../plugin-host/plugin-settings.ts'
import { PluginFailure } from '../../plugin-host/running.ts'
import type { LabelKind, TemplateKind } from '../../printing/kinds.ts'
import { impose } from '../../printing/label-sheet/impose.ts'
import { computeLabelSheet, type LabelSheet, type SheetOptions, sheetFields } from '../../printing/label-sheet/label-sheet.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { RenderedPrint } from '../../printing/rendering.ts'
import type { UserKey } from '../../settings/registry.ts'
import { userStore } from '../../settings/store.ts'
import { getRegistry } from '../plugins/plugin-registry.ts'
import { ASYNC_RESPONSE, printByJob, printJobSchema, printWarnings, requiresPrintJob } from '../print-job/print-job.ts'
import { noSteps, type PrintOutcome, PrintOutcomeUnknown, type PrintSteps } from '../print-job/steps.ts'
import { itemParameters } from '../printing/item-keys.ts'
import { readItemObjects, readTemplateObject } from '../printing/plugin-variables.ts'
import { buildFileName, getWarnings, render, toHtml, toPdf } from '../printing/print-document.ts'
import { MAX_ITEMS, type PrintRequest, readPrintRequest, type TemplateClass } from '../printing/print-request.ts'
import { storePrintedFile } from '../printing/printed-files.ts'
import { getSubject } from '../printing/subjects.ts'
import { PDF_PLUGIN } from './pdf-plugin.ts'
import { machineFields, printOnMachine, readMachine, type SelectedMachine } from './print-on-machine.ts'

/** The plugin that makes a PDF of sheets with many labels each. The service implements it itself. */
const SHEET_PLUGIN = 'inventreelabelsheet'
/** The plugin that prints on machines; the service implements it itself. */
const MACHINE_PLUGIN = 'inventreelabelmachine'
/** Milliseconds that a plugin may take to print. */
const PLUGIN_TIMEOUT_MS = 60_000
/** Maximum labels per object. */
const MAX_COPIES = 100

/** The account setting that stores the last used template. */
const LAST_TEMPLATE_KEYS: Partial<Record<TemplateKind, UserKey>> = {
  'label/part': 'DEFAULT_PART_LABEL_TEMPLATE',
  'label/stock': 'DEFAULT_ITEM_LABEL_TEMPLATE',
  'label/location': 'DEFAULT_LOCATION_LABEL_TEMPLATE',
  'label/buildline': 'DEFAULT_LINE_LABEL_TEMPLATE',
}

export const copies = input.optional(
  input.integer({
    min: 1,
    max: MAX_COPIES,
    label: 'Copies',
    help: 'The number of labels for each object; by default one.',
  }),
)
const body = { copies }
/** A request that prints labels. */
export type LabelRequest = Request<typeof body>

const PrintResponse = Type.Object({
  success: Type.Boolean(),
  message: Type.String({ description: 'The number of printed labels.' }),
  file: Type.Optional(Type.String({ description: 'The URL of the PDF, if one was created: one label per page.' })),
  warnings: Type.Optional(printWarnings),
})

/** Defines GET and POST of `/api/label/<kind>/{id}/print/`. */
export function printLabels(kind: LabelKind, templates: Resource): Endpoint[] {
  const subject = getSubject(kind)
  const contract = {
    path: `${templates.path}{id}/print/`,
    summary: `Print ${pluralize(toNoun(templates.name))}`,
    description: [
      `Prints a label for each named ${subject.object}, in the given order; without any, one with sample data.`,
      'Name them in the query only: a body that names them is rejected.',
      'The file is stored for some days (PRINTED_FILE_DAYS), for the caller and for staff. The header `plugin` names the plugin that printed,',
      "and the template becomes the account's default for these labels.",
      `\`plugin=${SHEET_PLUGIN}\` arranges them on sheets. The query or the body sets paper, columns, rows, margins and gaps (in millimeters);`,
      'a label that cannot be rendered becomes a red field, as long as others can be.',
      `\`plugin=${MACHINE_PLUGIN}\` prints on a machine, \`machine\`; \`driver_options.copies\` of the body sets the number of copies.`,
      ASYNC_RESPONSE,
      'Requires permission to view the printed objects.',
    ].join(' '),
    errors: {
      invalid:
        'An object does not exist, the template is disabled, does not apply to it or cannot be rendered, or the plugin does not print labels.',
      not_found: 'The template or the plugin does not exist.',
      unavailable: 'The machine cannot print, its queue is full, or the plugin failed.',
    },
    access: subject.access,
    right: 'view' as const,
    status: 200,
    query: {
      ...itemParameters(subject, `The key of a ${subject.object} to print. Several are separated by commas, or repeated.`),
      plugin: `The key of the plugin that prints; by default \`${PDF_PLUGIN}\`, which creates a PDF. \`${SHEET_PLUGIN}\` creates a PDF of sheets with several labels each.`,
      copies: `The number of labels for each object: from 1 to ${MAX_COPIES}.`,
      ...Object.fromEntries(Object.entries({ ...machineFields, ...sheetFields }).map(([name, { help = '' }]) => [name, help])),
    },
    response: PrintResponse,
    asyncResponse: printJobSchema,
    example: templates.example && { params: { id: templates.example.pk } },
  }
  const handle = (request: LabelRequest) => print(request, kind, templates)
  return [
    procedure({ ...contract, method: 'GET', unsafe: true, handle: handle as never }),
    procedure({
      ...contract,
      method: 'POST',
      body,
      example: contract.example && { ...contract.example, body: { copies: 2 } },
      handle,
    }),
  ]
}

/** The labels that a request prints, and the plugin or machine for them. */
type Plan = {
  printRequest: PrintRequest
  plugin: ReturnType<typeof findPlugin>
  copiesPerObject: number
  count: number
  machine?: SelectedMachine
}

/** @throws Problem if printing is forbidden or impossible */
export async function planLabelPrint(request: LabelRequest, templateClass: TemplateClass): Promise<Plan> {
  const printRequest = await readPrintRequest(request, templateClass)
  const plugin = findPlugin(request)
  const machine = plugin === MACHINE_PLUGIN ? await readMachine(request, readCopies(request), MAX_COPIES) : undefined
  const copiesPerObject = machine?.copies ?? readCopies(request)
  const count = printRequest.items === 'sample' ? 1 : printRequest.items.length * copiesPerObject
  if (count > MAX_ITEMS) throw invalid({ copies: [printErrors.max_labels({ max_labels: MAX_ITEMS })] })
  if (request.disk.isLow) throw new Problem('insufficient_storage')
  return { printRequest, plugin, copiesPerObject, count, machine }
}

/** Prints the requested labels, and reports progress. @throws Problem */
export async function runLabelPrint(
  request: LabelRequest,
  templateClass: TemplateClass,
  steps: PrintSteps,
): Promise<PrintOutcome> {
  const printPlan = await planLabelPrint(request, templateClass)
  const { plugin, machine, printRequest } = printPlan
  if (machine) return printOnSelectedMachine(request, printRequest, machine, steps)
  return typeof plugin === 'string'
    ? printToFile(request, printPlan, steps)
    : printByPlugin(request, printRequest, plugin, printPlan.copiesPerObject, steps)
}

const getPluginKey = ({ query }: LabelRequest): string => query.plugin || PDF_PLUGIN

async function print(request: LabelRequest, kind: LabelKind, templates: Resource): Promise<unknown> {
  const toResponse = ({ message, file, warnings }: { [Name in keyof PrintOutcome]: PrintOutcome[Name] | null }) => {
    const body = {
      success: true,
      message,
      ...(file && { file: buildFileUrl(request, file) }),
      ...(warnings?.length && { warnings }),
    }
    return new Reply(200, body, { plugin: getPluginKey(request) })
  }
  const templateClass: TemplateClass = { kind, templates, file: 'label' }
  if (!requiresPrintJob(request)) return toResponse(await runLabelPrint(request, templateClass, noSteps))
  return printByJob(request, kind, () => planLabelPrint(request, templateClass), toResponse)
}

/** Returns the requested plugin; only its key if the service implements it. */
function findPlugin(request: LabelRequest): ActivePlugin | typeof PDF_PLUGIN | typeof SHEET_PLUGIN | typeof MACHINE_PLUGIN {
  const key = request.query.plugin || PDF_PLUGIN
  const registry = getRegistry(request)
  if (!registry.keys.includes(key))
    throw new Problem('not_found', printErrors.label_plugin_unknown({ plugin: key.slice(0, 100) }))
  if (!registry.isRunning(key)) throw invalidObject(printErrors.label_plugin_inactive({ plugin: key }))
  if (key === PDF_PLUGIN || key === SHEET_PLUGIN || key === MACHINE_PLUGIN) return key
  const plugin = registry.withHook('labels.print').find((one) => one.key === key)
  if (!plugin) throw invalidObject(printErrors.label_plugin_cannot_print({ plugin: key }))
  return plugin
}

/** Reads the number of copies of each label from the body, otherwise from the query. */
function readCopies(request: LabelRequest): number {
  if (request.body.copies !== undefined) return request.body.copies
  const value = request.query.copies
  if (!value) return 1
  try {
    return copies.read(value, { references: [], services: request }, () => {}) ?? 1
  } catch (error) {
    if (error instanceof FieldError) throw invalid({ copies: error.entry })
    throw error
  }
}

/** Stores the template as the last one that the account used. */
async function saveLastTemplate(request: LabelRequest, { kind, template }: PrintRequest): Promise<void> {
  const key = LAST_TEMPLATE_KEYS[kind]
  if (key) await userStore(queryThrough(request), request.caller.pk).save(key, String(template.pk))
}

/** The number of labels, in words. */
const describeLabels = ({ items }: PrintRequest, count: number): string =>
  `${count} ${items === 'sample' ? 'sample ' : ''}${count === 1 ? 'label' : 'labels'}`

async function printToFile(
  request: LabelRequest,
  { printRequest, copiesPerObject, count, plugin }: Plan,
  steps: PrintSteps,
): Promise<PrintOutcome> {
  const usesSheets = plugin === SHEET_PLUGIN
  const sheetLayout = usesSheets ? readSheetLayout(request, printRequest) : undefined
  await steps.reportProgress(0, count)
  const rendered = await render(request, printRequest, { copies: copiesPerObject, marksFaults: usesSheets })
  const isHtml = !sheetLayout && (await isDebugEnabled(request))
  const make = async () => {
    const content = isHtml ? toHtml(rendered) : await toPdf(request, rendered, (labels) => steps.reportProgress(labels, count))
    await steps.reportProgress(count, count)
    return sheetLayout ? await impose(content, sheetLayout.sheet, sheetLayout.skip) : content
  }
  const name = isHtml ? buildFileName(rendered, 'labels', 'html') : getPdfName(rendered)
  const message = `${describeLabels(printRequest, count)} generated`
  const file = await storePrintedFile(request, request.caller, { kind: printRequest.kind, name, bytes: make() }, (tx, path) =>
    steps.complete(tx, { file: path, message, warnings: getWarnings(rendered) }),
  )
  await saveLastTemplate(request, printRequest)
  return { file, message, warnings: getWarnings(rendered) }
}

/** Reads the requested sheets; the body takes precedence over the query. @throws Problem 400 */
function readSheetLayout(request: LabelRequest, { template }: PrintRequest): { sheet: LabelSheet; skip: number } {
  const value = { ...request.query, ...(isObject(request.raw) ? request.raw : {}) }
  const { values, errors } = input.readShape(sheetFields, value, { references: [], services: request })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const options = values as SheetOptions
  const size = { width: Number(template.width), height: Number(template.height) }
  return { sheet: computeLabelSheet(size, options), skip: options.skip ?? 0 }
}

/** Whether labels are output as HTML, by the setting of the plugin that makes the PDF. */
async function isDebugEnabled(request: LabelRequest): Promise<boolean> {
  const { settings } = getRegistry(request).manifest(PDF_PLUGIN) ?? {}
  const query: RunQuery = queryThrough(request)
  return settings !== undefined && (await readPluginSetting(query, PDF_PLUGIN, toSettings(settings), 'DEBUG')) === true
}

const getPdfName = (rendered: RenderedPrint): string => buildFileName(rendered, 'labels', 'pdf')

async function printOnSelectedMachine(
  request: LabelRequest,
  printRequest: PrintRequest,
  machine: SelectedMachine,
  steps: PrintSteps,
): Promise<PrintOutcome> {
  const { count, warnings } = await printOnMachine(request, printRequest, machine, steps)
  await saveLastTemplate(request, printRequest)
  return recordPrint(request, steps, { message: `${describeLabels(printRequest, count)} printed`, warnings })
}

async function printByPlugin(
  request: LabelRequest,
  printRequest: PrintRequest,
  plugin: ActivePlugin,
  copiesPerObject: number,
  steps: PrintSteps,
): Promise<PrintOutcome> {
  const rendered = await render(request, printRequest)
  const count = rendered.count * copiesPerObject
  await steps.reportProgress(0, count)
  const job = {
    pdf: await toPdf(request, rendered),
    filename: getPdfName(rendered),
    template: await readTemplateObject(request, printRequest),
    items: await readItemObjects(request, printRequest),
    options: toPlainJson(request.raw),
    copies: copiesPerObject,
  }
  await steps.reportProgress(count, count)
  await steps.markDispatched()
  let isOutcomeUnknown = false
  const call: ActivePlugin['call'] = async (...value) => {
    try {
      return await plugin.call(...value)
    } catch (error) {
      isOutcomeUnknown = error instanceof PluginFailure && error.reason !== 'thrown'
      throw error
    }
  }
  let message: string | undefined
  try {
    message = await callForRequest(request, { ...plugin, call }, [job], readMessage, PLUGIN_TIMEOUT_MS)
  } catch (error) {
    throw isOutcomeUnknown ? new PrintOutcomeUnknown(printErrors.label_plugin_uncertain({ plugin: plugin.key })) : error
  }
  await saveLastTemplate(request, printRequest)
  return recordPrint(request, steps, {
    message: message ?? `${describeLabels(printRequest, count)} printed`,
    warnings: getWarnings(rendered),
  })
}

/** Records that the labels are printed, without a file. */
async function recordPrint({ database }: LabelRequest, steps: PrintSteps, outcome: PrintOutcome): Promise<PrintOutcome> {
  await database.transaction((tx) => steps.complete(tx, outcome))
  return outcome
}

/** Returns the plugin's message about the print, if any. */
const readMessage = (value: unknown): string | undefined =>
  isObject(value) && typeof value.message === 'string' ? value.message.slice(0, 500) : undefined

import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import * as input from '../../kit/definition/input.ts'
import { invalid, invalidObject, Problem } from '../../kit/request/problem.ts'
import { loadSharp } from '../../kit/services/pictures.ts'
import { queryThrough } from '../../kit/sql/run-query.ts'
import { isObject } from '../../kit/values/json.ts'
import type { Machine, MachineLabels } from '../../plugin-api/index.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { RenderedPrint, Warning } from '../../printing/rendering.ts'
import { userStore } from '../../settings/store.ts'
import { type Driver, findDriver } from '../machine/drivers.ts'
import {
  callPrintFunction,
  listUsableMachines,
  MachineFailure,
  type MachineRow,
  toDriverMachine,
} from '../machine/run-machines.ts'
import { PrintOutcomeUnknown, type PrintSteps } from '../print-job/steps.ts'
import { getWarnings, render, renderFields, toPdf, toPng } from '../printing/print-document.ts'
import type { PrintRequest } from '../printing/print-request.ts'

/** Maximum dots of all labels in one print, which a driver gets as one byte each. */
const MAX_DOTS = 60_000_000
/** Maximum number of recently used machines stored for an account, and the setting that holds them. */
const MAX_RECENT_MACHINES = 10
const RECENT_MACHINES_KEY = 'LAST_USED_PRINTING_MACHINES'

/** Fields that select the printing machine, in the body or the query. */
export const machineFields = {
  machine: input.optional(
    input.text({
      label: 'Machine',
      max: 36,
      help: 'For `inventreelabelmachine`: the machine that prints; by default the one that the account used last, otherwise the first.',
    }),
  ),
}

/** The selected machine, and the copies of each label. */
export type SelectedMachine = { row: MachineRow; driver: Driver; copies: number }

/**
 * Reads the machine to print on; the body takes precedence over the query.
 * @param copies copies of each label, unless `driver_options` of the body sets them
 * @throws Problem 400
 */
export async function readMachine(request: Request<Shape>, copies: number, maxCopies: number): Promise<SelectedMachine> {
  const raw = isObject(request.raw) ? request.raw : {}
  const { values, errors } = input.readShape(machineFields, { ...request.query, ...raw }, { references: [], services: request })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const machines = await listUsableMachines(request)
  const requested = values.machine as string | undefined
  const row = requested
    ? machines.find(({ id }) => id === requested.toLowerCase())
    : ((await readRecentMachines(request)).map((id) => machines.find((one) => one.id === id)).find(Boolean) ?? machines[0])
  const driver = row && findDriver(request, row)
  if (!row || !driver)
    throw invalid({
      machine: [requested ? printErrors.label_machine_unknown : printErrors.label_machine_missing],
    })
  return { row, driver, copies: readCopies(raw.driver_options, copies, maxCopies) }
}

function readCopies(options: unknown, copies: number, maxCopies: number): number {
  if (options === undefined || options === null) return copies
  if (!isObject(options)) throw invalid({ driver_options: [printErrors.driver_options_expected({ example: '{"copies": 2}' })] })
  const count = options.copies === undefined ? copies : Number(options.copies)
  if (!Number.isInteger(count) || count < 1 || count > maxCopies)
    throw invalid({ driver_options: [printErrors.invalid_copies({ max_copies: maxCopies })] })
  return count
}

/**
 * Prints on a machine. The labels are sent to it only once.
 * @returns the number of labels sent, and the warnings about them
 * @throws Problem 503 when it does not print, 400
 */
export async function printOnMachine(
  request: Request<Shape>,
  requested: PrintRequest,
  { row, driver, copies }: SelectedMachine,
  { reportProgress, markDispatched }: Pick<PrintSteps, 'reportProgress' | 'markDispatched'>,
): Promise<{ count: number; warnings: Warning[] }> {
  const rendered = await render(request, requested)
  const { count } = rendered
  const { width, height } = rendered.page
  const labels: MachineLabels = {
    ...{ name: requested.template.name, labelWidth: width, labelHeight: height, count, copies },
    ...(driver.labels === 'pdf'
      ? { pdf: await toPdf(request, rendered) }
      : await renderImages(request, rendered, (await toDriverMachine(request, row, driver)).settings, (finishedLabels) =>
          reportProgress(finishedLabels * copies, count * copies),
        )),
  }
  await reportProgress(count * copies, count * copies)
  await markDispatched()
  try {
    await callPrintFunction(request, request.caller, { row, driver }, labels)
  } catch (error) {
    if (error instanceof MachineFailure)
      throw error.isUnknown ? new PrintOutcomeUnknown(error.reason) : new Problem('unavailable', error.reason)
    throw error
  }
  await saveRecentMachine(request, row)
  return { count: count * copies, warnings: getWarnings(rendered) }
}

/**
 * Renders all labels in grayscale at the machine's resolution; also as fields, if the machine draws text and codes itself. @throws
 * Problem 400
 */
async function renderImages(
  request: Request<Shape>,
  rendered: RenderedPrint,
  { DPI: dpi, FORM: form }: Machine['settings'],
  reportProgress: (labels: number) => Promise<void>,
) {
  const sharp = await loadSharp()
  const pixels: Buffer[] = []
  const fields: NonNullable<MachineLabels['fields']> = []
  let size = { width: 0, height: 0 }
  for (let index = 0; index < rendered.count; index++) {
    const label =
      form === 'native' ? await renderFields(request, rendered, dpi, index) : { png: await toPng(request, rendered, dpi, index) }
    if ('fields' in label) fields.push(label.fields)
    const png = sharp(label.png).flatten({ background: 'white' }).greyscale()
    const { data, info } = await png.raw().toBuffer({ resolveWithObject: true })
    if (data.length * rendered.count > MAX_DOTS)
      throw invalidObject(printErrors.machine_max_labels({ max_labels: Math.floor(MAX_DOTS / data.length) }))
    size = { width: info.width, height: info.height }
    pixels.push(data)
    await reportProgress(index + 1)
  }
  return { ...size, pixels: Buffer.concat(pixels), ...(form === 'native' && { fields }) }
}

async function readRecentMachines(request: Request<Shape>): Promise<string[]> {
  return (await userStore(queryThrough(request), request.caller.pk).row(RECENT_MACHINES_KEY)).value.split(',').filter(Boolean)
}

/** Stores a machine as the account's most recently used one. */
async function saveRecentMachine(request: Request<Shape>, { id }: MachineRow): Promise<void> {
  const before = await readRecentMachines(request)
  const after = [id, ...before.filter((one) => one !== id)].slice(0, MAX_RECENT_MACHINES)
  await userStore(queryThrough(request), request.caller.pk).save(RECENT_MACHINES_KEY, after.join(','))
}

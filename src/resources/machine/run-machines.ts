import type { Caller } from '../../kit/request/caller.ts'
import type { Queue } from '../../kit/services/jobs.ts'
import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { isObject } from '../../kit/values/json.ts'
import { type ErrorMessage, ReasonedError } from '../../kit/values/message.ts'
import type { Machine, MachineLabels, MachineState } from '../../plugin-api/index.ts'
import { toSettings } from '../../plugin-host/plugin-settings.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { setting } from '../../settings/live.ts'
import { machineStore } from '../../settings/store.ts'
import { parseValue } from '../../settings/value.ts'
import { getRegistry } from '../plugins/plugin-registry.ts'
import { type Driver, findDriver } from './drivers.ts'
import { labelPrinterStatus } from './machine-status.ts'

const QUEUE = 'machine'
/** Seconds between status checks of a machine, and milliseconds between searches for machines that are due. */
const CHECK_PERIOD_SECONDS = 60
const CHECK_INTERVAL_MS = 30_000
/** Milliseconds that a machine may take to print. */
const PRINT_TIMEOUT_MS = 60_000
/** Maximum characters of a string from a driver. */
const MAX_TEXT_LENGTH = 250

const { CONNECTED, UNKNOWN, PRINTING, NO_MEDIA, DISCONNECTED } = labelPrinterStatus.codes
/** Status code for each state that drivers report. */
const STATUS_CODES: Record<MachineState['state'], number> = {
  connected: CONNECTED.key,
  unknown: UNKNOWN.key,
  printing: PRINTING.key,
  'no-media': NO_MEDIA.key,
  disconnected: DISCONNECTED.key,
}

/** A machine as stored in the database. */
export type MachineRow = { pk: number; id: string; name: string; machine_type: string; driver: string; active: boolean }

const SELECT_MACHINES = 'select pk, id, name, machine_type, driver, active from machine'

/** The active machines with a driver, by name. */
export async function listUsableMachines(services: Pick<Services, 'plugins' | 'database'>): Promise<MachineRow[]> {
  const rows = await services.database.read<MachineRow>({ text: `${SELECT_MACHINES} where active order by name limit 1000` })
  return rows.filter((row) => findDriver(services, row))
}

/** A failure of a machine, with a message for users. `isUnknown`: whether the outcome is unknown. */
export class MachineFailure extends ReasonedError {
  readonly isUnknown: boolean

  constructor(reason: ErrorMessage, isUnknown = false) {
    super(reason)
    this.isUnknown = isUnknown
  }
}

/** The values of a machine's driver settings. */
async function readDriverSettings(query: RunQuery, { pk }: MachineRow, driver: Driver): Promise<Machine['settings']> {
  const settings = toSettings(driver.settings)
  const rows = await machineStore(query, settings, pk, 'D').all()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, parseValue(setting, stored.get(key))]))
}

/** The machine as passed to its driver. */
export const toDriverMachine = async (
  services: Pick<Services, 'database'>,
  row: MachineRow,
  driver: Driver,
): Promise<Machine> => ({
  id: row.id,
  name: row.name,
  settings: await readDriverSettings(queryThrough(services), row, driver),
})

const findDriverFunction = (
  services: Pick<Services, 'plugins'>,
  { plugin, slug }: Driver,
  name: string,
): ActivePlugin | undefined =>
  getRegistry(services)
    .withHook(`machineDrivers.${slug}.${name}`)
    .find(({ key }) => key === plugin)

/** Initializes a machine in the background, after a transaction commits. */
export const enqueueMachineStart = ({ jobs }: Pick<Services, 'jobs'>, tx: Tx, pk: number): Promise<void> =>
  jobs.send(tx, QUEUE, { machine: pk })

/** Current state of a machine: its status, and the error that prevents it from working. */
type MachineCondition = { initialized: boolean; status: number; text: string; error: string }

/** Stores the state of a machine if it changed. */
async function saveCondition(
  { database }: Pick<Services, 'database'>,
  pk: number,
  condition: MachineCondition,
  isStarted: boolean,
): Promise<void> {
  const { initialized, status, text, error } = condition
  await database.transaction((tx) =>
    tx.query(
      `insert into machine_state (machine, initialized, status, status_text, error)
       select pk, $2, $3, $4, $5 from machine where pk = $1
       on conflict (machine) do update set initialized = $2, status = $3, status_text = $4, error = $5,
         restart_required = machine_state.restart_required and not $6
       where (machine_state.initialized, machine_state.status, machine_state.status_text, machine_state.error)
         is distinct from ($2, $3, $4, $5) or machine_state.restart_required and $6`,
      [pk, initialized, status, text, error, isStarted],
    ),
  )
}

/**
 * Initializes a machine through its driver, and stores the reported status.
 * @returns whether a driver could initialize it
 */
export async function startMachine(services: Services, row: MachineRow): Promise<boolean> {
  const driver = findDriver(services, row)
  if (!driver || !row.active) return false
  try {
    await requireSettings(services, row, driver)
    await findDriverFunction(services, driver, 'init')?.call([await toDriverMachine(services, row, driver)])
  } catch (error) {
    await saveCondition(
      services,
      row.pk,
      { initialized: false, status: UNKNOWN.key, text: '', error: getErrorMessage(error) },
      false,
    )
    return false
  }
  await checkMachine(services, row, driver, true)
  return true
}

/** @throws Error if a required setting is empty */
async function requireSettings(services: Services, row: MachineRow, driver: Driver): Promise<void> {
  const { settings } = await toDriverMachine(services, row, driver)
  const missing = Object.entries(driver.settings).find(
    ([key, { required }]) => required && (settings[key] === '' || settings[key] === null),
  )
  if (missing) throw new Error(`Its setting "${missing[1].name}" is empty.`)
}

/** Queries the status of a machine and stores it. */
async function checkMachine(services: Services, row: MachineRow, driver: Driver, isStarted = false): Promise<void> {
  const status = findDriverFunction(services, driver, 'status')
  const unknown = { initialized: true, status: UNKNOWN.key, text: '', error: '' }
  if (!status) return saveCondition(services, row.pk, unknown, isStarted)
  try {
    const result = readState(await status.call([await toDriverMachine(services, row, driver)], { check: readState }))
    await saveCondition(services, row.pk, { ...unknown, ...result }, isStarted)
  } catch (error) {
    await saveCondition(services, row.pk, { ...unknown, error: getErrorMessage(error) }, isStarted)
  }
}

/** Validates the status that a driver reported; drivers are not trusted. @throws Error */
function readState(result: unknown): { status: number; text: string } {
  const state = isObject(result) ? String(result.state) : ''
  if (!isObject(result) || !Object.hasOwn(STATUS_CODES, state)) throw new Error('it returned no status of a machine')
  return { status: STATUS_CODES[state as MachineState['state']], text: result.text === undefined ? '' : toLine(result.text) }
}

const toLine = (text: unknown): string =>
  String(text)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)

const getErrorMessage = (error: unknown): string => toLine((error as Error).message)

/**
 * Prints on a machine, once, on behalf of the caller.
 * @throws MachineFailure when it did not print, or when the outcome is unknown
 */
export async function callPrintFunction(
  services: Services,
  caller: Caller,
  { row, driver }: { row: MachineRow; driver: Driver },
  labels: MachineLabels,
): Promise<void> {
  const print = findDriverFunction(services, driver, 'print')
  if (!print) throw new MachineFailure(printErrors.machine_without_driver({ machine: row.name }))
  const machine = await toDriverMachine(services, row, driver)
  let result: unknown
  try {
    result = await print.call([labels, machine], { caller, milliseconds: PRINT_TIMEOUT_MS })
  } catch (error) {
    services.log.warn({ machine: row.id, reason: getErrorMessage(error) }, 'it is unknown whether a machine printed')
    throw new MachineFailure(printErrors.machine_uncertain({ machine: row.name, reason: getErrorMessage(error) }), true)
  }
  if (!isObject(result)) return
  if (Object.hasOwn(STATUS_CODES, String(result.state))) {
    const status = STATUS_CODES[result.state as MachineState['state']]
    const text = result.failed === undefined ? '' : toLine(result.failed)
    await saveCondition(services, row.pk, { initialized: true, status, text, error: '' }, false)
  }
  if (result.failed !== undefined)
    throw new MachineFailure(printErrors.machine_failed({ machine: row.name, reason: toLine(result.failed) }))
}

/** Initializes machines in the background. The result is stored with the machine. */
export const createMachineQueue = (services: Services): Queue<{ machine: number; looks?: boolean }> => ({
  name: QUEUE,
  retries: 0,
  retryDelay: 1,
  retryDelayMax: 1,
  timeoutSeconds: 60,
  async handle({ machine, looks }) {
    const [row] = await services.database.read<MachineRow & { initialized: boolean | null }>({
      text: `select m.pk, id, name, machine_type, driver, active, initialized
        from machine m left join machine_state s on s.machine = m.pk where m.pk = $1`,
      values: [machine],
    })
    const driver = row && findDriver(services, row)
    if (!row?.active || !driver) return
    if (looks && row.initialized) await checkMachine(services, row, driver)
    else await startMachine(services, row)
  },
})

/**
 * Queues status checks of machines that were not checked for a minute, unless MACHINE_PING_ENABLED is off; only one node queues the check of
 * a machine.
 */
export async function enqueueMachineChecks(services: Services): Promise<void> {
  await services.settings.upToDate()
  if (!setting(services, 'MACHINE_PING_ENABLED')) return
  const machines = await listUsableMachines(services)
  if (machines.length === 0) return
  await services.database.transaction(async (tx) => {
    const intervals = new Map(machines.map(({ pk }) => [String(pk), CHECK_PERIOD_SECONDS]))
    for (const pk of await services.throttle.claim(tx, QUEUE, intervals))
      await services.jobs.send(tx, QUEUE, { machine: Number(pk), looks: true })
  })
}

/** Checks the status of machines regularly while the service runs. Returns a function that stops it. */
export function scheduleMachineChecks(services: Services): () => void {
  const enqueueChecks = () =>
    enqueueMachineChecks(services).catch((error) => services.log.warn({ err: error }, 'could not check the machines'))
  const timer = setInterval(enqueueChecks, CHECK_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

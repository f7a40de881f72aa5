import { Type } from 'typebox'
import { action, procedure, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readDetail, toDetailJson } from '../../kit/reading/detail.ts'
import { notFound, Problem } from '../../kit/request/problem.ts'
import { queryThrough, queryWithin, type RunQuery } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { isUuid } from '../../kit/values/uuid.ts'
import { remove, toWriteRequest, update } from '../../kit/writing/write.ts'
import { existingMachine, machineConfig } from './machine.resource.ts'
import { type MachineRow, startMachine } from './run-machines.ts'

const MACHINE_PATH = '/api/machine/{machine}/'
const { access } = machineConfig

/** Path parameter for a machine. */
export const machineParams = { machine: 'The UUID of the machine.' }
/** A UUID that no machine has. */
export const UNKNOWN_MACHINE_ID = '00000000-0000-4000-8000-000000000000'

/** Returns the machine of a URL. @throws Problem 404 */
export const readRequestedMachine = ({ tx, params }: Request<Shape> & { tx: Tx }): Promise<MachineRow> =>
  readMachine(queryWithin(tx), params)

/** Reads the machine that parameters of a path name. @throws Problem 404 */
export async function readMachine(query: RunQuery, { machine = '' }: Request<Shape>['params']): Promise<MachineRow> {
  // an id that is not a UUID makes the path unknown, like a key that is not a number in other paths
  if (!isUuid(machine)) throw new Problem('unknown_path')
  const text = 'select pk, id, name, machine_type, driver, active from machine where id = $1'
  const [row] = await query<MachineRow>(text, [machine])
  if (!row) throw notFound()
  return row
}

const machineEndpoint = {
  path: MACHINE_PATH,
  access,
  params: machineParams,
  example: { params: { machine: UNKNOWN_MACHINE_ID }, status: 404 },
}

const createChangeAction = (method: 'PUT' | 'PATCH') =>
  action({
    ...machineEndpoint,
    method,
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} a machine`,
    description: 'Changes the name of a machine, and whether it is enabled. Its type and its driver cannot be changed.',
    example: {
      ...machineEndpoint.example,
      body: method === 'PUT' ? { name: 'Printer in the hall', active: true } : { active: false },
    },
    versioned: true,
    writes: existingMachine,
    response: responseSchema(existingMachine),
    async run(request) {
      const { pk } = await readRequestedMachine(request)
      return toDetailJson(await update(existingMachine, pk, toWriteRequest(request), method === 'PATCH'))
    },
  })

const read = action({
  ...machineEndpoint,
  method: 'GET',
  summary: 'Get a machine',
  description: 'Returns a machine with its status. Its version is the ETag.',
  response: responseSchema(existingMachine),
  async run(request) {
    const { pk } = await readRequestedMachine(request)
    const { caller, tx } = request
    return toDetailJson(await readDetail(existingMachine, pk, new Set(), { caller, services: request, executor: tx }))
  },
})

const destroy = action({
  ...machineEndpoint,
  method: 'DELETE',
  summary: 'Delete a machine',
  description: 'Deletes a machine with its settings.',
  versioned: true,
  status: 204,
  async run(request) {
    const { pk } = await readRequestedMachine(request)
    await remove(existingMachine, pk, toWriteRequest(request))
  },
})

const restart = procedure({
  ...machineEndpoint,
  method: 'POST',
  path: '/api/machine/{machine}/restart/',
  summary: 'Restart a machine',
  description:
    'Restarts the driver of a machine. `ok` tells whether that succeeded; otherwise the errors are in `machine_errors`.',
  right: 'change',
  status: 200,
  response: Type.Object({ ok: Type.Boolean({ description: 'Whether it was restarted.' }) }),
  async handle(request) {
    return { ok: await startMachine(request, await readMachine(queryThrough(request), request.params)) }
  },
})

export const machineActions = [read, createChangeAction('PUT'), createChangeAction('PATCH'), destroy, restart]

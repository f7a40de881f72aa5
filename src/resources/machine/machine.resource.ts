import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { orNull } from '../../kit/definition/input.ts'
import { type Resource, resource } from '../../kit/definition/resource.ts'
import { roles } from '../../kit/request/caller.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { findDriver, listDrivers } from './drivers.ts'
import { machine as table } from './machine.table.ts'
import { labelPrinterStatus } from './machine-status.ts'
import { machineTypes } from './machine-types.ts'
import { enqueueMachineStart } from './run-machines.ts'

const TYPE = 'Its type.'
const DRIVER = 'Its driver, which must match its type.'

/** SQL: whether its driver is available. */
const HAS_DRIVER = `{machine_type} || ' ' || {driver} = any({@drivers}::text[])`
/** SQL: whether its driver is available and the machine is active. */
const IN_USE = `({active} and ${HAS_DRIVER})`
/** SQL of a column of its current state. */
const stateColumn = (sql: string): string => `(select ${sql} {from machine_state} s where s.machine = {pk})`
/** SQL: whether its driver is running. */
const IS_INITIALIZED = `coalesce(${IN_USE} and ${stateColumn('s.initialized')}, false)`

export const machineConfig = resource({
  path: '/api/machine/',
  name: 'Machine',
  description: 'A machine that the service controls through a driver, such as a label printer.',
  remarks: { create: 'Rejects an unknown type or driver.' },
  example: {
    pk: 0,
    create: { name: 'Label printer', machine_type: 'label-printer', driver: 'none' },
    hasNoObject: true,
    cannotBeCreated: true,
  },
  model: 'machineconfig',
  table,
  access: roles('admin'),
  without: ['detail', 'update', 'delete'],
  fields: {
    pk: f.computed(Type.String({ format: 'uuid' }), '{id}::text', { label: 'Id', help: 'The UUID of the machine.' }),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'The name of the machine, which must be unique.',
    }),
    machine_type: f.column(table.machine_type, { label: 'Machine Type', required: true, filter: true, order: true, help: TYPE }),
    driver: f.column(table.driver, { required: true, filter: true, order: true, help: DRIVER }),
    initialized: f.computed(Type.Boolean(), IS_INITIALIZED, { type: 'field', help: 'Whether its driver is running.' }),
    active: f.column(table.active, { default: true, filter: true, order: true, help: 'Whether the machine is enabled.' }),
    status: f.computed(Type.Integer(), `case when ${IS_INITIALIZED} then ${stateColumn('s.status')} else -1 end`, {
      type: 'field',
      help: 'Its status; -1 while its driver is not running.',
    }),
    status_model: f.computed(orNull(Type.String()), `case when ${IS_INITIALIZED} then '${labelPrinterStatus.name}' end`, {
      type: 'field',
      label: 'Status model',
      help: 'Its status table, under `/api/generic/status/`; null while its driver is not running.',
    }),
    status_text: f.computed(Type.String(), `case when ${IS_INITIALIZED} then ${stateColumn('s.status_text')} else '' end`, {
      type: 'field',
      label: 'Status text',
      help: 'The status text of its driver.',
    }),
    machine_errors: f.computed(
      Type.Array(Type.String()),
      `case when not ${HAS_DRIVER} then '["Its driver is not there."]'::json
        when {active} and ${stateColumn('s.error')} <> '' then json_build_array(${stateColumn('s.error')}) else '[]'::json end`,
      { label: 'Machine errors', help: 'The errors that prevent it from working.' },
    ),
    is_driver_available: f.computed(Type.Boolean(), HAS_DRIVER, {
      type: 'field',
      label: 'Is driver available',
      help: 'Whether its driver is available.',
    }),
    restart_required: f.computed(Type.Boolean(), `coalesce(${IN_USE} and ${stateColumn('s.restart_required')}, false)`, {
      type: 'field',
      label: 'Restart required',
      help: 'Whether a changed setting takes effect only after a restart.',
    }),
    properties: f.extended(
      f.computed(
        Type.Array(
          Type.Object({
            key: Type.String(),
            value: Type.String(),
            group: Type.String(),
            type: Type.String(),
            max_progress: orNull(Type.Integer()),
          }),
        ),
        `'[]'::json`,
        {
          type: 'list',
          api530: { metadata: { default: [] } },
          help: 'Values that its driver shows: always empty, since drivers have none.',
        },
      ),
    ),
  },
  parameters: { drivers: (services) => listDrivers(services).map(({ type, slug }) => `${type} ${slug}`) },
  constraints: { machine_name_key: { name: [printErrors.machine_name_taken] } },
  defaultOrder: ['-active', 'machine_type'],
  rules(write) {
    const { values, errors } = write
    const type = machineTypes.find(({ slug }) => slug === values.machine_type)
    if (!type) errors.machine_type = [printErrors.machine_type_unknown]
    else if (!findDriver(write, { machine_type: type.slug, driver: String(values.driver) }))
      errors.driver = [printErrors.machine_driver_unknown({ type: type.slug })]
  },
  afterCreate: (write, pk) => enqueueMachineStart(write, write.tx, pk),
})

/** An existing machine, whose type and driver are fixed. */
export const existingMachine: Resource = {
  ...machineConfig,
  fields: {
    ...machineConfig.fields,
    machine_type: f.readonly(table.machine_type, { help: TYPE }),
    driver: f.readonly(table.driver, { help: DRIVER }),
  },
  rules: undefined,
  afterUpdate: (write, pk) => enqueueMachineStart(write, write.tx, pk),
}

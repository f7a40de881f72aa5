import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import { queryThrough } from '../../../../kit/sql/run-query.ts'
import { toSettings } from '../../../../plugin-host/plugin-settings.ts'
import { findDriver } from '../../../machine/drivers.ts'
import { machineParams, readMachine, UNKNOWN_MACHINE_ID } from '../../../machine/machine.action.ts'
import { machineConfig } from '../../../machine/machine.resource.ts'
import { machineTypes } from '../../../machine/machine-types.ts'
import { describeSettings, settingFormSchema } from '../../setting-form.ts'

/** The settings of a machine as its page in the console shows them. */
export const listMachineSettings = view({
  path: '/api/web/machines/{machine}/settings/',
  summary: 'List the settings of a machine with their limits',
  description:
    'All settings of a machine with their types, limits and defaults, and without secrets: those of its type (`M`), then those of its driver (`D`). Change one with `PATCH /api/machine/{machine}/settings/{config_type}/{key}/`.',
  access: machineConfig.access,
  params: machineParams,
  errors: { not_found: 'The machine does not exist.' },
  example: { params: { machine: UNKNOWN_MACHINE_ID }, status: 404 },
  response: Type.Array(
    Type.Object({
      ...settingFormSchema.properties,
      config_type: Type.Union([Type.Literal('M'), Type.Literal('D')], {
        description: '`M` for a setting of its type, `D` for one of its driver.',
      }),
    }),
  ),
  async read(request) {
    const machine = await readMachine(queryThrough(request), request.params)
    const rows = await request.database.read<{ config_type: 'M' | 'D'; key: string; value: string }>({
      text: 'select config_type, key, value from machine_setting where machine = $1',
      values: [machine.pk],
    })
    const ofType = machineTypes.find(({ slug }) => slug === machine.machine_type)?.settings ?? {}
    const ofDriver = findDriver(request, machine)?.settings ?? {}
    return [
      ...describeSettings(ofType, selectRows(rows, 'M'), () => false).map((setting) => ({
        ...setting,
        config_type: 'M' as const,
      })),
      ...describeSettings(toSettings(ofDriver), selectRows(rows, 'D'), (key) => ofDriver[key]?.required === true).map(
        (setting) => ({
          ...setting,
          config_type: 'D' as const,
        }),
      ),
    ]
  },
})

const selectRows = <Row extends { config_type: string }>(rows: readonly Row[], kind: string): Row[] =>
  rows.filter(({ config_type }) => config_type === kind)

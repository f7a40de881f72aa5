import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { findDriver, listDrivers } from './drivers.ts'
import { machineTypes } from './machine-types.ts'

const descriptionFields = {
  slug: Type.String({ description: 'Its slug.' }),
  name: Type.String({ description: 'The display name.' }),
  description: Type.String({ description: 'A short description.' }),
  provider_file: Type.String({ description: 'Always empty: the source file is not shown.' }),
  is_builtin: Type.Boolean({ description: 'Whether it is built in.' }),
}

const providerPlugin = 'The plugin that provides it; null if it is built in.'

const types = view({
  path: '/api/machine/types/',
  summary: 'List the machine types',
  description: 'All available machine types.',
  access: signedIn,
  response: Type.Array(Type.Object({ ...descriptionFields, provider_plugin: Type.Null({ description: providerPlugin }) })),
  read: () =>
    machineTypes.map(({ slug, name, description }) => ({
      ...{ slug, name, description, provider_file: '', provider_plugin: null, is_builtin: true },
    })),
})

const drivers = view({
  path: '/api/machine/drivers/',
  summary: 'List the machine drivers',
  description: 'The available drivers, of all types or of one.',
  access: signedIn,
  query: { machine_type: 'The slug of a type: returns only its drivers.' },
  response: Type.Array(
    Type.Object({
      ...descriptionFields,
      provider_plugin: Type.Object(
        { slug: Type.String({ description: 'Its key.' }), name: Type.String({ description: 'Its name.' }) },
        { description: 'The plugin that provides it.' },
      ),
      machine_type: Type.String({ description: 'The slug of its type.' }),
      driver_errors: Type.Array(Type.String(), { description: 'The errors that prevent it from working.' }),
    }),
  ),
  read: (request) =>
    listDrivers(request)
      .filter(({ type }) => !request.query.machine_type || type === request.query.machine_type)
      .map(({ slug, name, description, type, plugin, pluginName, isBuiltIn }) => ({
        ...{ slug, name, description, provider_file: '', provider_plugin: { slug: plugin, name: pluginName } },
        ...{ is_builtin: isBuiltIn, machine_type: type, driver_errors: [] },
      })),
})

const status = view({
  path: '/api/machine/status/',
  summary: 'List the errors of machines',
  description: 'Enabled machines whose driver is missing.',
  access: signedIn,
  response: Type.Object({
    registry_errors: Type.Array(Type.Object({ message: Type.String({ description: 'The error.' }) })),
  }),
  async read(request) {
    const text = 'select name, machine_type, driver from machine where active order by name limit 1000'
    const rows = await request.database.read<{ name: string; machine_type: string; driver: string }>({ text })
    const withoutDriver = rows.filter((row) => !findDriver(request, row))
    return { registry_errors: withoutDriver.map(({ name, driver }) => ({ message: `${name}: its driver ${driver} is missing` })) }
  },
})

export const machineViews = [types, drivers, status]

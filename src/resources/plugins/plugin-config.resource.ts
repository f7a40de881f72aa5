import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, roles, signedIn } from '../../kit/request/caller.ts'
import { invalidObject, Problem } from '../../kit/request/problem.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { NO_META } from '../../plugin-host/shown.ts'
import { isBuiltIn } from '../../plugins/index.ts'
import { pluginConfig as table } from './plugin-config.table.ts'
import { registryOf } from './registry-of.ts'

/** What this node knows of the plugin of a row: JSON, null where it does not lie here. */
const HERE = `({@plugins}::json -> {key})`

const is = (trait: string) => `coalesce((${HERE} ->> '${trait}')::boolean, false)`

/** A yes or no that is worked out, which existing clients know as no more than a field. */
const trait = (sql: string, help: string) => f.computed(Type.Boolean(), sql, { type: 'field', help })

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A plugin, running or not. What is told beside its row is what the node knows that answers. */
export const pluginConfig = resource({
  path: '/api/plugins/',
  name: 'Plugin',
  description:
    'A program that takes part in what the service does: it comes with the service, lies in the folder `plugins` of the data folder, or was installed as a package. It is known here from when it was first found, also when it is there no more.',
  remarks: {
    list: 'What is switched on comes first, then by name.',
    delete:
      'Forgets a plugin and its settings. One that still lies in its place is found again when plugins are loaded the next time.',
  },
  refuses: {
    delete: { wrong_state: 'The plugin is switched on.', invalid: 'The plugin comes with the service.' },
  },
  example: { pk: 4 },
  model: 'pluginconfig',
  table,
  access: reading(signedIn, roles('admin')),
  without: ['create', 'update', 'metadata'],
  parameters: { plugins: (services) => registryOf(services).shown },
  fields: {
    pk: f.pk(table.pk),
    key: f.readonly(table.key, { search: true, order: true, help: 'Its slug, by which programs know it.' }),
    name: f.column(table.name, { search: true, order: true, help: 'Its name. Changing it changes nothing that runs.' }),
    package_name: f.column(table.package_name, {
      label: 'Package Name',
      help: 'The name of the package that it was installed as; empty for none. Changing it changes nothing that runs.',
    }),
    active: {
      ...f.column(table.active, {
        order: true,
        filter: true,
        help: 'It is switched on. Only a superuser changes it; what cannot be started is rejected. Where nothing is said, it stays.',
      }),
      isKept: true,
    },
    meta: f.computed(Type.Record(Type.String(), textOrNull), `coalesce(${HERE} -> 'meta', '${NO_META}')`, {
      type: 'nested object',
      help: 'What it says of itself: slug, human_name, description, author, pub_date, version, website, license, and where it lies. All are null of one that does not run.',
    }),
    mixins: f.computed(
      Type.Record(Type.String(), Type.Object({ key: Type.String(), human_name: Type.String() })),
      `coalesce(${HERE} -> 'mixins', '{}')`,
      { type: 'nested object', help: 'What it takes part in, by key, each with its `key` and `human_name`.' },
    ),
    is_builtin: trait(is('is_builtin'), 'It comes with the service.'),
    is_sample: trait('false', 'It is an example. There are none.'),
    is_installed: trait(`${HERE} is not null`, 'It lies on the node that answers, whether or not it is switched on.'),
    is_package: trait(is('is_package'), 'It was installed as a package.'),
  },
  filters: {
    builtin: { kind: 'boolean', sql: is('is_builtin'), help: 'Plugins that come with the service, or those that do not.' },
    sample: { kind: 'boolean', sql: 'false', help: 'Plugins that are examples; there are none.' },
    installed: {
      kind: 'boolean',
      sql: `${HERE} is not null`,
      help: 'Plugins that lie on the node that answers, or those that are there no more.',
    },
    mixin: {
      kind: 'text',
      sql: `coalesce((${HERE} -> 'mixins')::jsonb, '{}') ?& regexp_split_to_array(lower(trim({@value})), '\\s*,\\s*')`,
      help: 'Plugins that take part in all of these, by the keys of `mixins` with commas between.',
    },
  },
  defaultOrder: ['-active', 'name', 'key'],
  deleting({ row }) {
    if (row.active) throw new Problem('wrong_state', { detail: [pluginErrors.plugin_active] })
    if (isBuiltIn(row.key)) throw invalidObject(pluginErrors.plugin_built_in)
  },
})

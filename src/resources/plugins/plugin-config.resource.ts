import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { readWriteAccess, roles, signedIn } from '../../kit/request/caller.ts'
import { invalidObject, Problem } from '../../kit/request/problem.ts'
import { NO_META } from '../../plugin-host/plugin-details.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { isBuiltIn } from '../../plugins/index.ts'
import { pluginConfig as table } from './plugin-config.table.ts'
import { getRegistry } from './plugin-registry.ts'

/** Details of a row's plugin on this node, as JSON; null if it is not installed here. */
const PLUGIN_INFO = `({@plugins}::json -> {key})`

const traitSql = (trait: string) => `coalesce((${PLUGIN_INFO} ->> '${trait}')::boolean, false)`

/** A computed boolean, which existing clients know only as a `field`. */
const traitField = (sql: string, help: string) => f.computed(Type.Boolean(), sql, { type: 'field', help })

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A plugin, running or not. Details beyond its row are those of the responding node. */
export const pluginConfig = resource({
  path: '/api/plugins/',
  name: 'Plugin',
  description:
    'A program that extends the service: built in, in the folder `plugins` of the data folder, or installed as a package. It remains listed after it is removed. URLs take its key or its primary key.',
  remarks: {
    list: 'Enabled plugins come first; then sorted by name.',
    delete:
      'Deletes the configuration and the settings of a plugin. A plugin that is still installed reappears when plugins are next loaded.',
  },
  errors: {
    delete: { wrong_state: 'The plugin is enabled.', invalid: 'The plugin is built in.' },
  },
  example: { pk: 4 },
  model: 'pluginconfig',
  table,
  keyColumn: table.key,
  access: readWriteAccess(signedIn, roles('admin')),
  without: ['create', 'update', 'metadata'],
  parameters: { plugins: (services) => getRegistry(services).shown },
  fields: {
    pk: f.pk(table.pk),
    key: f.readonly(table.key, { search: true, order: true, help: 'Its slug.' }),
    name: f.column(table.name, { search: true, order: true, help: 'Its name. Changing it has no effect.' }),
    package_name: f.column(table.package_name, {
      label: 'Package Name',
      help: 'The name of its package; empty for none. Changing it has no effect.',
    }),
    active: {
      ...f.column(table.active, {
        order: true,
        filter: true,
        help: 'Whether it is enabled. Only a superuser can change it; a plugin that cannot be started is rejected. Omit it to leave it unchanged.',
      }),
      isKeptOnPut: true,
    },
    meta: f.computed(Type.Record(Type.String(), textOrNull), `coalesce(${PLUGIN_INFO} -> 'meta', '${NO_META}')`, {
      type: 'nested object',
      help: 'Its metadata: slug, human_name, description, author, pub_date, version, website, license, and its location. All are null while it does not run.',
    }),
    mixins: f.computed(
      Type.Record(Type.String(), Type.Object({ key: Type.String(), human_name: Type.String() })),
      `coalesce(${PLUGIN_INFO} -> 'mixins', '{}')`,
      { type: 'nested object', help: 'Its features, by key, each with its `key` and `human_name`.' },
    ),
    is_builtin: traitField(traitSql('is_builtin'), 'Whether it is built in.'),
    is_sample: traitField('false', 'Whether it is a sample. There are none.'),
    is_installed: traitField(`${PLUGIN_INFO} is not null`, 'Whether it is present on the responding node, enabled or not.'),
    is_package: traitField(traitSql('is_package'), 'Whether it was installed as a package.'),
    is_mandatory: f.extended(
      f.computed(Type.Boolean(), 'false', { help: 'Whether it cannot be disabled: always false, since every plugin can be.' }),
    ),
  },
  filters: {
    builtin: { kind: 'boolean', sql: traitSql('is_builtin'), help: 'Whether they are built in.' },
    mandatory: { kind: 'boolean', sql: 'false', help: 'Whether they cannot be disabled; there are none.' },
    sample: { kind: 'boolean', sql: 'false', help: 'Whether they are samples; there are none.' },
    installed: {
      kind: 'boolean',
      sql: `${PLUGIN_INFO} is not null`,
      help: 'Whether they are present on the responding node.',
    },
    mixin: {
      kind: 'text',
      sql: `coalesce((${PLUGIN_INFO} -> 'mixins')::jsonb, '{}') ?& regexp_split_to_array(lower(trim({@value})), '\\s*,\\s*')`,
      help: 'Plugins with all of these features, by the keys of `mixins`, separated by commas.',
    },
  },
  defaultOrder: ['-active', 'name', 'key'],
  beforeDelete({ row }) {
    if (row.active) throw new Problem('wrong_state', { detail: [pluginErrors.plugin_active] })
    if (isBuiltIn(row.key)) throw invalidObject(pluginErrors.plugin_built_in)
  },
})

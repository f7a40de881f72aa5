import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { staff } from '../../../kit/request/caller.ts'
import { builtInPlugins } from '../../../plugins/index.ts'
import { getRegistry } from '../../plugins/plugin-registry.ts'

type Row = {
  pk: number
  key: string
  name: string | null
  active: boolean
  package_name: string | null
  requirement: string | null
  package_version: string | null
  installed_at: string | null
}

const text = (description: string) => Type.String({ description })

const pluginSchema = Type.Object({
  pk: Type.Integer({ description: 'The key in `/api/plugins/{id}/`.' }),
  key: text('Its slug.'),
  title: text('Its display name.'),
  description: text('What it does; empty if it does not say.'),
  author: text('Its author; empty if it does not say.'),
  version: text('Its version; empty if it cannot be loaded.'),
  published: text('The publication date of this version; empty if it does not say.'),
  website: orNull(text('Its website.')),
  license: orNull(text('Its license.')),
  origin: Type.Union(
    ['builtin', 'folder', 'package', 'missing'].map((origin) => Type.Literal(origin)),
    {
      description:
        '`builtin`: part of the service; `folder`: in the folder `plugins` of the data folder; `package`: installed; `missing`: only its configuration is left.',
    },
  ),
  requirement: orNull(text('The package that was requested at its installation, without credentials.')),
  installed_at: orNull(Type.String({ format: 'date-time', description: 'When its package was installed.' })),
  active: Type.Boolean({ description: 'Whether it is enabled.' }),
  is_running: Type.Boolean({ description: 'Whether it runs on the responding node.' }),
  is_always_on: Type.Boolean({
    description: 'Whether it cannot be disabled: built-in plugins, with responses for existing clients.',
  }),
  features: Type.Array(Type.String(), { description: 'Its features, by their names in its code.' }),
  setting_count: Type.Integer({ description: 'The number of its settings.' }),
})

/** Features of a built-in plugin that the service implements itself: the printing of labels. */
const listServiceFeatures = (key: string): string[] =>
  builtInPlugins.some(({ slug, mixins }) => slug === key && mixins.includes('labels')) ? ['labels'] : []

/** The plugins as their page in the console shows them. */
export const listPlugins = view({
  path: '/api/web/plugins/',
  summary: 'List the plugins with their descriptions',
  description:
    'All plugins, enabled or not, with what they say of themselves on the responding node, and whether plugins can be installed. Errors are at `/api/plugins/status/`.',
  access: staff,
  response: Type.Object({
    can_install: Type.Boolean({ description: 'Whether superusers can install and uninstall plugins (PLUGINS_INSTALL_ENABLED).' }),
    install_off: Type.Union([Type.Literal('setting'), Type.Literal('host'), Type.Null()], {
      description:
        'Why they cannot: `setting` if PLUGINS_INSTALL_ENABLED is off, `host` if it is not set and other machines reach the service (HOST); null if they can.',
    }),
    plugins: Type.Array(pluginSchema, { description: 'Enabled ones come first.' }),
  }),
  async read(request) {
    const { database, config } = request
    const registry = getRegistry(request)
    const rows = await database.read<Row>({
      text: `select c.pk, c.key, c.name, c.active, c.package_name, p.requirement, p.version as package_version,
          to_char(p.installed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as installed_at
        from plugin_config c left join plugin_package p on p.key = c.key order by not c.active, lower(coalesce(c.name, c.key)), c.key`,
    })
    const describe = ({ name, package_version, ...row }: Row) => {
      const origin = registry.origin(row.key) ?? 'missing'
      const manifest = registry.manifest(row.key)
      return {
        pk: row.pk,
        key: row.key,
        title: manifest?.title || name || row.key,
        description: manifest?.description ?? '',
        author: manifest?.author ?? '',
        version: manifest?.version ?? package_version ?? '',
        published: manifest?.published ?? '',
        website: manifest?.website ?? null,
        license: manifest?.license ?? null,
        origin,
        requirement: row.requirement,
        installed_at: row.installed_at,
        active: row.active,
        is_running: registry.isRunning(row.key),
        is_always_on: registry.isAlwaysOn(row.key),
        features: [...(manifest?.mixins ?? []), ...listServiceFeatures(row.key)],
        setting_count: Object.keys(manifest?.settings ?? {}).length,
      }
    }
    const canInstall = config.pluginsInstallEnabled
    const install_off = canInstall ? null : config.setVariables.includes('PLUGINS_INSTALL_ENABLED') ? 'setting' : 'host'
    return { can_install: canInstall, install_off, plugins: rows.map(describe) }
  },
})

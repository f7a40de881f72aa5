import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { routeLocation, setQuery } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { postQuery } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff, isSuperuser } from '../settings-pages.ts'
import { InstallPlugin } from './install-plugin.tsx'
import {
  describePlugin,
  describeState,
  getFeatureNames,
  getStageName,
  PLUGINS_PATH,
  type Plugin,
  type PluginList,
  type PluginStatus,
  STATUS_PATH,
} from './plugin.ts'

/** The origins of plugins, in the order of their panels. */
const ORIGINS = ['package', 'folder', 'missing', 'builtin'] as const

/** `/settings/plugins/`: all plugins by where they are from, with their errors. The URL holds the search. */
export function PluginsPage() {
  return isStaff() ? (
    <PluginsForStaff />
  ) : (
    <SettingsPage title={t('plugins.title')} rejection={t('settings.for-staff')}>
      {null}
    </SettingsPage>
  )
}

function PluginsForStaff() {
  // only superusers see errors
  const { data, error, reload } = useRead<{ list: PluginList; status?: PluginStatus }>(
    { list: PLUGINS_PATH, ...(isSuperuser() ? { status: STATUS_PATH } : {}) } as { list: string; status: string },
    ['status'],
  )
  const isInstalling = useSignal(false)
  const isReloading = useSignal(false)
  const list = data?.list.body
  async function reloadPlugins() {
    if (isReloading.value) return
    isReloading.value = true
    if (await attempt(() => postQuery('/api/plugins/reload/', {}))) showToast(t('plugins.reloaded'))
    isReloading.value = false
    reload()
  }
  const setInstalling = (isOpen: boolean) => () => {
    isInstalling.value = isOpen
  }
  const actions = useActions(
    list && isSuperuser()
      ? [
          list.can_install && { title: t('plugins.install'), icon: 'plus' as const, keys: 'n', run: setInstalling(true) },
          { title: t('plugins.reload'), icon: 'undo' as const, keys: 'r', run: reloadPlugins },
        ]
      : [],
  )
  if (error) return <LoadError error={error} />
  const searchText = routeLocation.value.query.get('search') ?? ''
  const words = searchText.trim().toLowerCase().split(/\s+/)
  const plugins = list?.plugins ?? []
  const errors = data?.status?.body.registry_errors ?? []
  const matchingPlugins = plugins.filter((plugin) => {
    const { title, description } = describePlugin(plugin)
    const text = [plugin.key, plugin.title, title, description, plugin.author, getFeatureNames(plugin)].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const unknownErrors = errors.filter(({ name }) => !plugins.some(({ key }) => key === name))
  return (
    <SettingsPage title={t('plugins.title')} actions={actions}>
      {list && !isSuperuser() && <p class="notice">{t('plugins.for-superusers')}</p>}
      {list && isSuperuser() && list.install_off && <InstallationOff reason={list.install_off} />}
      <div class="settings-filter">
        <input
          type="search"
          data-search
          aria-label={t('plugins.search')}
          placeholder={t('plugins.search')}
          value={searchText}
          onInput={({ currentTarget }) => setQuery({ search: currentTarget.value }, { replace: true })}
        />
      </div>
      {unknownErrors.length > 0 && (
        <Panel title={t('plugins.not-loaded')}>
          <ul class="plugin-errors">
            {unknownErrors.map(({ stage, name, message }) => (
              <li key={`${stage} ${name}`}>
                <Badge tone="bad">{getStageName(stage)}</Badge> <strong>{name}</strong>: {message}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {list && matchingPlugins.length === 0 && <Empty icon="search" title={t('no-matches')} />}
      {ORIGINS.map((origin) => {
        const rows = matchingPlugins.filter((plugin) => plugin.origin === origin)
        return (
          rows.length > 0 && (
            <Panel key={origin} title={t(`plugins.origin.${origin}`)}>
              <PluginTable title={t(`plugins.origin.${origin}`)} rows={rows} errors={errors} />
            </Panel>
          )
        )
      })}
      {isInstalling.value && <InstallPlugin onInstalled={reload} onClose={setInstalling(false)} />}
    </SettingsPage>
  )
}

/** The reason why nothing can be installed, and the way to change that. */
export const InstallationOff = ({ reason }: { reason: NonNullable<PluginList['install_off']> }) => (
  <div class="notice">
    <p>{t(`plugins.install-off.${reason}`)}</p>
    <p>
      {t('plugins.install-off.how')} <code>PLUGINS_INSTALL_ENABLED=true</code>
    </p>
  </div>
)

type TableProperties = { title: string; rows: readonly Plugin[]; errors: PluginStatus['registry_errors'] }

const PluginTable = ({ title, rows, errors }: TableProperties) => (
  <ShortTable
    title={title}
    rows={rows}
    columns={[
      {
        name: 'name',
        cell: (plugin) => {
          const { title: name, description } = describePlugin(plugin)
          return (
            <>
              <a href={`/settings/plugins/${plugin.key}/`}>{name}</a>
              <small>{description}</small>
            </>
          )
        },
      },
      { name: 'features', title: () => t('plugins.features'), isWide: true, cell: getFeatureNames },
      { name: 'version', title: () => t('plugins.version'), isWide: true, cell: ({ version }) => version },
      {
        name: 'status',
        cell: (plugin) => <PluginState plugin={plugin} hasErrors={errors.some(({ name }) => name === plugin.key)} />,
      },
    ]}
  />
)

/** The state of a plugin in a word and a color. */
export function PluginState({ plugin, hasErrors }: { plugin: Plugin; hasErrors: boolean }) {
  const { text, tone } = describeState(plugin, hasErrors)
  return <Badge tone={tone}>{text}</Badge>
}

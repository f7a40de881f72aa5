import metadata from 'metadata:/api/plugins/{id}/uninstall/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { formatDate, formatDateTime, t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, DescriptionList, Empty, HomeLink, type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { change, remove } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { OwnedSettings } from '../owned-settings.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff, isSuperuser } from '../settings-pages.ts'
import { InstallPlugin } from './install-plugin.tsx'
import {
  describePlugin,
  getFeatureNames,
  getPluginSettingTexts,
  getSettingsPath,
  getStageName,
  PLUGINS_PATH,
  type Plugin,
  type PluginList,
  type PluginSetting,
  type PluginStatus,
  STATUS_PATH,
} from './plugin.ts'
import { InstallationOff, PluginState } from './plugins.tsx'

/** `/settings/plugins/:key/`: a plugin with its errors and its settings. */
export function PluginPage({ params }: PageProperties) {
  return isStaff() ? (
    <PluginDetails pluginKey={String(params.key)} />
  ) : (
    <SettingsPage title={t('plugins.title')} rejection={t('settings.for-staff')}>
      {null}
    </SettingsPage>
  )
}

type PageData = { list: PluginList; settings: PluginSetting[]; status?: PluginStatus }

function PluginDetails({ pluginKey }: { pluginKey: string }) {
  const { data, error, reload } = useRead<PageData>(
    {
      list: PLUGINS_PATH,
      settings: getSettingsPath(pluginKey),
      ...(isSuperuser() ? { status: STATUS_PATH } : {}),
    } as { list: string; settings: string; status: string },
    ['settings', 'status'],
  )
  const dialog = useSignal<'enable' | 'install' | 'uninstall' | 'delete' | undefined>(undefined)
  const show = (opened: typeof dialog.value) => () => {
    dialog.value = opened
  }
  const close = show(undefined)
  const plugin = data?.list.body.plugins.find(({ key }) => key === pluginKey)
  const canInstall = data?.list.body.can_install === true
  const installOff = data?.list.body.install_off
  const title = plugin ? describePlugin(plugin).title : pluginKey
  async function switchPlugin(active: boolean) {
    await change(`/api/plugins/${plugin?.pk}/activate/`, { active }, undefined)
    showToast(t(active ? 'plugins.turned-on' : 'plugins.turned-off', { name: title }))
    reload()
  }
  const actions = useActions(plugin ? listActions(plugin) : [], 1)
  function listActions({ origin, active, is_always_on }: Plugin) {
    const isPackage = origin === 'package'
    return [
      isSuperuser() &&
        !active &&
        origin !== 'missing' && {
          title: t('plugins.turn-on'),
          icon: 'check' as const,
          // a built-in plugin is code of the service itself
          run: origin === 'builtin' ? () => attempt(() => switchPlugin(true)) : show('enable'),
        },
      isSuperuser() &&
        active &&
        !is_always_on && {
          title: t('plugins.turn-off'),
          icon: 'close' as const,
          run: () => attempt(() => switchPlugin(false)),
        },
      isSuperuser() &&
        isPackage &&
        canInstall && { title: t('plugins.install-version'), icon: 'receive' as const, run: show('install') },
      isSuperuser() &&
        isPackage &&
        canInstall &&
        !active && { title: t('plugins.uninstall'), icon: 'trash' as const, run: show('uninstall') },
      origin === 'missing' &&
        !active &&
        hasPermission('delete', 'admin') && { title: t('plugins.delete-config'), icon: 'trash' as const, run: show('delete') },
    ]
  }
  const crumbs = [{ text: t('plugins.title'), to: '/settings/plugins/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  if (!plugin)
    return (
      <SettingsPage title={t('not-found')} crumbs={crumbs}>
        <Empty icon="warning" title={t('plugins.unknown', { name: pluginKey })}>
          <HomeLink />
        </Empty>
      </SettingsPage>
    )
  const errors = data.status?.body.registry_errors.filter(({ name }) => name === pluginKey) ?? []
  const waiting = data.status?.body.waiting.filter(({ name }) => name === pluginKey) ?? []
  const settings = data.settings?.body ?? []
  const { description } = describePlugin(plugin)
  return (
    <SettingsPage
      title={title}
      crumbs={crumbs}
      state={<PluginState plugin={plugin} hasErrors={errors.length > 0} />}
      actions={actions}
    >
      {!isSuperuser() && <p class="notice">{t('plugins.for-superusers')}</p>}
      {errors.length > 0 && (
        <Panel title={t('plugins.errors')}>
          <ul class="plugin-errors">
            {errors.map(({ stage, message }) => (
              <li key={stage}>
                <Badge tone="bad">{getStageName(stage)}</Badge> {message}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {waiting.map(({ message }) => (
        <p key={message} class="notice">
          {describeDisabledFeature(message)}
        </p>
      ))}
      <Panel>
        {description && <p class="plugin-description">{description}</p>}
        <DescriptionList
          rows={[
            [t('plugins.features'), getFeatureNames(plugin)],
            [t('plugins.version'), plugin.version],
            [t('plugins.author'), plugin.author],
            [t('plugins.published'), formatDate(plugin.published)],
            [t('plugins.license'), plugin.license],
            [t('plugins.website'), plugin.website && isWebUrl(plugin.website) && <a href={plugin.website}>{plugin.website}</a>],
            [t('plugins.origin'), t(`plugins.origin.${plugin.origin}`)],
            [t('plugins.package'), plugin.requirement],
            [t('plugins.installed-at'), formatDateTime(plugin.installed_at)],
            [t('plugins.key'), plugin.key],
          ]}
        />
      </Panel>
      {settings.length > 0 && (
        <Panel title={t('settings.title')}>
          <OwnedSettings
            settings={settings}
            texts={getPluginSettingTexts(plugin)}
            isLocked={false}
            save={({ key }, value) => change(`/api/plugins/settings/${pluginKey}/${key}/`, { value }, undefined)}
            onSaved={reload}
          />
        </Panel>
      )}
      {settings.length === 0 && plugin.origin !== 'missing' && <p class="quiet-text">{t('plugins.no-settings')}</p>}
      {isSuperuser() && plugin.origin === 'package' && installOff && <InstallationOff reason={installOff} />}
      {isSuperuser() && plugin.origin === 'package' && canInstall && plugin.active && (
        <p class="help">{t('plugins.uninstall-active')}</p>
      )}
      {dialog.value === 'enable' && (
        <Confirm
          title={t('plugins.turn-on-ask', { name: title })}
          button={t('plugins.turn-on')}
          isHarmless
          onConfirm={() => switchPlugin(true)}
          onClose={close}
        >
          <p>{t('plugins.turn-on.about')}</p>
        </Confirm>
      )}
      {dialog.value === 'install' && <InstallPlugin requirement={plugin.requirement} onInstalled={reload} onClose={close} />}
      {dialog.value === 'uninstall' && (
        <FormDialog
          title={t('plugins.uninstall-ask', { name: title })}
          metadata={metadata}
          start={{ delete_config: false }}
          names={['delete_config']}
          without="rest"
          customFields={(form) => ({
            delete_config: () => (
              <Field
                form={form}
                name="delete_config"
                title={t('plugins.delete-settings')}
                help={t('plugins.delete-settings.help')}
              />
            ),
          })}
          button={t('plugins.uninstall')}
          isDangerous
          send={(values) => change(`/api/plugins/${plugin.pk}/uninstall/`, values, undefined)}
          getSuccessMessage={() => t('plugins.uninstalled', { name: title })}
          onDone={() => navigate('/settings/plugins/', { replace: true })}
          onClose={close}
        >
          <p>{t('plugins.uninstall.about')}</p>
        </FormDialog>
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('plugins.delete-config-ask', { name: title })}
          button={t('plugins.delete-config')}
          onConfirm={async () => {
            await remove(`/api/plugins/${plugin.pk}/`)
            navigate('/settings/plugins/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('plugins.delete-config.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}

/** Whether a website of a plugin is safe to link: its author writes it. */
const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** The reason why a feature of a plugin is not used: the service names the feature and the setting, as in `events: disabled by the setting X`. */
function describeDisabledFeature(message: string) {
  const [, feature, setting] = /^(\w+): disabled by the setting (\w+)$/.exec(message) ?? []
  if (!feature || !setting) return message
  return (
    <>
      {t('plugins.feature-off', { feature: getFeatureNames({ features: [feature] }) })}{' '}
      <a href={`/settings/system/?search=${setting}`}>{t('plugins.feature-off.setting')}</a>
    </>
  )
}

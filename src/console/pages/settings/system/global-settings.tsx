import { t } from '../../../kit/language/language.ts'
import { routeLocation, setQuery } from '../../../kit/navigation/router.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Empty, Panel } from '../../../kit/page/page.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting, matchesSearch } from './global-setting.ts'
import { SettingRows } from './setting-row.tsx'

/** The areas, in the order in which one sets up an installation. */
const AREAS = ['server', 'account', 'part', 'stock', 'order', 'pricing', 'printing', 'plugin'] as const

/** `/settings/system/`: all global settings by area. The URL holds the search, and whether only changed ones are shown. */
export function GlobalSettingsPage() {
  return (
    <SettingsPage title={t('settings.global')} rejection={t('settings.for-staff')}>
      {isStaff() && <GlobalSettingsList />}
    </SettingsPage>
  )
}

function GlobalSettingsList() {
  const { data, error, reload } = useRead<{ settings: GlobalSetting[] }>({ settings: GLOBAL_SETTINGS_PATH })
  const { query } = routeLocation.value
  const searchText = query.get('search') ?? ''
  const isChangedOnly = query.get('changed') === 'true'
  if (error) return <LoadError error={error} />
  if (!data) return null
  const words = searchText.trim().toLowerCase().split(/\s+/)
  const settings = data.settings.body.filter((setting) => matchesSearch(setting, words) && (!isChangedOnly || setting.is_changed))
  const obeyed = settings.filter(({ used_by }) => used_by !== 'clients')
  const ofClients = settings.filter(({ used_by }) => used_by === 'clients')
  return (
    <>
      <div class="settings-filter">
        <input
          type="search"
          data-search
          aria-label={t('settings.search')}
          placeholder={t('settings.search')}
          value={searchText}
          onInput={({ currentTarget }) => setQuery({ search: currentTarget.value }, { replace: true })}
        />
        <label class="checkbox-line">
          <input
            type="checkbox"
            checked={isChangedOnly}
            onChange={({ currentTarget }) => setQuery({ changed: currentTarget.checked ? 'true' : undefined }, { replace: true })}
          />
          {t('settings.changed-only')}
        </label>
      </div>
      {settings.length === 0 && <Empty icon="search" title={t('settings.no-match')} />}
      {AREAS.map((area) => {
        const rows = obeyed.filter((setting) => setting.area === area)
        if (rows.length === 0) return null
        return (
          <Panel key={area} title={t(`settings.area.${area}`)}>
            <SettingRows rows={rows} onSaved={reload} />
          </Panel>
        )
      })}
      {ofClients.length > 0 && (
        <details class="panel" open={searchText !== ''}>
          <summary>{t('settings.of-clients')}</summary>
          <p class="help">{t('settings.of-clients.about')}</p>
          <SettingRows rows={ofClients} onSaved={reload} />
        </details>
      )}
    </>
  )
}

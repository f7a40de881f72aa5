import { useId } from 'preact/hooks'
import {
  formatDate,
  formatMoney,
  formatNumber,
  getRegionName,
  LANGUAGES,
  type Language,
  language,
  listRegions,
  region,
  selectLanguage,
  selectRegion,
  t,
} from '../../../kit/language/language.ts'
import { Panel } from '../../../kit/page/page.tsx'
import { THEMES, type Theme, theme } from '../../../kit/page/theme.ts'
import { SettingsPage } from '../settings-page.tsx'

/** `/settings/display/`: the language, the form of numbers and dates, and the appearance, in this browser. */
export function DisplayPage() {
  const id = useId()
  return (
    <SettingsPage title={t('account.display')}>
      <Panel>
        <p class="help">{t('account.display.this-browser')}</p>
        <div class="setting-rows">
          <div class="setting">
            <div class="setting-text">
              <label for={`${id}-language`}>{t('language')}</label>
            </div>
            <div class="setting-value">
              <select
                id={`${id}-language`}
                value={language.value}
                onChange={({ currentTarget }) => selectLanguage(currentTarget.value as Language)}
              >
                {Object.entries(LANGUAGES).map(([key, name]) => (
                  <option key={key} value={key} lang={key}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <div class="setting">
            <div class="setting-text">
              <label for={`${id}-region`}>{t('account.region')}</label>
              <p class="help" id={`${id}-example`}>
                {formatNumber('1234.5')} · {formatMoney('1234.5', 'EUR')} · {formatDate('2027-03-01')}
              </p>
            </div>
            <div class="setting-value">
              <select
                id={`${id}-region`}
                aria-describedby={`${id}-example`}
                value={region.value}
                onChange={({ currentTarget }) => selectRegion(currentTarget.value)}
              >
                <option value="">{t('account.region.browser')}</option>
                {listRegions().map((tag) => (
                  <option key={tag} value={tag}>
                    {getRegionName(tag)}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <div class="setting">
            <div class="setting-text">
              <label for={`${id}-theme`}>{t('theme')}</label>
            </div>
            <div class="setting-value">
              <select
                id={`${id}-theme`}
                value={theme.value}
                onChange={({ currentTarget }) => {
                  theme.value = currentTarget.value as Theme
                }}
              >
                {THEMES.map((name) => (
                  <option key={name} value={name}>
                    {t(`theme.${name}`)}
                  </option>
                ))}
              </select>
            </div>
          </div>
        </div>
      </Panel>
    </SettingsPage>
  )
}

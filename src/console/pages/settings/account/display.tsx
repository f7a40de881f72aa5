import { useId } from 'preact/hooks'
import { DEFAULT_PRINTER_URL, PRINTER_PLUGIN, PRINTERS, type PrinterName, toPrinter } from '../../../kit/files/print-choices.ts'
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
import { useRead } from '../../../kit/page/data.ts'
import { Panel } from '../../../kit/page/page.tsx'
import { THEMES, type Theme, theme } from '../../../kit/page/theme.ts'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { change } from '../../../kit/service/api.ts'
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
      <DefaultPrinter />
    </SettingsPage>
  )
}

/** The printer that the print dialog selects first, for the account in every browser. */
function DefaultPrinter() {
  const id = useId()
  const { data, reload } = useRead<{ printer: { value: string } }>({ printer: DEFAULT_PRINTER_URL })
  if (!data) return null
  const save = (plugin: string) =>
    attempt(async () => {
      await change(DEFAULT_PRINTER_URL, { value: plugin }, undefined)
      showToast(t('saved'))
      reload()
    })
  return (
    <Panel title={t('account.printing')}>
      <div class="setting-rows">
        <div class="setting">
          <div class="setting-text">
            <label for={id}>{t('account.default-printer')}</label>
            <p class="help" id={`${id}-about`}>
              {t('account.default-printer.about')}
            </p>
          </div>
          <div class="setting-value">
            <select
              id={id}
              aria-describedby={`${id}-about`}
              value={toPrinter(data.printer.body.value) ?? ''}
              onChange={({ currentTarget }) => void save(PLUGINS[currentTarget.value as PrinterName] ?? '')}
            >
              <option value="">{t('account.last-printer')}</option>
              {PRINTERS.map((name) => (
                <option key={name} value={name}>
                  {t(`labels.${name}`)}
                </option>
              ))}
            </select>
          </div>
        </div>
      </div>
    </Panel>
  )
}

/** The values of the setting. */
const PLUGINS: Readonly<Record<PrinterName, string>> = { pdf: 'inventreelabel', machine: PRINTER_PLUGIN }

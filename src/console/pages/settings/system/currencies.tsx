import metadata from 'metadata:/api/web/currencies/{currency}/'
import { useSignal } from '@preact/signals'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import {
  errorText,
  formatDateTime,
  formatNumber,
  getCurrencyName,
  language,
  type ServiceError,
  t,
} from '../../../kit/language/language.ts'
import { createTranslator } from '../../../kit/language/service-texts.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, DescriptionList, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast, warn } from '../../../kit/page/toast.tsx'
import { ApiError, change, postQuery } from '../../../kit/service/api.ts'
import { reloadRates } from '../../../kit/service/exchange-rates.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { nameBuiltIn } from '../plugins/plugin.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { GLOBAL_SETTINGS_PATH, type GlobalSetting } from './global-setting.ts'
import { SettingRows } from './setting-row.tsx'

const PATH = '/api/web/currencies/'

type Currency = {
  code: string
  name: string
  rate: string | null
  is_own: boolean
  live_rate: string | null
  updated: string | null
}

type Currencies = {
  base_currency: string
  currencies: Currency[]
  plugin: string
  plugin_name: string | null
  interval_days: number
  updated: string | null
  failure: (ServiceError & { failed: string }) | null
}

/** German texts of the reasons that an administrator sees most, by the text of the service. */
const REASONS: Readonly<Record<string, string>> = {
  'the host {host} does not exist': 'den Host {host} gibt es nicht',
  'it returned status {status}': 'die Antwort war {status}',
  'it took too long': 'es dauerte zu lange',
  'the connection failed': 'es kam keine Verbindung zustande',
}

const translateReason = createTranslator(REASONS, (value) => value)

/** The reason why the last update failed, in the reader's language. */
function describeFailure(failure: ServiceError, key: string): string {
  const { plugin, reason } = failure.parameters as { plugin?: string; reason?: string }
  if (plugin === undefined || reason === undefined) return errorText(failure)
  const readableReason = language.value === 'de' ? translateReason(reason) : reason
  const title = nameBuiltIn(key, plugin)
  const parameters = { ...failure.parameters, plugin: title, reason: readableReason }
  return errorText({ ...failure, parameters, message: failure.message.replace(plugin, () => title) })
}

/** Decimals of a rate. */
const RATE_DECIMALS = 10

/** The settings that decide on conversions. */
const KEYS = ['INVENTREE_DEFAULT_CURRENCY', 'CURRENCY_UPDATE_PLUGIN', 'CURRENCY_UPDATE_INTERVAL']

/** `/settings/currencies/`: the exchange rates of all currencies, live or own ones. */
export function CurrenciesPage() {
  return isStaff() ? (
    <CurrencyList />
  ) : (
    <SettingsPage title={t('settings.currencies')} rejection={t('settings.for-staff')}>
      {null}
    </SettingsPage>
  )
}

function CurrencyList() {
  const {
    data,
    error,
    reload: reloadPage,
  } = useRead<{ rates: Currencies; settings: GlobalSetting[] }>({
    rates: PATH,
    settings: GLOBAL_SETTINGS_PATH,
  })
  const reload = () => {
    reloadPage()
    reloadRates()
  }
  const currencyToEdit = useSignal<Currency | undefined>(undefined)
  const isUpdating = useSignal(false)
  async function updateNow() {
    if (isUpdating.value) return
    isUpdating.value = true
    try {
      await postQuery('/api/currency/refresh/')
      showToast(t('currencies.updated'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a failed update is stored, and shown on the page
      if (error.code !== 'unavailable' && error.code !== 'wrong_state') warn(error.text)
    }
    isUpdating.value = false
    // after a failure as well, as its reason is shown
    reload()
  }
  async function endOwnRate({ code }: Currency) {
    if (!(await attempt(() => change(`${PATH}${code}/`, { rate: null }, undefined)))) return
    showToast(t('currencies.is-live', { currency: code }))
    reload()
  }
  const actions = useActions([{ title: t('currencies.update'), icon: 'receive', keys: 'u', run: () => void updateNow() }])
  if (error) return <LoadError error={error} />
  if (!data) return null
  const { base_currency: base, currencies, plugin, plugin_name, updated, failure } = data.rates.body
  const formatRate = (rate: string) => formatNumber(rate, RATE_DECIMALS)
  return (
    <SettingsPage title={t('settings.currencies')} actions={actions}>
      <Panel title={t('currencies.live')} class="spaced">
        <DescriptionList
          rows={[
            [
              t('currencies.plugin'),
              (plugin_name && nameBuiltIn(plugin, plugin_name)) ??
                (plugin ? t('currencies.plugin-off', { plugin }) : t('currencies.no-plugin')),
            ],
            [t('currencies.last-update'), updated === null ? t('currencies.never') : formatDateTime(updated)],
          ]}
        />
        {failure && (
          <p class="problem" role="alert">
            {t('currencies.failed', { time: formatDateTime(failure.failed) })} {describeFailure(failure, plugin)}
          </p>
        )}
        <SettingRows rows={KEYS.flatMap((key) => data.settings.body.filter((setting) => setting.key === key))} onSaved={reload} />
      </Panel>
      <Panel title={t('currencies.rates')}>
        <ShortTable
          title={t('currencies.rates')}
          rows={currencies.filter(({ code }) => code !== base).map((row, index) => ({ ...row, pk: index }))}
          columns={[
            {
              name: 'currency',
              cell: ({ code, is_own }) => (
                <>
                  <strong>{code}</strong> <span class="wide-only">{getCurrencyName(code)}</span>{' '}
                  {is_own && <Badge tone="accent">{t('currencies.own')}</Badge>}
                </>
              ),
            },
            {
              name: 'rate',
              title: () => t('currencies.one', { currency: base }),
              align: 'end',
              cell: ({ rate, code }) =>
                rate === null ? <span class="quiet-text">{t('currencies.unknown')}</span> : `${formatRate(rate)} ${code}`,
            },
            {
              name: 'live_rate',
              title: () => t('currencies.live-rate'),
              align: 'end',
              isWide: true,
              cell: ({ live_rate }) => live_rate !== null && formatRate(live_rate),
            },
            {
              name: 'updated',
              title: () => t('currencies.since'),
              isWide: true,
              cell: ({ updated: since }) => since && formatDateTime(since),
            },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (row) => (
                <span class="row-buttons">
                  {row.is_own && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`${row.code}: ${t('currencies.use-live')}`}
                      onClick={() => void endOwnRate(row)}
                    >
                      {t('currencies.use-live')}
                    </button>
                  )}
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`${row.code}: ${t('currencies.set')}`}
                    onClick={() => {
                      currencyToEdit.value = row
                    }}
                  >
                    {t('currencies.set')}
                  </button>
                </span>
              ),
            },
          ]}
        />
      </Panel>
      <p class="quiet-text">{t('currencies.about')}</p>
      {currencyToEdit.value && (
        <OwnRate
          currency={currencyToEdit.value}
          base={base}
          onDone={() => {
            currencyToEdit.value = undefined
            reload()
          }}
          onClose={() => {
            currencyToEdit.value = undefined
          }}
        />
      )}
    </SettingsPage>
  )
}

type OwnRateProperties = { currency: Currency; base: string; onDone: () => void; onClose: () => void }

/** The form for the own rate of a currency. */
const OwnRate = ({ currency: { code, rate }, base, onDone, onClose }: OwnRateProperties) => (
  <FormDialog
    title={t('currencies.set-of', { currency: code })}
    metadata={metadata}
    start={{ rate }}
    names={['rate']}
    without="rest"
    customFields={(form) => ({
      rate: () => (
        <Field
          form={form}
          name="rate"
          title={t('currencies.one-is', { base, currency: code })}
          help={t('currencies.own.help')}
          autofocus
        />
      ),
    })}
    button={t('save')}
    send={({ rate: ownRate }) => change<Currency>(`${PATH}${code}/`, { rate: ownRate }, undefined)}
    getSuccessMessage={(result) =>
      t('saved' in result && result.saved.body.is_own ? 'currencies.is-own' : 'currencies.is-live', { currency: code })
    }
    onDone={onDone}
    onClose={onClose}
  />
)
